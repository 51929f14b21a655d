package flexdp.gateway.database;

import flexdp.failure.TimeBudget;
import flexdp.gateway.database.Session.DatabaseTimeout;
import flexdp.gateway.pause.Pause;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;

/**
 * The caller's wish that a question stop; once wished it stays so. It interrupts the statement that
 * runs, lets none begin, and gives no charge back.
 */
public final class CancellationToken {
  private static final Duration AGAIN = Duration.ofMillis(50);

  private boolean wanted;

  /** When the last statement ended. */
  private volatile long ended = System.nanoTime();

  private Optional<Runnable> running = Optional.empty();

  /** The question stops soon, if it has not ended. */
  public synchronized void now() {
    if (!wanted) {
      wanted = true;
      Thread.ofVirtual().name("flexdp-stop").start(this::insist);
    }
  }

  /** Drivers ignore a wish that comes before the database has the statement: it is said again. */
  private void insist() {
    try {
      while (interrupted()) {
        Pause.of(AGAIN);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether something ran. Holding the lock, it hits no statement but the one that it means. */
  private synchronized boolean interrupted() {
    running.ifPresent(Runnable::run);
    return running.isPresent();
  }

  /** Something that may be interrupted until it is closed. */
  public final class Interruptible implements AutoCloseable {
    private Interruptible(Runnable interrupt) {
      running = Optional.of(interrupt);
    }

    @Override
    public void close() {
      synchronized (CancellationToken.this) {
        running = Optional.empty();
        ended = System.nanoTime();
      }
    }
  }

  /**
   * @throws QueryCancelled when it is too late to begin
   */
  public Interruptible over(Statement statement) {
    return over(
        () -> {
          try {
            statement.cancel();
          } catch (SQLException e) {
            return; // it has ended by itself
          }
        });
  }

  /**
   * Something else than a statement.
   *
   * @param interrupt is called again and again until it has ended
   * @throws QueryCancelled when it is too late to begin
   */
  public synchronized Interruptible over(Runnable interrupt) {
    if (wanted) {
      throw new QueryCancelled();
    }
    return new Interruptible(interrupt);
  }

  /**
   * What whoever plans a question looks at now and then: throws once this is wished, or when no
   * statement has run for so long. Statements have their own deadlines.
   */
  public TimeBudget.Waiting within(Duration timeout) {
    return new TimeBudget.Waiting() {
      private long begun = System.nanoTime();
      private long left;

      @Override
      public void run() {
        check();
        long last = ended;
        if (System.nanoTime() - (last - begun > 0 ? last : begun) > timeout.toNanos()) {
          throw new DatabaseTimeout();
        }
      }

      @Override
      public void aside() {
        left = System.nanoTime();
      }

      /**
       * Begins later by as much as it was away; what a statement ended before that is longer ago.
       */
      @Override
      public void back() {
        long last = ended;
        begun = (last - begun > 0 ? last : begun) + System.nanoTime() - left;
      }
    };
  }

  /**
   * @throws QueryCancelled when it is wished
   */
  public void check() {
    if (isWanted()) {
      throw new QueryCancelled();
    }
  }

  synchronized boolean isWanted() {
    return wanted;
  }

  /** The caller wished the question to stop. */
  public static final class QueryCancelled extends RuntimeException {
    private static final long serialVersionUID = 1L;

    QueryCancelled() {
      super("the question was cancelled", null, false, false);
    }
  }
}
