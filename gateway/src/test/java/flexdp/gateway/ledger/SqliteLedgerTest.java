package flexdp.gateway.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Account;
import flexdp.budget.Allowance;
import flexdp.budget.Allowances;
import flexdp.budget.Cost;
import flexdp.gateway.ledger.Ledger.Reservation;
import flexdp.gateway.ledger.entry.ChargeOutcome;
import flexdp.gateway.ledger.entry.LedgerEvent;
import flexdp.policy.Policy;
import flexdp.policy.Policy.BudgetWindow;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteLedgerTest {
  private static final Account TRIPS = new Account.Table("trips");
  private static final Account USERS = new Account.Table("users");

  @TempDir Path folder;

  private Ledger open(Allowances allowances) {
    return LedgerOpening.file(folder.resolve("p.ledger"), allowances, false);
  }

  private Ledger open() {
    return open(Allowances.eachTable(Allowance.basic("1", "1e-6")));
  }

  private static void assertSpent(String epsilon, Balance balance) {
    assertEquals(
        0, new BigDecimal(epsilon).compareTo(balance.spent().epsilon()), balance::toString);
  }

  @Test
  void chargesEveryTableOfAQuestion() {
    try (Ledger ledger = open()) {
      Reservation reservation = ledger.reserve(Requests.pure("0.25", "trips", "users"));
      ledger.settle(reservation, ChargeOutcome.RELEASED);
      ledger.settle(ledger.reserve(Requests.pure("0.5", "users")), ChargeOutcome.FAILED);
      assertSpent("0.25", ledger.standing(TRIPS));
      assertSpent("0.75", ledger.standing(USERS));
      assertEquals("0.25", ledger.standing(USERS).largestNext().orElseThrow().toPlainString());
      assertEquals(3, ledger.standings().size());
    }
  }

  @Test
  void spendsTheBudgetToTheLastDigitAndNoFurther() {
    try (Ledger ledger = open()) {
      for (int i = 0; i < 10; i++) {
        ledger.reserve(Requests.pure("0.1", "trips"));
      }
      BudgetExhausted refusal =
          assertThrows(
              BudgetExhausted.class, () -> ledger.reserve(Requests.pure("1e-30", "trips")));
      assertEquals(TRIPS, refusal.standing().account());
      assertTrue(refusal.getMessage().contains("epsilon 0 "), refusal.getMessage());
      ledger.reserve(Requests.pure("1", "users"));
    }
  }

  @Test
  void chargesNoAccountWhenOneCannotPay() {
    try (Ledger ledger = open()) {
      ledger.reserve(Requests.pure("0.9", "trips"));
      BudgetExhausted refusal =
          assertThrows(
              BudgetExhausted.class, () -> ledger.reserve(Requests.pure("0.2", "trips", "users")));
      assertTrue(refusal.hint().contains("at most 0.1"), refusal.hint());
      assertSpent("0", ledger.standing(USERS));
    }
  }

  @Test
  void remembersUnsettledChargesAfterRestart() {
    try (Ledger ledger = open()) {
      ledger.reserve(Requests.pure("0.25", "trips"));
      ledger.settle(ledger.reserve(Requests.pure("0.25", "trips")), ChargeOutcome.TIMED_OUT);
    }
    try (Ledger ledger = open()) {
      assertSpent("0.5", ledger.standing(TRIPS));
    }
  }

  @Test
  void settlesOnce() {
    try (Ledger ledger = open()) {
      Reservation reservation = ledger.reserve(Requests.pure("0.25", "trips"));
      ledger.settle(reservation, ChargeOutcome.CANCELLED);
      assertThrows(
          IllegalStateException.class, () -> ledger.settle(reservation, ChargeOutcome.RELEASED));
      Reservation foreign = new Reservation("another", 3);
      assertThrows(
          IllegalStateException.class, () -> ledger.settle(foreign, ChargeOutcome.RELEASED));
      assertSpent("0.25", ledger.standing(TRIPS));
    }
  }

  @Test
  void aPolicyWithoutABudgetAnswersNothingUntilTheOwnerGrants() {
    try (Ledger ledger = open(new Allowances(Optional.empty(), Map.of()))) {
      assertThrows(BudgetExhausted.class, () -> ledger.reserve(Requests.pure("0.1", "trips")));
      ledger.grant(TRIPS, new BigDecimal("0.1"), BigDecimal.ZERO, "owner", "pilot");
      ledger.reserve(Requests.pure("0.1", "trips"));
      assertThrows(BudgetExhausted.class, () -> ledger.reserve(Requests.pure("0.1", "trips")));
    }
  }

  @Test
  void limitsAnalystsAndRoles() {
    Allowances allowances =
        new Allowances(
            Optional.of(Allowance.basic("10", "0")),
            Map.of(
                new Account.Analyst("bob"), Allowance.basic("0.5", "0"),
                new Account.Role("interns"), Allowance.basic("1", "0")));
    try (Ledger ledger = open(allowances)) {
      Cost half = Cost.pure(new BigDecimal("0.5"));
      ledger.reserve(Requests.of("bob", Set.of("interns"), half, "trips"));
      assertEquals(
          new Account.Analyst("bob"),
          assertThrows(
                  BudgetExhausted.class,
                  () -> ledger.reserve(Requests.of("bob", Set.of(), half, "users")))
              .standing()
              .account());
      ledger.reserve(Requests.of("eve", Set.of("interns"), half, "trips"));
      assertEquals(
          new Account.Role("interns"),
          assertThrows(
                  BudgetExhausted.class,
                  () -> ledger.reserve(Requests.of("eve", Set.of("interns"), half)))
              .standing()
              .account());
      ledger.reserve(Requests.of("eve", Set.of(), half, "trips"));
      assertSpent("1.5", ledger.standing(TRIPS));
    }
  }

  @Test
  void aWindowForgetsWhatIsOlder() {
    Allowance weekly =
        new Allowance(
            BigDecimal.ONE,
            BigDecimal.ZERO,
            Policy.Composition.BASIC,
            Optional.of(BudgetWindow.days(7)));
    MovableClock clock = new MovableClock(Instant.parse("2026-01-01T00:00:00Z"));
    Path file = folder.resolve("p.ledger");
    LedgerOpening opening =
        new LedgerOpening(Allowances.eachTable(weekly), clock, folder.resolve("p.anchor"), false);
    try (Ledger ledger = opening.sqlite(file)) {
      ledger.reserve(Requests.pure("0.6", "trips"));
      clock.advance(Duration.ofDays(3));
      ledger.reserve(Requests.pure("0.4", "trips"));
      clock.advance(Duration.ofDays(3));
      assertThrows(BudgetExhausted.class, () -> ledger.reserve(Requests.pure("0.1", "trips")));
      clock.advance(Duration.ofDays(1));
    }
    try (Ledger ledger = opening.sqlite(file)) {
      ledger.reserve(Requests.pure("0.6", "trips"));
      assertThrows(BudgetExhausted.class, () -> ledger.reserve(Requests.pure("0.1", "trips")));
    }
  }

  @Test
  void aClockThatRanAheadForAWhileForgetsNothing() {
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
      ledger.reserve(Requests.pure("1", "trips"));
      clock.advance(Duration.ofDays(30));
      assertSpent("0", ledger.standing(TRIPS));
      clock.advance(Duration.ofDays(-30));
      assertSpent("1", ledger.standing(TRIPS));
      assertThrows(BudgetExhausted.class, () -> ledger.reserve(Requests.pure("0.1", "trips")));
    }
  }

  @Test
  void twoLedgersOnOneFileSeeEachOther() {
    try (Ledger one = open();
        Ledger other = open()) {
      one.reserve(Requests.pure("0.9", "trips"));
      assertThrows(BudgetExhausted.class, () -> other.reserve(Requests.pure("0.2", "trips")));
      Reservation last = other.reserve(Requests.pure("0.1", "trips"));
      assertThrows(BudgetExhausted.class, () -> one.reserve(Requests.pure("0.1", "trips")));
      other.settle(last, ChargeOutcome.RELEASED);
    }
  }

  @Test
  void writesFilesThatOnlyTheOwnerReads() throws Exception {
    try (Ledger ledger = open()) {
      ledger.reserve(Requests.pure("0.1", "trips"));
      try (var files = Files.list(folder)) {
        for (Path file : files.toList()) {
          assertEquals(
              "rw-------",
              PosixFilePermissions.toString(Files.getPosixFilePermissions(file)),
              file.toString());
        }
      }
    }
  }

  @Test
  void keepsEveryEntryInOrder() {
    try (Ledger ledger = open()) {
      ledger.settle(ledger.reserve(Requests.pure("0.1", "trips")), ChargeOutcome.RELEASED);
      ledger.grant(USERS, new BigDecimal("0.5"), BigDecimal.ZERO, "owner", "more");
      Cost gaussian =
          Cost.gaussian(new BigDecimal("0.5"), new BigDecimal("1e-9"), new BigDecimal("0.003"));
      ledger.reserve(Requests.of("zoë 'x'", Set.of("a,b", "c"), gaussian, "trips"));
      Cost flex = Cost.approximate(new BigDecimal("0.1"), new BigDecimal("1e-9"));
      ledger.reserve(Requests.of("ann", Set.of(), flex, "trips", "us\"ers"));
      List<String> kinds = new ArrayList<>();
      List<Cost> costs = new ArrayList<>();
      ledger.read(
          entry -> {
            kinds.add(entry.fields().get("kind"));
            if (entry.event() instanceof LedgerEvent.Reserved r) {
              costs.add(r.request().cost());
            }
          });
      assertEquals(
          List.of("opened", "declared", "reserved", "settled", "granted", "reserved", "reserved"),
          kinds);
      assertEquals(List.of(Cost.pure(new BigDecimal("0.1")), gaussian, flex), costs);
    }
  }

  @Test
  void aMonthOfTheCalendarBeginsWithTheWholeBudget() {
    Allowance monthly =
        new Allowance(
            BigDecimal.ONE,
            BigDecimal.ZERO,
            Policy.Composition.BASIC,
            Optional.of(new BudgetWindow.CalendarMonth()));
    MovableClock own = new MovableClock(Instant.parse("2026-01-31T23:59:00Z"));
    LedgerOpening opening =
        new LedgerOpening(
            Allowances.eachTable(monthly), own, folder.resolve("monthly.anchor"), false);
    try (Ledger ledger = opening.sqlite(folder.resolve("monthly.ledger"))) {
      ledger.settle(ledger.reserve(Requests.pure("0.9", "trips")), ChargeOutcome.RELEASED);
      BudgetExhausted refused =
          assertThrows(BudgetExhausted.class, () -> ledger.reserve(Requests.pure("0.9", "trips")));
      assertTrue(refused.hint().endsWith("; some comes back at 2026-02-01T00:00:00Z"));
      Balance balance = ledger.standing(new Account.Table("trips"));
      assertEquals(Optional.of(Instant.parse("2026-02-01T00:00:00Z")), balance.comesBack());
      own.advance(Duration.ofMinutes(1));
      ledger.settle(ledger.reserve(Requests.pure("0.9", "trips")), ChargeOutcome.RELEASED);
      own.advance(Duration.ofDays(27));
      assertThrows(BudgetExhausted.class, () -> ledger.reserve(Requests.pure("0.9", "trips")));
    }
  }
}
