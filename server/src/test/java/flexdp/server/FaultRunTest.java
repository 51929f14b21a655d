package flexdp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.gateway.ledger.Standing;
import flexdp.server.engine.Charge;
import flexdp.server.engine.GatewayEngine;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Analysts ask while connections break, the server is killed and the database is restarted. Every
 * answer that was delivered is charged, and no budget is exceeded.
 */
class FaultRunTest {
  /** What may be told apart from an answer: lost connections, a lost database, the budget's end. */
  private static final Set<String> EXPECTED =
      Set.of("08000", "08001", "08003", "08006", "57P01", "57P03", "58000", "58030", "53400");

  @TempDir Path folder;

  @Test
  @Timeout(300)
  void sixKillsAndThreeRestarts() throws Exception {
    run(Duration.ZERO, 6, 3, new BigDecimal("150"), 5);
  }

  /**
   * Round after round, the owner granting as much again for each. {@code -Dflexdp.soak.minutes} and
   * {@code -Dflexdp.soak.pause}, in milliseconds between questions, leave others some of the
   * machine.
   */
  @Test
  @Tag("soak")
  void halfAnHour() throws Exception {
    Duration least = Duration.ofMinutes(Long.getLong("flexdp.soak.minutes", 30));
    run(least, 6, 3, new BigDecimal("400"), Long.getLong("flexdp.soak.pause", 5));
  }

  private void run(Duration least, int kills, int restarts, BigDecimal budget, long pause)
      throws Exception {
    long end = System.nanoTime() + least.toNanos();
    List<Asker> all = new ArrayList<>();
    Path diary = Path.of("target", "fault-run.txt");
    Files.writeString(diary, "");
    try (MortalPostgres postgres = new MortalPostgres(folder.resolve("data"))) {
      Path policy = postgres.policy(folder, "0.1", budget.toPlainString());
      try (ServerProcess server = new ServerProcess(policy, Optional.empty())) {
        long before = 0;
        for (int round = 1; round == 1 || System.nanoTime() < end; round++) {
          if (round > 1) {
            grant(policy, budget);
          }
          List<Asker> askers = new ArrayList<>();
          List<Thread> threads = begin(askers, List.of(server, server), pause, 100L * round);
          faults(server, postgres, kills, restarts, new Random(round));
          before = round == 1 ? server.memory() : before;
          int then = delivered(askers);
          untilTheBudgetIsSpent(askers, threads);
          assertTrue(delivered(askers) > then, "answers come again after all that");
          long memory = server.memory();
          // The same number of questions again would need as much more, if anything were kept.
          assertTrue(memory < before + (60L << 20), "memory grows");
          end(askers, threads);
          all.addAll(askers);
          int charges =
              expect(policy, Optional.empty(), all, budget.multiply(BigDecimal.valueOf(round)));
          Files.writeString(
              diary,
              String.format(
                  Locale.ROOT,
                  "round %d: %d answers, %d charges, %d MB%n",
                  round,
                  delivered(all),
                  charges,
                  memory >> 20),
              StandardOpenOption.APPEND);
        }
      }
    }
  }

  private static void faults(
      ServerProcess server, MortalPostgres postgres, int kills, int restarts, Random random)
      throws Exception {
    List<Boolean> faults = new ArrayList<>(); // whether the server is killed
    for (int i = 0; i < kills + restarts; i++) {
      faults.add(i < kills);
    }
    java.util.Collections.shuffle(faults, random);
    for (boolean killed : faults) {
      Thread.sleep(500L + random.nextInt(1_500));
      if (killed) {
        server.kill();
        server.startAgain();
      } else {
        postgres.restart();
      }
    }
    Thread.sleep(2_000);
  }

  private static void grant(Path policy, BigDecimal epsilon) {
    try (GatewayEngine engine =
        GatewayEngine.open(policy, Optional.empty(), Duration.ofSeconds(30))) {
      Standing people =
          engine.budgets().stream().filter(s -> s.allowance().isPresent()).findFirst().get();
      engine.grant(people.account(), epsilon, BigDecimal.ZERO, "owner", "another round");
    }
  }

  /** Two analysts for each server. */
  private static List<Thread> begin(
      List<Asker> askers, List<ServerProcess> servers, long pause, long seed) {
    List<Thread> threads = new ArrayList<>();
    for (ServerProcess server : servers) {
      for (String user : List.of("ann", "ben")) {
        Asker asker = new Asker(user, server, pause, seed + askers.size());
        askers.add(asker);
        threads.add(Thread.ofPlatform().daemon().start(asker));
      }
    }
    return threads;
  }

  private static void untilTheBudgetIsSpent(List<Asker> askers, List<Thread> threads)
      throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
    assertTrue(askers.stream().allMatch(Asker::isExhausted), "somebody gave up");
  }

  private static int delivered(List<Asker> askers) {
    return askers.stream().mapToInt(Asker::delivered).sum();
  }

  private static void end(List<Asker> askers, List<Thread> threads) throws InterruptedException {
    askers.forEach(Asker::stop);
    for (Thread thread : threads) {
      thread.join(90_000);
      assertTrue(!thread.isAlive(), "a client hangs");
    }
  }

  /** How many charges there are. */
  private static int expect(
      Path policy, Optional<String> ledger, List<Asker> askers, BigDecimal budget) {
    int count;
    try (GatewayEngine engine = GatewayEngine.open(policy, ledger, Duration.ofSeconds(30))) {
      List<Charge> charges = engine.history(Optional.empty());
      BigDecimal spent =
          charges.stream().map(Charge::epsilon).reduce(BigDecimal.ZERO, BigDecimal::add);
      count = charges.size();
      assertEquals(0, spent.compareTo(budget), "spent " + spent);
      int delivered = delivered(askers);
      assertTrue(delivered <= charges.size(), delivered + " answers, " + charges.size());
      long released = charges.stream().filter(c -> c.outcome().equals("released")).count();
      assertTrue(delivered * 2 > charges.size(), delivered + " of " + charges.size());
      assertTrue(released <= charges.size());
      assertTrue(
          charges.stream().noneMatch(c -> c.outcome().equals("failed")), "taken for a failure");
    }
    assertTrue(askers.stream().anyMatch(a -> a.left() > 0), "nobody left in the middle");
    for (Asker asker : askers) {
      assertTrue(EXPECTED.containsAll(asker.states()), () -> "saw " + asker.states());
    }
    return count;
  }

  @Test
  @Timeout(300)
  void threeServersShareALedgerAndOneIsKilled() throws Exception {
    String budget = "60";
    try (MortalPostgres postgres = new MortalPostgres(folder.resolve("data"))) {
      Path policy = postgres.policy(folder, "0.1", budget);
      Optional<String> ledger = Optional.of(postgres.ledger());
      List<Asker> askers = new ArrayList<>();
      List<Asker> lonely = new ArrayList<>();
      try (ServerProcess one = new ServerProcess(policy, ledger);
          ServerProcess two = new ServerProcess(policy, ledger)) {
        ServerProcess three = new ServerProcess(policy, ledger);
        List<Thread> threads = begin(askers, List.of(one, two), 5, 3);
        List<Thread> others = begin(lonely, List.of(three), 5, 30);
        while (delivered(lonely) < 20 || delivered(askers) < 40) {
          Thread.sleep(20);
        }
        three.kill();
        int then = delivered(askers);
        end(lonely, others);
        untilTheBudgetIsSpent(askers, threads);
        assertTrue(delivered(askers) > then, "the others go on");
        end(askers, threads);
      }
      askers.addAll(lonely);
      expect(policy, ledger, askers, new BigDecimal(budget));
    }
  }
}
