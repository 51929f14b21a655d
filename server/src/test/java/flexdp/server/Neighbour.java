package flexdp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.gateway.pause.Pause;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Another user, who asks all the while over one connection and over new ones, reads the catalogue
 * and pays for answers. At the end nothing of it may have failed, and while others are in the way
 * it goes on.
 */
final class Neighbour implements AutoCloseable {
  private static final String USER = "ben";

  private final Demo demo;
  private final Thread thread;
  private final List<String> troubles = Collections.synchronizedList(new ArrayList<>());
  private volatile boolean over;
  private final AtomicInteger rounds = new AtomicInteger();

  private Neighbour(Demo demo) {
    this.demo = demo;
    this.thread = Thread.ofPlatform().daemon().name("neighbour").start(this::live);
  }

  static Neighbour of(Demo demo) {
    return new Neighbour(demo);
  }

  private void live() {
    try (Connection steady = demo.connect(USER);
        Statement statement = steady.createStatement()) {
      while (!over) {
        tried("free", () -> ask(statement, "SELECT COUNT(*) FROM users"));
        tried("paid", () -> fresh(statement));
        tried("catalogue", () -> ask(statement, "SELECT count(*) FROM pg_catalog.pg_class"));
        tried("login", this::anew);
        rounds.incrementAndGet();
        Pause.of(Duration.ofMillis(30));
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

  private void tried(String what, Deed deed) {
    try {
      deed.run();
    } catch (SQLException e) {
      troubles.add(
          what + " in round " + rounds.get() + ": " + e.getSQLState() + " " + e.getMessage());
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
    Await.until(() -> rounds.get() >= now + 2 || !thread.isAlive(), "the neighbour goes on");
    assertTrue(rounds.get() >= now + 2, () -> "the neighbour is gone; " + troubles);
    return this;
  }

  @Override
  public void close() throws Exception {
    Await.until(() -> rounds.get() > 0 || !thread.isAlive(), "the neighbour has asked");
    over = true;
    Await.until(() -> !thread.isAlive(), "the neighbour ends");
    assertEquals(List.of(), troubles);
  }
}
