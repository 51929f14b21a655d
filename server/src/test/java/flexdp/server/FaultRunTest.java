package flexdp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.server.engine.Charge;
import flexdp.server.engine.GatewayEngine;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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

  private static final BigDecimal PORTION = new BigDecimal("20");

  @TempDir Path folder;

  @Test
  @Tag("nightly")
  @Timeout(1_200)
  void sixKillsAndThreeRestarts() throws Exception {
    run(Duration.ZERO, 6, 3, Duration.ofMillis(5));
  }

  /**
   * Round after round. {@code -Dflexdp.soak.minutes} and {@code -Dflexdp.soak.pause}, in
   * milliseconds between questions, leave others some of the machine.
   */
  @Test
  @Tag("soak")
  void halfAnHour() throws Exception {
    Duration least = Duration.ofMinutes(Long.getLong("flexdp.soak.minutes", 30));
    run(least, 6, 3, Duration.ofMillis(Long.getLong("flexdp.soak.pause", 5)));
  }

  private void run(Duration least, int kills, int restarts, Duration pause) throws Exception {
    long end = System.nanoTime() + least.toNanos();
    List<Asker> all = new ArrayList<>();
    Path diary = Path.of("target", "fault-run.txt");
    Files.writeString(diary, "");
    try (MortalPostgres postgres = new MortalPostgres(folder.resolve("data"))) {
      Path policy = postgres.policy(folder, "0.1", PORTION.toPlainString());
      Owner owner = new Owner(policy, Optional.empty(), PORTION);
      try (ServerProcess server = new ServerProcess(policy, Optional.empty())) {
        long before = 0;
        for (int round = 1; round == 1 || System.nanoTime() < end; round++) {
          owner.again();
          List<Asker> askers = new ArrayList<>();
          List<Thread> threads = begin(askers, List.of(server, server), owner, pause, 100L * round);
          faults(server, postgres, askers, kills, restarts, new Random(round));
          before = round == 1 ? server.memory() : before;
          answersComeAgain(askers, askers.size());
          Await.until(() -> left(askers) > 0, "somebody leaves in the middle");
          owner.enough();
          untilTheBudgetIsSpent(askers, threads);
          long memory = server.memory();
          // The same number of questions again would need as much more, if anything were kept.
          assertTrue(memory < before + (60L << 20), "memory grows");
          end(askers, threads);
          all.addAll(askers);
          int charges = expect(policy, Optional.empty(), all, owner.given());
          Files.writeString(
              diary,
              String.format(
                  Locale.ROOT,
                  "round %d: %d answers, %d charges, %d grants, %d MB%n",
                  round,
                  delivered(all),
                  charges,
                  owner.grants(),
                  memory >> 20),
              StandardOpenOption.APPEND);
        }
      }
    }
  }

  /** One after the other, most of them in the middle of work, some before it is taken up again. */
  private static void faults(
      ServerProcess server,
      MortalPostgres postgres,
      List<Asker> askers,
      int kills,
      int restarts,
      Random random)
      throws Exception {
    List<Boolean> faults = new ArrayList<>(); // whether the server is killed
    for (int i = 0; i < kills + restarts; i++) {
      faults.add(i < kills);
    }
    java.util.Collections.shuffle(faults, random);
    for (boolean killed : faults) {
      if (random.nextInt(4) > 0) {
        answersComeAgain(askers, 1 + random.nextInt(100));
      }
      if (killed) {
        server.kill();
        server.startAgain();
      } else {
        postgres.restart();
      }
    }
  }

  /** Everybody gets one, and all together so many. */
  private static void answersComeAgain(List<Asker> askers, int together)
      throws InterruptedException {
    int enough = delivered(askers) + together;
    Map<Asker, Integer> then = new HashMap<>();
    askers.forEach(asker -> then.put(asker, asker.delivered()));
    Await.until(
        () ->
            delivered(askers) >= enough
                && askers.stream().allMatch(asker -> asker.delivered() > then.get(asker)),
        "answers come again after all that");
  }

  /** Two analysts for each server. */
  private static List<Thread> begin(
      List<Asker> askers, List<ServerProcess> servers, Owner owner, Duration pause, long seed) {
    List<Thread> threads = new ArrayList<>();
    for (ServerProcess server : servers) {
      for (String user : List.of("ann", "ben")) {
        Asker asker = new Asker(user, server, owner, pause, seed + askers.size());
        askers.add(asker);
        threads.add(Thread.ofPlatform().daemon().start(asker));
      }
    }
    return threads;
  }

  private static void untilTheBudgetIsSpent(List<Asker> askers, List<Thread> threads)
      throws InterruptedException {
    for (Thread thread : threads) {
      Await.until(() -> !thread.isAlive(), "the budget is spent");
    }
    assertTrue(askers.stream().allMatch(Asker::isExhausted), "somebody gave up");
  }

  private static int delivered(List<Asker> askers) {
    return askers.stream().mapToInt(Asker::delivered).sum();
  }

  private static int left(List<Asker> askers) {
    return askers.stream().mapToInt(Asker::left).sum();
  }

  private static void end(List<Asker> askers, List<Thread> threads) throws InterruptedException {
    askers.forEach(Asker::stop);
    for (Thread thread : threads) {
      Await.until(() -> !thread.isAlive(), "a client ends");
    }
  }

  /** How many charges there are. */
  private static int expect(
      Path policy, Optional<String> ledger, List<Asker> askers, BigDecimal budget) {
    int count;
    try (GatewayEngine engine = GatewayEngine.open(policy, ledger, Duration.ofMinutes(5))) {
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
    for (Asker asker : askers) {
      assertTrue(EXPECTED.containsAll(asker.states()), () -> "saw " + asker.states());
    }
    return count;
  }

  @Test
  @Timeout(1_200)
  void threeServersShareALedgerAndOneIsKilled() throws Exception {
    try (MortalPostgres postgres = new MortalPostgres(folder.resolve("data"))) {
      Path policy = postgres.policy(folder, "0.1", PORTION.toPlainString());
      Optional<String> ledger = Optional.of(postgres.ledger());
      Owner owner = new Owner(policy, ledger, PORTION);
      Duration pause = Duration.ofMillis(5);
      List<Asker> askers = new ArrayList<>();
      List<Asker> lonely = new ArrayList<>();
      try (ServerProcess one = new ServerProcess(policy, ledger);
          ServerProcess two = new ServerProcess(policy, ledger)) {
        ServerProcess three = new ServerProcess(policy, ledger);
        List<Thread> threads = begin(askers, List.of(one, two), owner, pause, 3);
        List<Thread> others = begin(lonely, List.of(three), owner, pause, 30);
        answersComeAgain(lonely, 20);
        answersComeAgain(askers, 40);
        three.kill();
        answersComeAgain(askers, 40);
        end(lonely, others);
        Await.until(() -> left(askers) > 0, "somebody leaves in the middle");
        owner.enough();
        untilTheBudgetIsSpent(askers, threads);
        end(askers, threads);
      }
      askers.addAll(lonely);
      expect(policy, ledger, askers, owner.given());
    }
  }
}
