package flexdp.gateway.database;

import flexdp.failure.DatabaseError;
import flexdp.gateway.catalog.Connector;
import flexdp.gateway.catalog.Connector.BackingStore;
import flexdp.gateway.catalog.PhysicalCatalog;
import flexdp.gateway.catalog.PhysicalTable;
import flexdp.gateway.catalog.TableDefinitions.TableRedefined;
import flexdp.gateway.catalog.TableIdentities;
import flexdp.gateway.database.CancellationToken.QueryCancelled;
import flexdp.gateway.database.JdbcDatabase.StatementCache.PendingStatement;
import flexdp.gateway.database.Session.CellReader;
import flexdp.gateway.database.Session.DatabaseTimeout;
import flexdp.gateway.pause.Breaker;
import flexdp.gateway.render.TargetDialect;
import flexdp.policy.Policy;
import flexdp.policy.Type;
import flexdp.release.CanonicalValue;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A database over JDBC: read-only, and cut off from everything outside it. Every question has a
 * connection of its own while it is answered; there are few, and questions wait for one.
 */
public final class JdbcDatabase implements Database {
  private final ConnectionPool pool;
  private final StatementTimeouts timeouts = new StatementTimeouts();
  private final Connector connector;
  private final TargetDialect dialect;
  private final PhysicalCatalog catalog;
  private final TableIdentities identities;
  private final Optional<String> version;
  private final BackingStore ground;
  private final Duration timeout;
  private final ErrorLog log;
  private final Optional<StatementCache> kept;

  private JdbcDatabase(
      ConnectionPool pool,
      Connector connector,
      PhysicalCatalog catalog,
      TableIdentities identities,
      Optional<String> version,
      BackingStore ground,
      Duration timeout,
      ErrorLog log) {
    this.pool = pool;
    this.connector = connector;
    this.dialect = connector.dialect();
    this.catalog = catalog;
    this.identities = identities;
    this.version = version;
    this.ground = ground;
    this.timeout = timeout;
    this.log = log;
    this.kept = version.map(ignored -> new StatementCache());
  }

  /** Opens a URL such as jdbc:duckdb:rides.db. */
  public static JdbcDatabase open(String url, Policy policy, Duration timeout, ErrorLog log) {
    return open(url, policy, timeout, Breaker.PATIENCE, log);
  }

  /**
   * Opens a database that is waited for.
   *
   * @param patience how long questions wait for a server that is away
   */
  public static JdbcDatabase open(
      String url, Policy policy, Duration timeout, Duration patience, ErrorLog log) {
    return over(opened(url, log), Optional.of(url), policy, timeout, patience, log);
  }

  /** Who may enter which server is between it and the owner. */
  private static Connection opened(String url, ErrorLog log) {
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
      Connection connection, Policy policy, Duration timeout, ErrorLog log) {
    return over(connection, Optional.empty(), policy, timeout, Breaker.PATIENCE, log);
  }

  private static JdbcDatabase over(
      Connection first,
      Optional<String> url,
      Policy policy,
      Duration timeout,
      Duration patience,
      ErrorLog log) {
    try {
      Connector connector = Connectors.of(first);
      first.setAutoCommit(true); // a setting made in a transaction would end with it
      // The tables come first: the settings may hide the schema in which bare names are found.
      List<PhysicalTable> tables = connector.tables(first, policy);
      PhysicalCatalog catalog = PhysicalCatalog.of(policy, connector, tables);
      TableIdentities identities = TableIdentities.of(policy, connector, catalog, first, tables);
      Optional<String> version = connector.version(first);
      BackingStore ground = connector.ground(first);
      connector.prepare(first, timeout);
      ConnectionPool pool =
          new ConnectionPool(first, connector, url, timeout, new Breaker(patience), log);
      return new JdbcDatabase(pool, connector, catalog, identities, version, ground, timeout, log);
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

  private static void close(Connection connection, ErrorLog log) {
    try {
      connection.close();
    } catch (SQLException e) {
      log.failure("close", e);
    }
  }

  @Override
  public TargetDialect dialect() {
    return dialect;
  }

  @Override
  public PhysicalCatalog catalog() {
    return catalog;
  }

  @Override
  public TableIdentities identities() {
    return identities;
  }

  @Override
  public Duration timeout() {
    return timeout;
  }

  @Override
  public Connector vendor() {
    return connector;
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
      connector.beginSnapshot(connection, held, timeout);
      return Optional.of(
          new JdbcSession(connection, pool, connector, timeout, timeouts, kept, ground, log));
    } catch (SQLException e) {
      boolean lost = connector.isLost(e);
      pool.giveBack(connection, lost);
      if (lost) {
        pool.dropIdle();
      }
      log.failure("begin", e);
      if (connector.isBusy(e)) {
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
    timeouts.close();
    pool.close();
  }

  /**
   * Cancels statements that take too long, the reading of their rows included. Drivers differ in
   * what their own timeout covers; SQLite's does not stop a statement at all.
   */
  static final class StatementTimeouts implements AutoCloseable {
    private final ScheduledThreadPoolExecutor alarms =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "flexdp-deadlines");
              thread.setDaemon(true);
              return thread;
            });

    StatementTimeouts() {
      alarms.setRemoveOnCancelPolicy(true);
    }

    /** One statement's. */
    final class Deadline implements AutoCloseable {
      private final AtomicBoolean passed = new AtomicBoolean();
      private final ScheduledFuture<?> alarm;

      private Deadline(Statement statement, Duration timeout) {
        alarm =
            alarms.schedule(
                () -> {
                  passed.set(true);
                  try {
                    statement.cancel();
                  } catch (SQLException e) {
                    // It has ended by itself, or its connection has: there is nothing to stop.
                    return;
                  }
                },
                timeout.toMillis(),
                TimeUnit.MILLISECONDS);
      }

      boolean hasPassed() {
        return passed.get();
      }

      @Override
      public void close() {
        alarm.cancel(false);
      }
    }

    Deadline of(Statement statement, Duration timeout) {
      return new Deadline(statement, timeout);
    }

    @Override
    public void close() {
      alarms.shutdownNow();
    }
  }

  /**
   * Statements that a connection ran lately, with their plans: an embedded database plans a short
   * question for longer than it runs it. Only for data that stay as they are while they are open,
   * since a plan may rest on what the data were when it was made.
   */
  static final class StatementCache {
    private static final int MOST = 64;

    /** By connection; each is used by one thread at a time. */
    private final Map<Connection, Map<String, PreparedStatement>> kept = new WeakHashMap<>();

    /** A statement that is run once and kept if it ran well. */
    final class Kept implements PendingStatement {
      private final Map<String, PreparedStatement> others;
      private final String sql;
      private final PreparedStatement statement;
      private boolean ranWell;

      private Kept(Map<String, PreparedStatement> others, String sql, PreparedStatement statement) {
        this.others = others;
        this.sql = sql;
        this.statement = statement;
      }

      @Override
      public PreparedStatement statement() {
        return statement;
      }

      @Override
      public ResultSet rows() throws SQLException {
        return statement.executeQuery();
      }

      @Override
      public void ranWell() {
        ranWell = true;
      }

      @Override
      public void close() throws SQLException {
        if (!ranWell) {
          statement.close();
          return;
        }
        others.put(sql, statement);
        if (others.size() > MOST) {
          others.remove(others.keySet().iterator().next()).close();
        }
      }
    }

    PendingStatement of(Connection connection, String sql) throws SQLException {
      Map<String, PreparedStatement> others = others(connection);
      PreparedStatement known = others.remove(sql);
      return new Kept(others, sql, known != null ? known : connection.prepareStatement(sql));
    }

    private synchronized Map<String, PreparedStatement> others(Connection connection) {
      return kept.computeIfAbsent(connection, ignored -> new LinkedHashMap<>());
    }

    /** A statement about to be run. */
    interface PendingStatement extends AutoCloseable {
      Statement statement();

      /** Runs it. */
      ResultSet rows() throws SQLException;

      /** Says that all rows were read. */
      default void ranWell() {}

      @Override
      void close() throws SQLException;

      /** One that is gone when it was run. */
      static PendingStatement fresh(Connection connection, String sql) throws SQLException {
        Statement statement = connection.createStatement();
        return new PendingStatement() {
          @Override
          public Statement statement() {
            return statement;
          }

          @Override
          public ResultSet rows() throws SQLException {
            return statement.executeQuery(sql);
          }

          @Override
          public void close() throws SQLException {
            statement.close();
          }
        };
      }
    }
  }

  /** A transaction over JDBC that is always rolled back. */
  private static final class JdbcSession implements Session {
    private static final int FETCHED_TOGETHER = 2_000;
    private static final int WHOLE = 0;
    private static final int MOST_DIGITS = 10_000;
    private static final CellReader UNREADABLE = new CellReader.Unreadable();

    private final Connection connection;
    private final ConnectionPool pool;
    private final Connector connector;
    private final Duration timeout;
    private final ErrorLog log;
    private final StatementTimeouts timeouts;
    private final Optional<StatementCache> kept;
    private final BackingStore ground;
    private CancellationToken cancellation = new CancellationToken();
    private boolean toldUnreadable;
    private boolean broken;

    /**
     * @param kept where plans are kept, if they may be
     */
    JdbcSession(
        Connection connection,
        ConnectionPool pool,
        Connector connector,
        Duration timeout,
        StatementTimeouts timeouts,
        Optional<StatementCache> kept,
        BackingStore ground,
        ErrorLog log) {
      this.connection = connection;
      this.pool = pool;
      this.connector = connector;
      this.timeout = timeout;
      this.log = log;
      this.timeouts = timeouts;
      this.kept = kept;
      this.ground = ground;
    }

    /** What lies below a database that moved is the owner's act, and may show. */
    static void require(BackingStore ground) {
      if (!ground.stands()) {
        throw DatabaseError.lost(
            "The file of the database was replaced or written to while it was open.",
            "It has to be opened again; a server does that by itself within seconds. What was read of"
                + " it is not used.");
      }
    }

    @Override
    public void heed(CancellationToken wish) {
      cancellation = wish;
    }

    @Override
    public void run(String sql, RowReader reader) {
      run(sql, FETCHED_TOGETHER, reader);
    }

    @Override
    public boolean runWhole(String sql, int most, RowReader reader) {
      if (!connector.streamsAlone()) {
        return false;
      }
      int[] count = {0};
      run(
          "SELECT * FROM (" + sql + ") AS whole LIMIT " + (most + 1),
          WHOLE,
          row -> {
            count[0]++;
            reader.read(row);
          });
      return count[0] <= most;
    }

    private void run(String sql, int fetched, RowReader reader) {
      DeepStackThreads.<Void, RuntimeException>over(
          sql,
          () -> {
            runHere(sql, fetched, reader);
            return null;
          });
    }

    private void runHere(String sql, int fetched, RowReader reader) {
      boolean late = false;
      boolean stopped = false;
      try (PendingStatement one = statement(sql);
          StatementTimeouts.Deadline deadline = timeouts.of(one.statement(), timeout);
          CancellationToken.Interruptible ignored = cancellation.over(one.statement())) {
        try {
          one.statement().setQueryTimeout((int) Math.max(1, timeout.toSeconds()));
          one.statement().setFetchSize(fetched);
          try (ResultSet rows = one.rows()) {
            while (rows.next()) {
              reader.read(rows);
            }
          }
          one.ranWell();
        } catch (SQLException e) {
          late = deadline.hasPassed();
          stopped = cancellation.isWanted();
          throw e;
        }
      } catch (SQLException e) {
        if (stopped) {
          throw new QueryCancelled();
        }
        if (late || connector.isTimeout(e)) {
          log.failure("timed out: " + sql, e);
          throw new DatabaseTimeout();
        }
        log.failure("failed: " + sql, e);
        require(ground);
        if (connector.isRedefined(e)) {
          throw new TableRedefined();
        }
        broken |= connector.isLost(e);
        throw broken ? lost() : opaque();
      }
      require(ground);
    }

    private PendingStatement statement(String sql) throws SQLException {
      return kept.isPresent()
          ? kept.get().of(connection, sql)
          : PendingStatement.fresh(connection, sql);
    }

    @Override
    public CellReader value(ResultSet row, int index, Type type) {
      try {
        Object value = connector.value(row, index, type);
        return value == null
            ? new CellReader.Value(null)
            : CanonicalValue.of(type, value)
                .<CellReader>map(CellReader.Value::new)
                .orElse(UNREADABLE);
      } catch (SQLException | RuntimeException e) {
        unreadable(e);
        return UNREADABLE;
      }
    }

    @Override
    public Optional<BigDecimal> number(ResultSet row, int index) {
      try {
        return Optional.ofNullable(connector.number(row, index)).filter(JdbcSession::isComputable);
      } catch (SQLException | RuntimeException e) {
        unreadable(e);
        return Optional.empty();
      }
    }

    private static boolean isComputable(BigDecimal number) {
      return Math.abs((long) number.scale()) <= MOST_DIGITS && number.precision() <= MOST_DIGITS;
    }

    /** Once is enough: the owner learns that there is such a value, and the log stays short. */
    private void unreadable(Exception e) {
      if (!toldUnreadable) {
        toldUnreadable = true;
        log.failure("a value that cannot be read, taken for an unlisted label", e);
      }
    }

    /** Said in the same words, and not held against the question. */
    static DatabaseError lost() {
      return DatabaseError.lost(opaque().message(), opaque().hint());
    }

    static DatabaseError opaque() {
      return DatabaseError.of(
          DatabaseError.NO_ANSWER,
          "Its own words may hold data and are not shown; the owner finds them in the log.");
    }

    @Override
    public void close() {
      try {
        connector.endSnapshot(connection);
      } catch (SQLException e) {
        broken = true;
        log.failure("rollback", e);
      } finally {
        pool.giveBack(connection, broken);
      }
    }
  }
}
