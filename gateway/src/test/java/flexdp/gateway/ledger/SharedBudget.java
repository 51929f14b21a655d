package flexdp.gateway.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Account;
import flexdp.budget.Allowance;
import flexdp.budget.Allowances;
import flexdp.gateway.ledger.entry.LedgerEvent;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;

/** What must hold for every store when many spend from one budget. */
final class SharedBudget {
  private static final Account TRIPS = new Account.Table("trips");

  private SharedBudget() {}

  private static BigDecimal spent(Ledger ledger) {
    return ledger.standing(TRIPS).spent().epsilon();
  }

  /** 64 threads in each of two processes spend a budget to its end. */
  static void isNeverExceeded(String place, Path anchor, String budget) throws Exception {
    List<LoadProcess> gateways = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      gateways.add(new LoadProcess(place, anchor, budget, 64, 100 + i));
    }
    for (LoadProcess gateway : gateways) {
      assertTrue(gateway.awaitReady());
    }
    for (LoadProcess gateway : gateways) {
      gateway.go();
    }
    BigDecimal answered = BigDecimal.ZERO;
    for (LoadProcess gateway : gateways) {
      gateway.await();
      assertTrue(gateway.isDone(), "ended by itself");
      answered = answered.add(gateway.answered());
      assertTrue(gateway.answers() > 20, "both got answers: " + gateway.answers());
    }
    assertEquals(0, new BigDecimal(budget).compareTo(answered), "all of it and no more");
    Allowances allowances = Allowances.eachTable(Allowance.basic(budget, "0"));
    try (Ledger ledger = LedgerLoad.open(place, anchor, allowances)) {
      assertEquals(0, answered.compareTo(spent(ledger)));
      assertNoDoubleSpend(ledger, new BigDecimal(budget));
    }
  }

  /** Replays the entries: at no point was more charged than there was. */
  private static void assertNoDoubleSpend(Ledger ledger, BigDecimal budget) {
    BigDecimal[] sum = {BigDecimal.ZERO};
    Map<Long, Integer> settled = new TreeMap<>();
    ledger.read(
        entry -> {
          if (entry.event() instanceof LedgerEvent.Reserved reserved) {
            sum[0] = sum[0].add(reserved.request().cost().epsilon());
            assertTrue(sum[0].compareTo(budget) <= 0);
          } else if (entry.event() instanceof LedgerEvent.Settled end) {
            assertEquals(1, settled.merge(end.reservation(), 1, Integer::sum));
          }
        });
  }

  /** Two gateways race for the last 0.1: one gets it. */
  static void lastOfItIsSpentOnce(String place, Path anchor) throws Exception {
    Allowances allowances = Allowances.eachTable(Allowance.basic("0.1", "0"));
    try (Ledger one = LedgerLoad.open(place, anchor, allowances);
        Ledger other = LedgerLoad.open(place, anchor, allowances)) {
      for (int round = 1; round <= 30; round++) {
        CyclicBarrier start = new CyclicBarrier(4);
        AtomicInteger winners = new AtomicInteger();
        List<Thread> racers = new ArrayList<>();
        for (Ledger ledger : List.of(one, other, one, other)) {
          racers.add(
              Thread.ofPlatform()
                  .start(
                      () -> {
                        try {
                          start.await();
                          ledger.reserve(Requests.pure("0.1", "trips"));
                          winners.incrementAndGet();
                        } catch (BudgetExhausted e) {
                          assertEquals(4, e.exitCode());
                        } catch (Exception e) {
                          winners.addAndGet(1000);
                        }
                      }));
        }
        for (Thread racer : racers) {
          racer.join();
        }
        assertEquals(1, winners.get());
        assertThrows(BudgetExhausted.class, () -> one.reserve(Requests.pure("1e-9", "trips")));
        one.grant(TRIPS, new BigDecimal("0.1"), BigDecimal.ZERO, "owner", "round " + round);
      }
      assertEquals(0, new BigDecimal("3").compareTo(spent(other)));
    }
  }
}
