package flexdp.server;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

/**
 * Somebody who pays for one answer after the other, over whichever connection there is, and now and
 * then leaves without a word in the middle of a question.
 */
final class Asker implements Runnable {
  private final String user;
  private final ServerProcess server;
  private final Random random;
  private final long pause;
  private int delivered;
  private int left;
  private final Set<String> states = new ConcurrentSkipListSet<>();
  private volatile boolean over;
  private volatile boolean exhausted;

  /**
   * @param pause between questions, in milliseconds
   */
  Asker(String user, ServerProcess server, long pause, long seed) {
    this.user = user;
    this.server = server;
    this.pause = pause;
    this.random = new Random(seed);
  }

  @Override
  public void run() {
    while (!over && !exhausted) {
      try (Connection connection = server.connect(user, "people")) {
        while (!over && !exhausted) {
          one(connection);
          Thread.sleep(pause);
        }
      } catch (SQLException e) {
        note(e);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void one(Connection connection) throws SQLException, InterruptedException {
    if (random.nextInt(20) == 0) {
      left++;
      Thread.ofVirtual()
          .start(
              () -> {
                try {
                  Thread.sleep(random.nextInt(8));
                  connection.abort(Runnable::run);
                } catch (SQLException | InterruptedException e) {
                  return;
                }
              });
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET flexdp.fresh = on");
      try (ResultSet rows =
          statement.executeQuery(
              "SELECT COUNT(*) FROM people WHERE id > " + random.nextInt(1_000))) {
        rows.next();
        rows.getLong(1);
        synchronized (this) {
          delivered++;
        }
      }
    } catch (SQLException e) {
      note(e);
      if (connection.isClosed() || !connection.isValid(5)) {
        throw e;
      }
    }
  }

  private void note(SQLException e) {
    states.add(String.valueOf(e.getSQLState()));
    exhausted = exhausted || "53400".equals(e.getSQLState());
    try {
      Thread.sleep(20);
    } catch (InterruptedException i) {
      Thread.currentThread().interrupt();
    }
  }

  synchronized int delivered() {
    return delivered;
  }

  int left() {
    return left;
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
