package flexdp.gateway.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Account;
import flexdp.budget.Allowance;
import flexdp.budget.Allowances;
import flexdp.budget.Cost;
import flexdp.failure.ConfigurationError;
import flexdp.failure.DatabaseError;
import flexdp.gateway.ledger.WatchRegister.WatchState;
import flexdp.gateway.ledger.entry.ChargeOutcome;
import flexdp.gateway.ledger.entry.ChargeRequest;
import flexdp.gateway.ledger.entry.WatchStep;
import flexdp.policy.Policy;
import flexdp.policy.Policy.BudgetWindow;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A watch is a charge that stays open, and counts for as long as it may tell something. */
class WatchRegisterTest {
  private static final Allowances WEEKLY =
      Allowances.eachTable(
          new Allowance(
              new BigDecimal(100),
              BigDecimal.ZERO,
              Policy.Composition.BASIC,
              Optional.of(BudgetWindow.days(7))));

  @TempDir Path folder;
  private final MovableClock clock = new MovableClock(Instant.parse("2026-11-02T00:00:00Z"));

  private Ledger open() {
    Path file = folder.resolve("p.ledger");
    return new LedgerOpening(WEEKLY, clock, Anchor.beside(file), false).sqlite(file);
  }

  private static ChargeRequest request(String analyst) {
    return new ChargeRequest(
        analyst,
        Set.of(),
        "SELECT COUNT(*) FROM t",
        Set.of("t"),
        ChargeRequest.WATCH,
        Cost.pure(BigDecimal.ONE),
        "snapshot-1");
  }

  private static BigDecimal spent(Ledger ledger) {
    return ledger.standing(new Account.Table("t")).spent().epsilon();
  }

  @Test
  void underAWindowItCountsUntilItIsClosedAndThenForAWindowMore() {
    long charge;
    try (Ledger ledger = open()) {
      charge = ledger.watches().arm(request("ann"), "w", "seal");
      ledger.settle(ledger.reserve(Requests.pure("2", "t")), ChargeOutcome.RELEASED);
      assertEquals(0, new BigDecimal(3).compareTo(spent(ledger)));
      clock.advance(Duration.ofDays(30));
      assertEquals(0, BigDecimal.ONE.compareTo(spent(ledger)), "only the watch is left");
    }
    try (Ledger ledger = open()) {
      assertEquals(0, BigDecimal.ONE.compareTo(spent(ledger)), "read again");
      ledger.watches().close(charge, ChargeOutcome.CANCELLED, Set.of());
      clock.advance(Duration.ofDays(6));
      assertEquals(0, BigDecimal.ONE.compareTo(spent(ledger)), "it may have told until then");
      clock.advance(Duration.ofDays(2));
      assertEquals(0, BigDecimal.ZERO.compareTo(spent(ledger)));
    }
    try (Ledger ledger = open()) {
      assertEquals(0, BigDecimal.ZERO.compareTo(spent(ledger)), "read again");
    }
  }

  @Test
  void stepsAreReadAgainInOrder() {
    try (Ledger ledger = open()) {
      WatchRegister book = ledger.watches();
      long charge = book.arm(request("ann"), "a name", "seal");
      book.begin(charge, "2026-11-02T00:00", 2);
      book.end(charge, "2026-11-02T00:00", Optional.empty(), 2);
      book.begin(charge, "2026-11-09T00:00", 2);
      book.end(charge, "2026-11-09T00:00", Optional.of(new BigDecimal("12.50")), 2);
      book.begin(charge, "2026-11-16T00:00", 2);
    }
    try (Ledger ledger = open()) {
      WatchState state = ledger.watches().all().getFirst();
      assertEquals("a name", state.name());
      assertEquals("seal", state.seal());
      assertEquals(1, state.hits());
      assertEquals(3, state.turns().size());
      assertEquals(Optional.of(new BigDecimal("12.50")), state.turns().get(1).gap());
      assertEquals(WatchStep.BEGUN, state.last().orElseThrow().step());
      assertTrue(state.isOpen());
      assertEquals(1, Audit.of(ledger).unsettled());
    }
  }

  @Test
  void noTurnBeginsTwiceNorAfterTheLastHitNorBeforeAnother() {
    try (Ledger ledger = open()) {
      WatchRegister book = ledger.watches();
      long charge = book.arm(request("ann"), "w", "seal");
      book.begin(charge, "2026-11-09T00:00", 1);
      assertThrows(ConfigurationError.class, () -> book.begin(charge, "2026-11-09T00:00", 1));
      assertThrows(ConfigurationError.class, () -> book.begin(charge, "2026-11-02T00:00", 1));
      assertTrue(book.end(charge, "2026-11-09T00:00", Optional.of(BigDecimal.ONE), 1));
      assertThrows(ConfigurationError.class, () -> book.begin(charge, "2026-11-16T00:00", 1));
      book.close(charge, ChargeOutcome.RELEASED, Set.of());
      book.close(charge, ChargeOutcome.RELEASED, Set.of());
      assertThrows(ConfigurationError.class, () -> book.begin(charge, "2026-11-16T00:00", 5));
      assertEquals(0, Audit.of(ledger).unsettled());
    }
  }

  /** One process looks slowly, the other looks in the next period meanwhile. */
  @Test
  void afterTheLastHitNothingIsToldOfATurnThatHadBegunBefore() {
    for (Optional<BigDecimal> late :
        List.of(Optional.of(BigDecimal.TEN), Optional.<BigDecimal>empty())) {
      String name = "w" + late.isPresent();
      try (Ledger ledger = open()) {
        WatchRegister book = ledger.watches();
        long charge = book.arm(request("ann"), name, "seal");
        book.begin(charge, "2026-11-02T00:00", 1);
        book.begin(charge, "2026-11-09T00:00", 1);
        assertTrue(book.end(charge, "2026-11-09T00:00", Optional.of(BigDecimal.ONE), 1));
        assertTrue(book.end(charge, "2026-11-02T00:00", late, 1));
        WatchState state =
            book.all().stream().filter(w -> w.name().equals(name)).findFirst().orElseThrow();
        assertEquals(1, state.hits());
        assertEquals(WatchStep.LOST, state.turns().getFirst().step());
        assertEquals(Optional.empty(), state.turns().getFirst().gap());
      }
    }
  }

  @Test
  void whatFailedWhileWatchingIsNotRunAgainByAnybody() {
    try (Ledger ledger = open()) {
      WatchRegister book = ledger.watches();
      long charge = book.arm(request("ann"), "w", "seal");
      book.begin(charge, "2026-11-09T00:00", 1);
      book.close(charge, ChargeOutcome.FAILED, Set.of("meaning"));
      assertThrows(
          DatabaseError.class,
          () -> ledger.reserve(Requests.pure("1", "t").measuring(Set.of("meaning"))));
      assertThrows(
          DatabaseError.class, () -> book.permit(request("bob").measuring(Set.of("meaning"))));
      assertEquals(1, ledger.failures().get("ann").recent());
      assertEquals(1, FailedQuestion.of(ledger).size());
    }
  }

  /** A failure that nobody counts could be seen again and again. */
  @Test
  void whoClosesItSecondIsToldThatNothingIsOnRecord() {
    try (Ledger ledger = open();
        Ledger other = open()) {
      long charge = ledger.watches().arm(request("ann"), "w", "seal");
      assertTrue(other.watches().close(charge, ChargeOutcome.CANCELLED, Set.of()));
      assertFalse(ledger.watches().close(charge, ChargeOutcome.FAILED, Set.of("meaning")));
      assertEquals(0, FailedQuestion.of(ledger).size());
    }
  }

  @Test
  void manyWhoCloseItAtOnceAreToldNoErrorAndOneOfThemHasDoneIt() throws Exception {
    try (Ledger ledger = open();
        Ledger other = open();
        var threads = Executors.newFixedThreadPool(8)) {
      for (int round = 0; round < 10; round++) {
        long charge = ledger.watches().arm(request("ann"), "w", "seal");
        List<Callable<Boolean>> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
          WatchRegister book = (i % 2 == 0 ? ledger : other).watches();
          all.add(() -> book.close(charge, ChargeOutcome.CANCELLED, Set.of()));
        }
        int closed = 0;
        for (Future<Boolean> one : threads.invokeAll(all)) {
          closed += one.get() ? 1 : 0;
        }
        assertEquals(1, closed);
      }
    }
  }

  @Test
  void underAWindowWhatCameTooLateForItsNameDoesNotCountForEver() {
    try (Ledger ledger = open()) {
      WatchRegister book = ledger.watches();
      long first = book.arm(request("ann"), "w", "seal");
      assertThrows(ConfigurationError.class, () -> book.arm(request("ann"), "w", "other"));
      assertEquals(0, new BigDecimal(2).compareTo(spent(ledger)), "it stays charged");
      book.close(first, ChargeOutcome.CANCELLED, Set.of());
      clock.advance(Duration.ofDays(8));
      assertEquals(0, BigDecimal.ZERO.compareTo(spent(ledger)));
      assertEquals(0, Audit.of(ledger).unsettled());
    }
    try (Ledger ledger = open()) {
      assertEquals(0, BigDecimal.ZERO.compareTo(spent(ledger)), "read again");
    }
  }

  @Test
  void anArmedWatchKeepsNobodyFromAskingTheSame() {
    try (Ledger ledger = open()) {
      ledger.watches().arm(request("ann"), "w", "seal");
      clock.advance(Duration.ofDays(2));
      ledger.reserve(Requests.pure("1", "t").measuring(Set.of("meaning")));
    }
  }
}
