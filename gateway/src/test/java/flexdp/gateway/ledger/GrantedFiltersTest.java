package flexdp.gateway.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Account;
import flexdp.budget.Allowance;
import flexdp.budget.Allowances;
import flexdp.failure.ConfigurationError;
import flexdp.policy.Policy;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A grant that may follow from answers begins another filter, and the slack of the old is spent.
 */
class GrantedFiltersTest {
  private static final Account TRIPS = new Account.Table("trips");
  private static final List<Policy.Composition> WITH_SLACK =
      List.of(Policy.Composition.ADAPTIVE, Policy.Composition.ZCDP);

  @TempDir Path folder;

  private Ledger open(Policy.Composition composition) {
    Allowance allowance =
        new Allowance(BigDecimal.TEN, new BigDecimal("1e-6"), composition, Optional.empty());
    Allowances allowances = new Allowances(Optional.of(allowance), Map.of());
    Path file = folder.resolve(composition + ".ledger");
    return new LedgerOpening(allowances, Clock.systemUTC(), Anchor.beside(file), false)
        .sqlite(file);
  }

  private static void grant(Ledger ledger, String epsilon, String delta) {
    ledger.grant(TRIPS, new BigDecimal(epsilon), new BigDecimal(delta), "owner", "");
  }

  private static void assertDelta(String expected, BigDecimal found) {
    assertEquals(0, new BigDecimal(expected).compareTo(found), found::toString);
  }

  @Test
  void beforeTheFirstAnswerNothingIsSpent() {
    for (Policy.Composition composition : WITH_SLACK) {
      try (Ledger ledger = open(composition)) {
        grant(ledger, "1", "0");
        grant(ledger, "1", "0");
        assertDelta("0", ledger.standing(TRIPS).spent().delta());
        ledger.reserve(Requests.pure("0.1", "trips"));
      }
    }
  }

  @Test
  void theSlackOfTheFilterBeforeStaysSpent() {
    for (Policy.Composition composition : WITH_SLACK) {
      try (Ledger ledger = open(composition)) {
        ledger.reserve(Requests.pure("0.1", "trips"));
        grant(ledger, "1", "0");
        assertDelta("5e-7", ledger.standing(TRIPS).spent().delta());
        ledger.reserve(Requests.pure("0.1", "trips"));
        ConfigurationError refused =
            assertThrows(ConfigurationError.class, () -> grant(ledger, "1", "9e-7"));
        assertTrue(refused.hint().contains("0.000001 "), refused::hint);
        grant(ledger, "1", "1e-6");
        assertDelta("1e-6", ledger.standing(TRIPS).spent().delta());
        ledger.reserve(Requests.pure("0.1", "trips"));
      }
      try (Ledger again = open(composition)) {
        assertDelta("1e-6", again.standing(TRIPS).spent().delta());
        again.reserve(Requests.pure("0.1", "trips"));
      }
    }
  }

  @Test
  void basicCompositionHasNoSlack() {
    try (Ledger ledger = open(Policy.Composition.BASIC)) {
      for (int i = 0; i < 3; i++) {
        ledger.reserve(Requests.pure("0.1", "trips"));
        grant(ledger, "1", "0");
      }
      assertDelta("0", ledger.standing(TRIPS).spent().delta());
    }
  }

  /** All slacks that filters ever had, and all δ of answers, fit into the δ of the budget. */
  @Test
  void slacksAndAnswersNeverExceedTheBudget() {
    Random random = new Random(5);
    for (Policy.Composition composition : WITH_SLACK) {
      try (Ledger ledger = open(composition)) {
        BigDecimal slacks = BigDecimal.ZERO;
        boolean answered = false;
        int grants = 0;
        for (int i = 0; i < 60; i++) {
          Balance before = ledger.standing(TRIPS);
          BigDecimal slack = before.allowance().orElseThrow().delta().divide(BigDecimal.TWO);
          if (random.nextInt(3) > 0) {
            ledger.reserve(Requests.pure("0.01", "trips"));
            answered = true;
            continue;
          }
          String delta = random.nextBoolean() ? "0" : before.allowance().get().delta() + "";
          try {
            grant(ledger, "0.5", delta);
            slacks = answered ? slacks.add(slack) : slacks;
            grants++;
          } catch (ConfigurationError refused) {
            continue;
          }
          BigDecimal most = ledger.standing(TRIPS).allowance().orElseThrow().delta();
          BigDecimal next = most.divide(BigDecimal.TWO);
          assertTrue(slacks.add(next).compareTo(most) <= 0, slacks + " and " + next);
        }
        assertTrue(grants > 5, "grants " + grants);
      }
    }
  }
}
