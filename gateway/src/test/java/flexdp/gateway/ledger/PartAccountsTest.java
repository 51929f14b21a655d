package flexdp.gateway.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Account;
import flexdp.budget.Allowance;
import flexdp.budget.Allowances;
import flexdp.budget.ChargedPartitions;
import flexdp.budget.Cost;
import flexdp.gateway.ledger.entry.ChargeRequest;
import flexdp.gateway.ledger.entry.LedgerEvent;
import flexdp.policy.Policy;
import flexdp.policy.Policy.BudgetWindow;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Parallel composition: parts of a table pay each for itself, and nothing is forgotten. */
class PartAccountsTest {
  private static final Account TRIPS = new Account.Table("trips");
  private static final String MONTHS = "day month date";

  @TempDir Path folder;

  private Ledger open(Allowances allowances) {
    return LedgerOpening.file(folder.resolve("p.ledger"), allowances, false);
  }

  private Ledger open(String epsilon) {
    return open(Allowances.eachTable(Allowance.basic(epsilon, "1e-6")));
  }

  private static ChargeRequest parts(String epsilon, String by, String... names) {
    return Requests.pure(epsilon, "trips")
        .reading(Map.of("trips", new ChargedPartitions(by, new TreeSet<>(Set.of(names)))));
  }

  private static ChargeRequest month(String epsilon, String... names) {
    return parts(epsilon, MONTHS, names);
  }

  private static void assertSpent(String epsilon, Balance balance) {
    assertEquals(
        0, new BigDecimal(epsilon).compareTo(balance.spent().epsilon()), balance::toString);
  }

  @Test
  void twentyFourDisjointMonthsCostOne() {
    try (Ledger ledger = open("0.5")) {
      for (int i = 0; i < 24; i++) {
        ledger.reserve(month("0.5", "m" + i));
      }
      assertSpent("0.5", ledger.standing(TRIPS));
      assertEquals(24, ledger.standing(TRIPS).charges());
      assertEquals(24, ledger.standing(TRIPS).parts().get(MONTHS).size());
      assertSpent("12", ledger.standing(new Account.Analyst("ann")));
      for (int i = 0; i < 24; i++) {
        int m = i;
        BudgetExhausted refusal =
            assertThrows(BudgetExhausted.class, () -> ledger.reserve(month("0.01", "m" + m)));
        assertTrue(refusal.getMessage().contains("part m" + m), refusal.getMessage());
      }
      assertThrows(BudgetExhausted.class, () -> ledger.reserve(Requests.pure("0.01", "trips")));
      ledger.reserve(month("0.5", "later"));
    }
  }

  @Test
  void aQuestionAboutAllIsPaidByEveryPart() {
    try (Ledger ledger = open("1")) {
      ledger.reserve(month("0.4", "a"));
      ledger.reserve(Requests.pure("0.5", "trips"));
      assertSpent("0.9", ledger.standing(TRIPS));
      assertThrows(BudgetExhausted.class, () -> ledger.reserve(month("0.2", "a")));
      assertThrows(BudgetExhausted.class, () -> ledger.reserve(month("0.2", "a", "b")));
      ledger.reserve(month("0.5", "b"));
      assertThrows(BudgetExhausted.class, () -> ledger.reserve(Requests.pure("0.05", "trips")));
      assertThrows(BudgetExhausted.class, () -> ledger.reserve(month("0.6", "new")));
      ledger.reserve(month("0.5", "new"));
    }
  }

  @Test
  void partsAreReadAgainAfterARestart() {
    try (Ledger ledger = open("1")) {
      ledger.reserve(month("0.4", "a", "b"));
      ledger.reserve(month("0.5", "b"));
    }
    try (Ledger ledger = open("1")) {
      assertSpent("0.9", ledger.standing(TRIPS));
      assertThrows(BudgetExhausted.class, () -> ledger.reserve(month("0.2", "b")));
      ledger.reserve(month("0.6", "a"));
      List<Map<String, ChargedPartitions>> recorded = new ArrayList<>();
      ledger.read(
          entry -> {
            if (entry.event() instanceof LedgerEvent.Reserved reserved) {
              recorded.add(reserved.request().parts());
            }
          });
      assertEquals(3, recorded.size());
      assertEquals(Set.of("a", "b"), recorded.get(0).get("trips").names());
      assertEquals(3, Audit.of(ledger).parted());
    }
  }

  /** A row is in one month and in one city, so both count for it, whichever the policy has now. */
  @Test
  void anotherPartitionForgetsNothing() {
    try (Ledger ledger = open("1")) {
      ledger.reserve(month("0.4", "a"));
      ledger.reserve(month("0.3", "b"));
      ledger.reserve(parts("0.5", "city_id integer", "1"));
      assertSpent("0.9", ledger.standing(TRIPS));
      assertThrows(
          BudgetExhausted.class, () -> ledger.reserve(parts("0.2", "city_id integer", "1")));
      assertThrows(
          BudgetExhausted.class, () -> ledger.reserve(parts("0.7", "city_id integer", "2")));
      ledger.reserve(parts("0.5", "city_id integer", "2"));
      // Back to months: the most that a city has spent counts for all of them.
      assertThrows(BudgetExhausted.class, () -> ledger.reserve(month("0.6", "c")));
      ledger.reserve(month("0.5", "c"));
      assertThrows(BudgetExhausted.class, () -> ledger.reserve(Requests.pure("0.01", "trips")));
    }
  }

  @Test
  void everyCompositionCountsByParts() {
    for (Policy.Composition composition : Policy.Composition.values()) {
      Allowance allowance =
          new Allowance(new BigDecimal("2"), new BigDecimal("1e-6"), composition, Optional.empty());
      try (Ledger ledger =
          LedgerOpening.file(
              folder.resolve(composition + ".ledger"), Allowances.eachTable(allowance), false)) {
        long alone = allowance.filter().answersLeft(flexdp.budget.TotalCost.NOTHING, cost(), 1000);
        assertTrue(alone > 3, "something can be asked");
        for (String part : List.of("a", "b", "c")) {
          for (int i = 0; i < alone; i++) {
            ledger.reserve(month("0.1", part));
          }
          assertThrows(BudgetExhausted.class, () -> ledger.reserve(month("0.1", part)));
        }
        assertThrows(BudgetExhausted.class, () -> ledger.reserve(Requests.pure("0.1", "trips")));
      }
    }
  }

  private static Cost cost() {
    return Cost.pure(new BigDecimal("0.1"));
  }

  @Test
  void aWindowForgetsPartsAsItForgetsTheRest() {
    Allowance weekly =
        new Allowance(
            BigDecimal.ONE,
            BigDecimal.ZERO,
            Policy.Composition.BASIC,
            Optional.of(BudgetWindow.days(7)));
    MovableClock clock = new MovableClock(Instant.parse("2026-01-01T00:00:00Z"));
    LedgerOpening opening =
        new LedgerOpening(Allowances.eachTable(weekly), clock, folder.resolve("p.anchor"), false);
    try (Ledger ledger = opening.sqlite(folder.resolve("p.ledger"))) {
      ledger.reserve(month("0.6", "a"));
      ledger.reserve(month("0.8", "b"));
      clock.advance(Duration.ofDays(3));
      ledger.reserve(Requests.pure("0.2", "trips"));
      assertThrows(BudgetExhausted.class, () -> ledger.reserve(month("0.1", "b")));
      clock.advance(Duration.ofDays(4));
      assertSpent("0.2", ledger.standing(TRIPS));
      ledger.reserve(month("0.8", "b"));
      assertThrows(BudgetExhausted.class, () -> ledger.reserve(month("0.1", "b")));
    }
  }

  /** Under replaced rows both the part that a row leaves and the one that it enters have lost. */
  @Test
  void chargesToPartsCountTwiceForReplacedRows() {
    Allowances terms = Allowances.eachTable(Allowance.basic("10", "1e-6"));
    try (Ledger ledger = open(terms)) {
      ledger.reserve(month("0.4", "a"));
      ledger.reserve(month("0.3", "b"));
    }
    LedgerState state = new LedgerState("p", terms.under(flexdp.policy.Neighbors.REPLACE_ONE));
    try (Ledger ledger = open(terms)) {
      ledger.read(state::add);
    }
    assertSpent("0.8", state.standing(TRIPS, Instant.now()));
  }

  /** What the second format held: all columns but the last. */
  @Test
  void aLedgerOfTheSecondFormatGoesOn() throws Exception {
    try (Ledger ledger = open("1")) {
      ledger.reserve(Requests.pure("0.4", "trips"));
    }
    try (Connection file =
            DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("p.ledger"));
        Statement statement = file.createStatement()) {
      statement.execute("ALTER TABLE entry DROP COLUMN parts");
      statement.execute("PRAGMA user_version = 2");
    }
    try (Ledger ledger = open("1")) {
      ledger.reserve(month("0.6", "a"));
      ledger.reserve(month("0.6", "b"));
      assertThrows(BudgetExhausted.class, () -> ledger.reserve(month("0.1", "a")));
      assertSpent("1", ledger.standing(TRIPS));
    }
  }

  @Test
  void twoNamesOfOneTableAreChargedTogether() {
    ChargeRequest both =
        new ChargeRequest(
            "ann",
            Set.of(),
            "q",
            Set.of("a", "b"),
            "laplace",
            cost(),
            "s",
            Set.of(),
            Map.of("a", part("1"), "b", part("2")));
    assertEquals(Set.of("1", "2"), both.charging(name -> "t").parts().get("t").names());
    assertEquals(Map.of(), both.reading(Map.of("a", part("1"))).charging(name -> "t").parts());
    assertThrows(IllegalArgumentException.class, () -> both.reading(Map.of("c", part("1"))));
  }

  private static ChargedPartitions part(String name) {
    return new ChargedPartitions(MONTHS, new TreeSet<>(Set.of(name)));
  }
}
