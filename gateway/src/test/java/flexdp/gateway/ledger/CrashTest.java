package flexdp.gateway.ledger;

import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Account;
import flexdp.budget.Allowance;
import flexdp.budget.Allowances;
import flexdp.gateway.Await;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * SIGKILL to gateways under load. After each one the ledger opens by itself, its chain is whole,
 * and it holds at least the charges of all answers that were counted outside.
 */
class CrashTest {
  private static final String BUDGET = "1000000";
  private static final Allowances ALLOWANCES = Allowances.eachTable(Allowance.basic(BUDGET, "0"));

  @TempDir Path folder;

  @Test
  void noAnswerWithoutACharge() throws Exception {
    killed(15, 20260101);
  }

  @Test
  @Tag("nightly")
  void noAnswerWithoutAChargeFiftyTimes() throws Exception {
    killed(50, 20260101);
  }

  @Test
  @Tag("soak")
  void noAnswerWithoutAChargeManyTimes() throws Exception {
    killed(500, 20260102);
  }

  private void killed(int times, long seed) throws Exception {
    Path file = folder.resolve("p.ledger");
    Random random = new Random(seed);
    BigDecimal answered = BigDecimal.ZERO;
    int answers = 0;
    int kills = 0;
    while (kills < times) {
      List<LoadProcess> gateways = new ArrayList<>();
      for (int i = random.nextInt(3) == 0 ? 2 : 1; i > 0; i--) {
        gateways.add(
            new LoadProcess(
                file.toString(), Anchor.beside(file), BUDGET, 8, random.nextInt(1_000_000)));
      }
      if (random.nextInt(5) == 0) {
        // While it opens the ledger, or soon after.
        gateways.forEach(LoadProcess::awaitStarted);
        Await.pause(Duration.ofMillis(random.nextInt(300)));
      } else {
        for (LoadProcess gateway : gateways) {
          assertTrue(gateway.awaitReady(), "a clean start after " + kills + " kills");
        }
        for (LoadProcess gateway : gateways) {
          gateway.go();
        }
        gateways.getFirst().awaitAnswers(random.nextInt(30));
        Await.pause(Duration.ofMillis(random.nextInt(50)));
      }
      for (LoadProcess gateway : gateways) {
        gateway.kill();
        kills++;
        Await.pause(Duration.ofMillis(random.nextInt(20)));
      }
      for (LoadProcess gateway : gateways) {
        gateway.await();
        answered = answered.add(gateway.answered());
        answers += gateway.answers();
      }
      try (Ledger ledger = LedgerLoad.open(file.toString(), Anchor.beside(file), ALLOWANCES)) {
        BigDecimal charged = ledger.standing(new Account.Table("trips")).spent().epsilon();
        String sums = "charged " + charged + ", answered " + answered + " after " + kills;
        assertTrue(charged.compareTo(answered) >= 0, sums);
        // Each thread of a killed process leaves at most one charge without an answer.
        BigDecimal most = answered.add(new BigDecimal("0.04").multiply(new BigDecimal(8L * kills)));
        assertTrue(charged.compareTo(most) <= 0, sums);
      }
    }
    assertTrue(answers > 5 * times, "under load: " + answers + " answers");
  }
}
