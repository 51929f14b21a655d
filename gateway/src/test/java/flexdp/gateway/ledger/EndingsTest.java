package flexdp.gateway.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import flexdp.budget.Allowance;
import flexdp.budget.Allowances;
import flexdp.budget.Cost;
import flexdp.failure.LedgerError;
import flexdp.gateway.Await;
import flexdp.gateway.ledger.Ledger.Reservation;
import flexdp.gateway.ledger.entry.ChargeOutcome;
import flexdp.gateway.ledger.entry.ReleasedAnswer;
import flexdp.gateway.ledger.store.SqliteStore;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a question ended reaches the disk after its answer was given. */
class EndingsTest {
  private static final Allowances ALLOWANCES = Allowances.eachTable(Allowance.basic("10", "0"));

  @TempDir Path folder;

  private Ledger open(Runnable beforeWriting) {
    Path file = folder.resolve("p.ledger");
    Path anchor = Anchor.beside(file);
    SqliteStore store = SqliteStore.open(file);
    return new LedgerOpening(ALLOWANCES, Clock.systemUTC(), anchor, false)
        .over(new ObservedStore(store, entry -> {}, beforeWriting), Anchor.read(anchor));
  }

  private static ReleasedAnswer answer(String key) {
    return new ReleasedAnswer(
        key, "s1", "ann", "laplace", Cost.pure(new BigDecimal("0.5")), "[[17]]");
  }

  private static void release(Ledger ledger, String key) {
    Reservation reservation = ledger.reserve(Requests.pure("0.5", "trips"));
    ledger.settle(reservation, ChargeOutcome.RELEASED, List.of(answer(key)));
  }

  private static List<String> events(Ledger ledger) {
    List<String> events = new ArrayList<>();
    ledger.read(entry -> events.add(entry.event().getClass().getSimpleName()));
    return events;
  }

  @Test
  void theNextChargeTakesAnEndingAlong() {
    try (Ledger one = open(() -> {});
        Ledger other = open(() -> {})) {
      release(one, "first");
      one.reserve(Requests.pure("0.5", "trips"));
      assertEquals(List.of(answer("first")), other.find("first", "s1"));
      assertEquals(List.of("Opened", "Declared", "Reserved", "Settled", "Reserved"), events(other));
    }
  }

  @Test
  void anEndingIsWrittenByItselfWhenNoChargeComes() {
    try (Ledger one = open(() -> {});
        Ledger other = open(() -> {})) {
      release(one, "first");
      Await.until(() -> events(other).contains("Settled"), "the ending is written");
    }
  }

  @Test
  void anAnswerIsFoundBeforeItIsWritten() {
    AtomicBoolean broken = new AtomicBoolean();
    try (Ledger ledger = open(() -> failing(broken))) {
      release(ledger, "first", broken);
      assertEquals(List.of(answer("first")), ledger.find("first", "s1"));
    }
  }

  /** The charge is written, the ending cannot be. */
  private static void release(Ledger ledger, String key, AtomicBoolean broken) {
    broken.set(false);
    Reservation reservation = ledger.reserve(Requests.pure("0.5", "trips"));
    broken.set(true);
    ledger.settle(reservation, ChargeOutcome.RELEASED, List.of(answer(key)));
  }

  private static void failing(AtomicBoolean broken) {
    if (broken.get()) {
      throw LedgerError.of(LedgerError.Code.LEDGER_FULL, "The disk is full.", "Make room.");
    }
  }

  @Test
  void anEndingThatCouldNotBeWrittenIsWrittenLater() {
    AtomicBoolean broken = new AtomicBoolean();
    try (Ledger ledger = open(() -> failing(broken))) {
      release(ledger, "first", broken);
      assertThrows(
          LedgerError.class, () -> ledger.reserve(Requests.pure("0.5", "trips")), "disk full");
      broken.set(false);
      ledger.reserve(Requests.pure("0.5", "trips"));
      assertEquals(
          List.of("Opened", "Declared", "Reserved", "Settled", "Reserved"), events(ledger));
    }
  }

  @Test
  void anEndingThatIsNeverWrittenLeavesTheCharge() {
    AtomicBoolean broken = new AtomicBoolean();
    try (Ledger ledger = open(() -> failing(broken))) {
      release(ledger, "first", broken);
    }
    try (Ledger ledger = open(() -> {})) {
      assertEquals(List.of("Opened", "Declared", "Reserved"), events(ledger));
      assertEquals(List.of(), ledger.find("first", "s1"));
      assertEquals(1, Audit.of(ledger).charges());
    }
  }
}
