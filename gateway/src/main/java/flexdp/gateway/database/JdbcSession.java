package flexdp.gateway.database;

import flexdp.failure.DatabaseError;
import flexdp.gateway.catalog.Ground;
import flexdp.gateway.catalog.Moved;
import flexdp.gateway.catalog.Vendor;
import flexdp.policy.Type;
import flexdp.release.OneForm;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/** A transaction over JDBC that is always rolled back. */
final class JdbcSession implements Session {
  private static final int FETCHED_TOGETHER = 2_000;
  private static final int WHOLE = 0;
  private static final int MOST_DIGITS = 10_000;
  private static final Reading UNREADABLE = new Reading.Unreadable();

  private final Connection connection;
  private final Connections pool;
  private final Vendor vendor;
  private final Duration timeout;
  private final OwnerLog log;
  private final Deadlines deadlines;
  private final Optional<KeptStatements> kept;
  private final Ground ground;
  private Stop stop = new Stop();
  private boolean toldUnreadable;
  private boolean broken;

  /**
   * @param kept where plans are kept, if they may be
   */
  JdbcSession(
      Connection connection,
      Connections pool,
      Vendor vendor,
      Duration timeout,
      Deadlines deadlines,
      Optional<KeptStatements> kept,
      Ground ground,
      OwnerLog log) {
    this.connection = connection;
    this.pool = pool;
    this.vendor = vendor;
    this.timeout = timeout;
    this.log = log;
    this.deadlines = deadlines;
    this.kept = kept;
    this.ground = ground;
  }

  /** What lies below a database that moved is the owner's act, and may show. */
  static void require(Ground ground) {
    if (!ground.stands()) {
      throw DatabaseError.lost(
          "The file of the database was replaced or written to while it was open.",
          "It has to be opened again; a server does that by itself within seconds. What was read of"
              + " it is not used.");
    }
  }

  @Override
  public void heed(Stop wish) {
    stop = wish;
  }

  @Override
  public void run(String sql, RowReader reader) {
    run(sql, FETCHED_TOGETHER, reader);
  }

  @Override
  public boolean runWhole(String sql, int most, RowReader reader) {
    if (!vendor.streamsAlone()) {
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
    DeepStack.<Void, RuntimeException>over(
        sql,
        () -> {
          runHere(sql, fetched, reader);
          return null;
        });
  }

  private void runHere(String sql, int fetched, RowReader reader) {
    boolean late = false;
    boolean stopped = false;
    try (OneStatement one = statement(sql);
        Deadlines.Deadline deadline = deadlines.of(one.statement(), timeout);
        Stop.Interruptible ignored = stop.over(one.statement())) {
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
        stopped = stop.isWanted();
        throw e;
      }
    } catch (SQLException e) {
      if (stopped) {
        throw new Stopped();
      }
      if (late || vendor.isTimeout(e)) {
        log.failure("timed out: " + sql, e);
        throw new DatabaseTimeout();
      }
      log.failure("failed: " + sql, e);
      require(ground);
      if (vendor.isRedefined(e)) {
        throw new Moved();
      }
      broken |= vendor.isLost(e);
      throw broken ? lost() : opaque();
    }
    require(ground);
  }

  private OneStatement statement(String sql) throws SQLException {
    return kept.isPresent() ? kept.get().of(connection, sql) : OneStatement.fresh(connection, sql);
  }

  @Override
  public Reading value(ResultSet row, int index, Type type) {
    try {
      Object value = vendor.value(row, index, type);
      return value == null
          ? new Reading.Value(null)
          : OneForm.of(type, value).<Reading>map(Reading.Value::new).orElse(UNREADABLE);
    } catch (SQLException | RuntimeException e) {
      unreadable(e);
      return UNREADABLE;
    }
  }

  @Override
  public Optional<BigDecimal> number(ResultSet row, int index) {
    try {
      return Optional.ofNullable(vendor.number(row, index)).filter(JdbcSession::isComputable);
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
      vendor.endSnapshot(connection);
    } catch (SQLException e) {
      broken = true;
      log.failure("rollback", e);
    } finally {
      pool.giveBack(connection, broken);
    }
  }
}
