package flexdp.gateway.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Account;
import flexdp.budget.Allowance;
import flexdp.budget.Allowances;
import flexdp.policy.Policy;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is left is what was not spent; one answer may have less of it. */
class BalanceTest {
  @TempDir Path folder;

  @Test
  void spentAndLeftAddUpUnderEachComposition() {
    for (Policy.Composition composition : Policy.Composition.values()) {
      BigDecimal budget = new BigDecimal("20");
      Allowances allowances =
          Allowances.eachTable(
              new Allowance(budget, new BigDecimal("1e-8"), composition, Optional.empty()));
      try (Ledger ledger =
          LedgerOpening.file(folder.resolve(composition + ".ledger"), allowances, false)) {
        ledger.reserve(Requests.pure("0.5", "trips"));
        Balance balance = ledger.standing(new Account.Table("trips"));
        BigDecimal left = balance.epsilonLeft().orElseThrow();
        assertEquals(0, budget.compareTo(left.add(balance.epsilonSpent())), balance::toString);
        BigDecimal next = balance.largestNext().orElseThrow();
        boolean basic = composition == Policy.Composition.BASIC;
        assertEquals(basic ? 0 : -1, next.compareTo(left), balance::toString);
        assertTrue(next.signum() > 0, balance::toString);
      }
    }
  }
}
