package flexdp.gateway.database;

import flexdp.DatabaseError;
import flexdp.gateway.catalog.DuckDbVendor;
import flexdp.gateway.catalog.PhysicalCatalog;
import flexdp.gateway.sql.Catalog;
import flexdp.gateway.sql.Dialect;
import flexdp.gateway.sql.DuckDb;
import flexdp.policy.Policy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A DuckDB file, opened read-only and cut off from everything outside it. One question at a time
 * uses the connection; DuckDB spreads a single one over all cores anyway.
 */
public final class DuckDbDatabase implements Database {
  public static final String PREFIX = "jdbc:duckdb:";

  private final Connection connection;
  private final Catalog catalog;
  private final Dialect dialect = new DuckDb();
  private final Duration timeout;
  private final OwnerLog log;
  private final ReentrantLock inUse = new ReentrantLock(true);

  private DuckDbDatabase(
      Connection connection, Catalog catalog, Duration timeout, OwnerLog log) {
    this.connection = connection;
    this.catalog = catalog;
    this.timeout = timeout;
    this.log = log;
  }

  /** Opens the file of a URL such as jdbc:duckdb:rides.db. */
  public static DuckDbDatabase open(String url, Policy policy, Duration timeout, OwnerLog log) {
    Path file = Path.of(url.substring(PREFIX.length()));
    if (!Files.isRegularFile(file)) {
      throw DatabaseError.of(
          "There is no database file " + file + ".", "Give its place with --database.");
    }
    Properties properties = new Properties();
    properties.setProperty("duckdb.read_only", "true");
    properties.setProperty("jdbc_stream_results", "true");
    try {
      return over(DriverManager.getConnection(url, properties), policy, timeout, log);
    } catch (SQLException e) {
      log.failure("open " + url, e);
      throw DatabaseError.of(
          "The database file " + file + " cannot be opened.",
          "Another program may hold it open for writing, or a newer DuckDB may have written it;"
              + " the owner's log says which.");
    }
  }

  /** Over a connection that was opened already; it is closed with this. */
  public static DuckDbDatabase over(
      Connection connection, Policy policy, Duration timeout, OwnerLog log) {
    try {
      connection.setAutoCommit(false);
      try (Statement statement = connection.createStatement()) {
        statement.execute("SET enable_external_access = false");
        statement.execute("SET TimeZone = 'UTC'");
        statement.execute("SET lock_configuration = true");
      }
      DuckDbVendor vendor = new DuckDbVendor();
      Catalog catalog = PhysicalCatalog.of(policy, vendor, vendor.tables(connection));
      connection.rollback();
      return new DuckDbDatabase(connection, catalog, timeout, log);
    } catch (SQLException e) {
      log.failure("open", e);
      throw DatabaseError.of(
          "The database cannot be prepared for questions.", "The owner's log says why.");
    }
  }

  @Override
  public Dialect dialect() {
    return dialect;
  }

  @Override
  public Catalog catalog() {
    return catalog;
  }

  @Override
  public Session session() {
    inUse.lock();
    return new JdbcSession(connection, timeout, log, inUse::unlock);
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      log.failure("close", e);
    }
  }
}
