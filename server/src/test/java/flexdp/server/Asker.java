package flexdp.server;

import flexdp.gateway.pause.Pause;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Somebody who pays for one answer after the other, over whichever connection there is, and now and
 * then leaves without a word in the middle of a question.
 */
final class Asker implements Runnable {
  private final String user;
  private final ServerProcess server;
  private final Owner owner;
  private final Random random;
  private final Duration pause;
  private final AtomicInteger delivered = new AtomicInteger();
  private final AtomicInteger left = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();
  private final Set<String> states = new ConcurrentSkipListSet<>();
  private volatile boolean over;
  private volatile boolean exhausted;

  /**
   * @param owner who is asked for more when the budget is spent
   * @param pause between questions
   */
  Asker(String user, ServerProcess server, Owner owner, Duration pause, long seed) {
    this.user = user;
    this.server = server;
    this.owner = owner;
    this.pause = pause;
    this.random = new Random(seed);
  }

  @Override
  public void run() {
    while (!over && !exhausted) {
      try (Connection connection = server.connect(user, "people")) {
        while (!over && !exhausted) {
          one(connection);
          Pause.of(pause);
        }
      } catch (SQLException e) {
        note(e);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void one(Connection connection) throws SQLException {
    if (random.nextInt(20) == 0) {
      left.incrementAndGet();
      Duration wait = Duration.ofMillis(random.nextInt(8));
      Thread.ofVirtual()
          .start(
              () -> {
                try {
                  Pause.of(wait);
                  connection.abort(Runnable::run);
                } catch (SQLException | InterruptedException e) {
                  return;
                }
              });
    }
    int grants = owner.grants();
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET flexdp.fresh = on");
      try (ResultSet rows =
          statement.executeQuery(
              "SELECT COUNT(*) FROM people WHERE id > " + random.nextInt(1_000))) {
        rows.next();
        rows.getLong(1);
        delivered.incrementAndGet();
      }
    } catch (SQLException e) {
      note(e);
      exhausted = "53400".equals(e.getSQLState()) && !owner.grantsMore(grants);
      if (connection.isClosed() || !connection.isValid(5)) {
        throw e;
      }
    }
  }

  private void note(SQLException e) {
    states.add(String.valueOf(e.getSQLState()));
    refused.incrementAndGet();
    Pause.quietly(Duration.ofMillis(20));
  }

  int delivered() {
    return delivered.get();
  }

  int left() {
    return left.get();
  }

  /** How often there was something else than an answer. */
  int refused() {
    return refused.get();
  }

  String user() {
    return user;
  }

  Set<String> states() {
    return states;
  }

  boolean isExhausted() {
    return exhausted;
  }

  void stop() {
    over = true;
  }
}
