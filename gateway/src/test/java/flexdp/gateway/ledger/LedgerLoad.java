package flexdp.gateway.ledger;

import flexdp.budget.Allowance;
import flexdp.budget.Allowances;
import flexdp.gateway.Await;
import flexdp.gateway.ledger.Ledger.Reservation;
import flexdp.gateway.ledger.entry.ChargeOutcome;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Random;

/**
 * A gateway under load in a process of its own. Every line it prints is an answer that reached its
 * client: the ε that it cost.
 */
final class LedgerLoad {
  private LedgerLoad() {}

  /** Where the ledger is, its anchor, the budget, how many threads, the seed. */
  public static void main(String[] args) throws Exception {
    PrintStream client = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    client.println("started");
    Allowances allowances = Allowances.eachTable(Allowance.basic(args[2], "0"));
    try (Ledger ledger = open(args[0], Path.of(args[1]), allowances)) {
      client.println("ready");
      if (System.in.read() < 0) {
        return;
      }
      List<Thread> analysts = new ArrayList<>();
      for (int i = 0; i < Integer.parseInt(args[3]); i++) {
        Random random = new Random(Long.parseLong(args[4]) * 1000 + i);
        analysts.add(Thread.ofPlatform().start(() -> ask(ledger, random, client)));
      }
      for (Thread analyst : analysts) {
        analyst.join();
      }
      client.println("done");
    }
  }

  static Ledger open(String place, Path anchor, Allowances allowances) {
    LedgerOpening opening = new LedgerOpening(allowances, Clock.systemUTC(), anchor, false);
    return place.startsWith("jdbc:")
        ? opening.postgres(place, new Properties())
        : opening.sqlite(Path.of(place));
  }

  /** Reserve, execute, settle, return; until not even the cheapest question is covered. */
  private static void ask(Ledger ledger, Random random, PrintStream client) {
    BigDecimal epsilon = BigDecimal.valueOf(1 + random.nextInt(400), 4);
    while (true) {
      try {
        Reservation reservation = ledger.reserve(Requests.pure(epsilon.toString(), "trips"));
        pause(random);
        ledger.settle(
            reservation, random.nextInt(10) == 0 ? ChargeOutcome.FAILED : ChargeOutcome.RELEASED);
        pause(random);
        client.println(epsilon);
        epsilon = BigDecimal.valueOf(1 + random.nextInt(400), 4);
      } catch (BudgetExhausted e) {
        if (epsilon.compareTo(new BigDecimal("0.0001")) == 0) {
          return;
        }
        epsilon = new BigDecimal("0.0001");
      }
    }
  }

  private static void pause(Random random) {
    if (random.nextBoolean()) {
      Await.pause(Duration.ofNanos(random.nextInt(999_999)));
    }
  }
}
