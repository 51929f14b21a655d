package flexdp.gateway.database;

import flexdp.DatabaseError;
import flexdp.gateway.catalog.Databases;
import flexdp.gateway.catalog.PhysicalCatalog;
import flexdp.gateway.catalog.Vendor;
import flexdp.gateway.sql.Dialect;
import flexdp.policy.Policy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A database over JDBC: read-only, and cut off from everything outside it. One question at a time
 * uses the connection.
 */
public final class JdbcDatabase implements Database {
  private final Connection connection;
  private final Vendor vendor;
  private final Dialect dialect;
  private final PhysicalCatalog catalog;
  private final Optional<String> version;
  private final Duration timeout;
  private final OwnerLog log;
  private final ReentrantLock inUse = new ReentrantLock(true);

  private JdbcDatabase(
      Connection connection,
      Vendor vendor,
      PhysicalCatalog catalog,
      Optional<String> version,
      Duration timeout,
      OwnerLog log) {
    this.connection = connection;
    this.vendor = vendor;
    this.dialect = vendor.dialect();
    this.catalog = catalog;
    this.version = version;
    this.timeout = timeout;
    this.log = log;
  }

  /** Opens a URL such as jdbc:duckdb:rides.db. */
  public static JdbcDatabase open(String url, Policy policy, Duration timeout, OwnerLog log) {
    return over(Databases.streaming(url), policy, timeout, log);
  }

  /** Over a connection that was opened already; it is closed with this. */
  public static JdbcDatabase over(
      Connection connection, Policy policy, Duration timeout, OwnerLog log) {
    try {
      Vendor vendor = Vendor.of(connection);
      connection.setAutoCommit(true); // a setting made in a transaction would end with it
      // The tables come first: the settings may hide the schema in which bare names are found.
      PhysicalCatalog catalog = PhysicalCatalog.of(policy, vendor, vendor.tables(connection));
      Optional<String> version = vendor.version(connection);
      vendor.prepare(connection, timeout);
      return new JdbcDatabase(connection, vendor, catalog, version, timeout, log);
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
  public PhysicalCatalog catalog() {
    return catalog;
  }

  @Override
  public Vendor vendor() {
    return vendor;
  }

  @Override
  public Optional<String> version() {
    return version;
  }

  @Override
  public Session session() {
    inUse.lock();
    try {
      vendor.beginSnapshot(connection);
      return new JdbcSession(connection, vendor, timeout, log, inUse::unlock);
    } catch (SQLException e) {
      inUse.unlock();
      log.failure("begin", e);
      throw JdbcSession.opaque();
    }
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
