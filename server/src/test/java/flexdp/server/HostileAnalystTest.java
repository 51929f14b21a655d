package flexdp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.gateway.pause.Pause;
import flexdp.server.login.User;
import flexdp.server.login.Users;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Analysts who attack the server with statements beside sixteen who work: its process never ends,
 * its memory has an end, and nobody who works is refused anything. How much slower they are is
 * printed.
 */
class HostileAnalystTest {
  private static final int HONEST = 16;
  private static final int HOSTILE = 3;
  private static final long MOST_HEAP = 400L << 20;
  private static final long MOST_KILOBYTES = 1_500_000;

  @TempDir Path folder;

  private final Queue<String> troubles = new ConcurrentLinkedQueue<>();
  private final AtomicInteger attacks = new AtomicInteger();
  private volatile boolean over;

  @Test
  @Tag("nightly")
  @Timeout(900)
  void aMinute() throws Exception {
    run(Duration.ofMinutes(1));
  }

  /** {@code -Dflexdp.soak.minutes} says how many. */
  @Test
  @Tag("soak")
  void tenMinutes() throws Exception {
    run(Duration.ofMinutes(Long.getLong("flexdp.soak.minutes", 10)));
  }

  private void run(Duration time) throws Exception {
    Path policy = Demo.rides(folder, "1000000");
    List<User> users = new ArrayList<>();
    for (int i = 0; i < HONEST; i++) {
      users.add(Demo.user("honest" + i, User.Right.ANALYST, Set.of()));
    }
    for (int i = 0; i < HOSTILE; i++) {
      users.add(Demo.user("hostile" + i, User.Right.ANALYST, Set.of()));
    }
    new Users(users).write(ServiceOptions.usersBeside(policy));
    try (ServerProcess server = new ServerProcess(policy, Optional.empty())) {
      honest(server, time.dividedBy(6), 3_000_000); // what is slow the first time
      List<Long> before = honest(server, time.dividedBy(2), 0);
      List<Thread> attackers = new ArrayList<>();
      long seed = Long.getLong("flexdp.hostile.seed", 29);
      for (int i = 0; i < HOSTILE; i++) {
        String name = "hostile" + i;
        HostileStatements statements = new HostileStatements(seed + i);
        attackers.add(Thread.ofPlatform().start(() -> attack(server, name, statements)));
      }
      List<Long> beside = honest(server, time, 1_000_000);
      over = true;
      for (Thread attacker : attackers) {
        attacker.join();
      }
      List<Long> after = honest(server, Duration.ofSeconds(2), 2_000_000);
      System.out.printf(
          "%d attacks; honest: %d alone %s, %d beside %s, %d after %s%n",
          attacks.get(),
          before.size(),
          shares(before),
          beside.size(),
          shares(beside),
          after.size(),
          shares(after));
      assertTrue(attacks.get() > 0);
      assertEquals(List.of(), troubles.stream().limit(10).toList());
      assertTrue(server.memory() < MOST_HEAP, server.memory() + " bytes");
      for (long kilobytes : workers(server)) {
        assertTrue(kilobytes <= MOST_KILOBYTES, kilobytes + " kB");
      }
    }
  }

  /** What those who work wait for, in microseconds, in order. */
  private List<Long> honest(ServerProcess server, Duration time, int numbers) throws Exception {
    long end = System.nanoTime() + time.toNanos();
    Queue<Long> waits = new ConcurrentLinkedQueue<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < HONEST; i++) {
      String name = "honest" + i;
      threads.add(Thread.ofPlatform().start(() -> work(server, name, numbers, end, waits)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return waits.stream().sorted().toList();
  }

  private void work(ServerProcess server, String name, int from, long end, Queue<Long> waits) {
    try (Connection connection = server.connect(name, "rides");
        Statement statement = connection.createStatement()) {
      statement.execute("SET flexdp.epsilon = '0.001'");
      int number = from;
      do {
        number++;
        for (String sql :
            List.of(
                "SELECT COUNT(*) FROM trips WHERE fare > 0." + number,
                "SELECT COUNT(*) FROM cities",
                "SELECT relname FROM pg_catalog.pg_class WHERE oid = " + number)) {
          long begun = System.nanoTime();
          try (ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
          }
          waits.add((System.nanoTime() - begun) / 1_000);
          Pause.of(Duration.ofMillis(50));
        }
      } while (System.nanoTime() < end);
    } catch (SQLException e) {
      troubles.add(name + ": " + e.getSQLState() + " " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void attack(ServerProcess server, String name, HostileStatements statements) {
    while (!over) {
      String sql = "";
      try (Connection connection = server.connect(name, "rides");
          Statement statement = connection.createStatement()) {
        for (int i = 0; i < 20 && !over; i++) {
          sql = statements.next();
          attacks.incrementAndGet();
          one(statement, sql);
        }
      } catch (SQLException e) {
        troubles.add(e.getSQLState() + " " + e.getMessage() + " after " + start(sql));
      }
    }
  }

  private void one(Statement statement, String sql) throws SQLException {
    try {
      statement.execute(sql);
    } catch (SQLException e) {
      String state = String.valueOf(e.getSQLState());
      if (state.startsWith("XX")) {
        troubles.add(state + " by " + start(sql));
      }
      if (state.startsWith("08")) {
        throw e;
      }
    }
  }

  private static String start(String sql) {
    return sql.substring(0, Math.min(300, sql.length()));
  }

  private static String shares(List<Long> sorted) {
    return String.format(
        "p50 %.1f ms, p99 %.1f ms, most %.1f ms",
        sorted.get(sorted.size() / 2) / 1e3,
        sorted.get(sorted.size() * 99 / 100) / 1e3,
        sorted.getLast() / 1e3);
  }

  /** The most memory that each worker ever had, in kilobytes, where the system tells. */
  private static List<Long> workers(ServerProcess server) throws Exception {
    List<Long> most = new ArrayList<>();
    for (ProcessHandle child : server.children()) {
      Path status = Path.of("/proc", Long.toString(child.pid()), "status");
      if (Files.exists(status)) {
        Files.readAllLines(status).stream()
            .filter(l -> l.startsWith("VmPeak:"))
            .forEach(l -> most.add(Long.parseLong(l.replaceAll("\\D", ""))));
      }
    }
    assertTrue(most.size() <= 4, most.size() + " workers");
    return most;
  }
}
