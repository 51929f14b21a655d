package flexdp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Another user, who asks all the while over one connection and over new ones, reads the catalogue
 * and pays for answers. At the end nothing of it may have failed or taken long.
 */
final class Neighbour implements AutoCloseable {
  private static final String USER = "ben";

  private final Demo demo;
  private final Thread thread;
  private final List<String> troubles = Collections.synchronizedList(new ArrayList<>());
  private final long patience;
  private volatile boolean over;
  private final AtomicInteger rounds = new AtomicInteger();

  private Neighbour(Demo demo, long patienceMillis) {
    this.demo = demo;
    this.patience = patienceMillis;
    this.thread = Thread.ofPlatform().daemon().name("neighbour").start(this::live);
  }

  /** Somebody who is content with answers within ten seconds: the machine may be busy otherwise. */
  static Neighbour of(Demo demo) {
    return new Neighbour(demo, 10_000);
  }

  private void live() {
    try (Connection steady = demo.connect(USER);
        Statement statement = steady.createStatement()) {
      while (!over) {
        timed("free", () -> ask(statement, "SELECT COUNT(*) FROM users"));
        timed("paid", () -> fresh(statement));
        timed("catalogue", () -> ask(statement, "SELECT count(*) FROM pg_catalog.pg_class"));
        timed("login", this::anew);
        rounds.incrementAndGet();
        Thread.sleep(30);
      }
    } catch (SQLException e) {
      troubles.add("connection: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private interface Deed {
    void run() throws SQLException;
  }

  private void timed(String what, Deed deed) {
    long begun = System.nanoTime();
    try {
      deed.run();
    } catch (SQLException e) {
      troubles.add(
          what + " in round " + rounds.get() + ": " + e.getSQLState() + " " + e.getMessage());
    }
    long millis = (System.nanoTime() - begun) / 1_000_000;
    if (millis > patience) {
      troubles.add(what + " took " + millis + " ms");
    }
  }

  private void anew() throws SQLException {
    try (Connection fresh = demo.connect(USER);
        Statement statement = fresh.createStatement()) {
      ask(statement, "SELECT COUNT(*) FROM users");
    }
  }

  private static void fresh(Statement statement) throws SQLException {
    statement.execute("SET flexdp.fresh = on");
    ask(statement, "SELECT COUNT(*) FROM drivers");
    statement.execute("RESET flexdp.fresh");
  }

  private static void ask(Statement statement, String sql) throws SQLException {
    try (ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
    }
  }

  /** Waits until everything was done once more since now. */
  Neighbour goesOn() throws InterruptedException {
    int now = rounds.get();
    for (int i = 0; i < 2_000 && rounds.get() < now + 2 && thread.isAlive(); i++) {
      Thread.sleep(20);
    }
    assertTrue(rounds.get() >= now + 2, () -> "the neighbour hangs; " + troubles);
    return this;
  }

  @Override
  public void close() throws Exception {
    over = true;
    thread.join(30_000);
    assertEquals(List.of(), troubles);
    assertTrue(rounds.get() > 0, "the neighbour had no time to ask");
  }
}
