package flexdp.gateway.database;

import flexdp.failure.DatabaseError;
import flexdp.gateway.catalog.Ground;
import flexdp.gateway.catalog.Identities;
import flexdp.gateway.catalog.PhysicalCatalog;
import flexdp.gateway.catalog.PhysicalTable;
import flexdp.gateway.catalog.Vendor;
import flexdp.gateway.pause.Breaker;
import flexdp.gateway.render.Dialect;
import flexdp.policy.Policy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * A database over JDBC: read-only, and cut off from everything outside it. Every question has a
 * connection of its own while it is answered; there are few, and questions wait for one.
 */
public final class JdbcDatabase implements Database {
  private final Connections pool;
  private final Deadlines deadlines = new Deadlines();
  private final Vendor vendor;
  private final Dialect dialect;
  private final PhysicalCatalog catalog;
  private final Identities identities;
  private final Optional<String> version;
  private final Ground ground;
  private final Duration timeout;
  private final OwnerLog log;
  private final Optional<KeptStatements> kept;

  private JdbcDatabase(
      Connections pool,
      Vendor vendor,
      PhysicalCatalog catalog,
      Identities identities,
      Optional<String> version,
      Ground ground,
      Duration timeout,
      OwnerLog log) {
    this.pool = pool;
    this.vendor = vendor;
    this.dialect = vendor.dialect();
    this.catalog = catalog;
    this.identities = identities;
    this.version = version;
    this.ground = ground;
    this.timeout = timeout;
    this.log = log;
    this.kept = version.map(ignored -> new KeptStatements());
  }

  /** Opens a URL such as jdbc:duckdb:rides.db. */
  public static JdbcDatabase open(String url, Policy policy, Duration timeout, OwnerLog log) {
    return open(url, policy, timeout, Breaker.PATIENCE, log);
  }

  /**
   * Opens a database that is waited for.
   *
   * @param patience how long questions wait for a server that is away
   */
  public static JdbcDatabase open(
      String url, Policy policy, Duration timeout, Duration patience, OwnerLog log) {
    return over(opened(url, log), Optional.of(url), policy, timeout, patience, log);
  }

  /** Who may enter which server is between it and the owner. */
  private static Connection opened(String url, OwnerLog log) {
    try {
      return Databases.streaming(url);
    } catch (DatabaseError e) {
      if (e.getCause() == null) {
        throw e;
      }
      log.failure("connect: " + e.message(), e.getCause());
      throw DatabaseError.of("The database cannot be reached.", "The owner's log says why.");
    }
  }

  /**
   * Over a connection that was opened already; it is closed with this. Where a connection has no
   * copies there is only this one.
   */
  public static JdbcDatabase over(
      Connection connection, Policy policy, Duration timeout, OwnerLog log) {
    return over(connection, Optional.empty(), policy, timeout, Breaker.PATIENCE, log);
  }

  private static JdbcDatabase over(
      Connection first,
      Optional<String> url,
      Policy policy,
      Duration timeout,
      Duration patience,
      OwnerLog log) {
    try {
      Vendor vendor = Vendors.of(first);
      first.setAutoCommit(true); // a setting made in a transaction would end with it
      // The tables come first: the settings may hide the schema in which bare names are found.
      List<PhysicalTable> tables = vendor.tables(first, policy);
      PhysicalCatalog catalog = PhysicalCatalog.of(policy, vendor, tables);
      Identities identities = Identities.of(policy, vendor, catalog, first, tables);
      Optional<String> version = vendor.version(first);
      Ground ground = vendor.ground(first);
      vendor.prepare(first, timeout);
      Connections pool = new Connections(first, vendor, url, timeout, new Breaker(patience), log);
      return new JdbcDatabase(pool, vendor, catalog, identities, version, ground, timeout, log);
    } catch (SQLException e) {
      close(first, log);
      log.failure("open", e);
      throw DatabaseError.of(
          "The database cannot be prepared for questions.", "The owner's log says why.");
    } catch (RuntimeException e) {
      close(first, log);
      throw e;
    }
  }

  private static void close(Connection connection, OwnerLog log) {
    try {
      connection.close();
    } catch (SQLException e) {
      log.failure("close", e);
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
  public Identities identities() {
    return identities;
  }

  @Override
  public Duration timeout() {
    return timeout;
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
  public boolean stands() {
    return ground.stands();
  }

  @Override
  public Session session(Collection<PhysicalTable> held) {
    JdbcSession.require(ground);
    // Nothing is read yet: what broke while nobody used it is left, and another one taken.
    Optional<Session> begun = begun(held);
    return begun.isPresent() ? begun.get() : begun(held).orElseThrow(DatabaseError::away);
  }

  /** Empty when the connection broke before anything was read. */
  private Optional<Session> begun(Collection<PhysicalTable> held) {
    Connection connection = taken();
    try {
      vendor.beginSnapshot(connection, held, timeout);
      return Optional.of(
          new JdbcSession(connection, pool, vendor, timeout, deadlines, kept, ground, log));
    } catch (SQLException e) {
      boolean lost = vendor.isLost(e);
      pool.giveBack(connection, lost);
      if (lost) {
        pool.dropIdle();
      }
      log.failure("begin", e);
      if (vendor.isBusy(e)) {
        throw busy();
      }
      if (!lost) {
        throw JdbcSession.opaque();
      }
      return Optional.empty();
    } catch (RuntimeException e) {
      pool.giveBack(connection, true);
      throw e;
    }
  }

  /** No row had a say in whether there is a connection, and it may be told. */
  private Connection taken() {
    try {
      return pool.take();
    } catch (SQLException e) {
      log.failure("begin", e);
      throw DatabaseError.away();
    }
  }

  @Override
  public boolean isReachable() {
    return pool.isReachable();
  }

  /** The caller waits for it; writers would wait behind us. */
  private static DatabaseError busy() {
    return DatabaseError.lost(
        "A table that the question reads is being redefined.", "Ask again in a moment.");
  }

  @Override
  public void close() {
    deadlines.close();
    pool.close();
  }
}
