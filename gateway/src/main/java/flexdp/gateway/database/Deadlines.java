package flexdp.gateway.database;

import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Cancels statements that take too long, the reading of their rows included. Drivers differ in what
 * their own timeout covers; SQLite's does not stop a statement at all.
 */
final class Deadlines implements AutoCloseable {
  private final ScheduledThreadPoolExecutor alarms =
      new ScheduledThreadPoolExecutor(
          1,
          task -> {
            Thread thread = new Thread(task, "flexdp-deadlines");
            thread.setDaemon(true);
            return thread;
          });

  Deadlines() {
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
