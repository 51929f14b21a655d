package flexdp.gateway.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Account;
import flexdp.budget.Allowance;
import flexdp.budget.Allowances;
import flexdp.gateway.ledger.entry.ChargeOutcome;
import flexdp.policy.Policy;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A thread that is interrupted takes the ledger from nobody. */
class InterruptedLedgerTest {
  private static final Allowances TEN =
      Allowances.eachTable(
          new Allowance(
              BigDecimal.TEN, BigDecimal.ZERO, Policy.Composition.BASIC, Optional.empty()));

  @TempDir Path folder;

  @Test
  void chargesGoOnWhenAThreadIsInterruptedAndAfter() {
    Path file = folder.resolve("p.ledger");
    for (int opened = 0; opened < 2; opened++) {
      try (Ledger ledger =
          new LedgerOpening(TEN, Clock.systemUTC(), Anchor.beside(file), false).sqlite(file)) {
        Thread.currentThread().interrupt();
        ledger.settle(ledger.reserve(Requests.pure("1", "t")), ChargeOutcome.RELEASED);
        assertTrue(Thread.interrupted(), "it is still known");
        ledger.settle(ledger.reserve(Requests.pure("1", "t")), ChargeOutcome.RELEASED);
        BigDecimal spent = ledger.standing(new Account.Table("t")).spent().epsilon();
        assertEquals(0, BigDecimal.valueOf(2 * (opened + 1)).compareTo(spent));
      }
    }
  }
}
