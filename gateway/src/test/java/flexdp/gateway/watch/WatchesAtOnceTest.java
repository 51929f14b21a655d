package flexdp.gateway.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import flexdp.budget.Account;
import flexdp.gateway.FlexDp;
import flexdp.gateway.api.ThresholdQuery;
import flexdp.gateway.api.WatchPeriod;
import flexdp.gateway.api.WatchView;
import flexdp.gateway.api.WatchView.WatchOrder;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several gateways, and several threads of each, use the same watches at the same time. */
class WatchesAtOnceTest {
  private static final int ARMED = 16;

  @TempDir Path folder;

  @Test
  void manyAreArmedAtOnceAndEachIsKeptAndCharged() throws Exception {
    WatchedTrips trips = new WatchedTrips(folder, "{epsilon: 100}");
    try (FlexDp one = trips.open(0);
        FlexDp two = trips.open(0);
        var threads = Executors.newFixedThreadPool(8)) {
      List<Callable<WatchView>> all = new ArrayList<>();
      for (int i = 0; i < ARMED; i++) {
        FlexDp flexdp = i % 2 == 0 ? one : two;
        WatchOrder order =
            new WatchOrder(
                "w" + i,
                WatchedTrips.WEEK,
                new ThresholdQuery(BigDecimal.valueOf(70), 1),
                WatchPeriod.WEEK);
        all.add(() -> flexdp.watches().add(order, WatchedTrips.ask("1")));
      }
      for (Future<WatchView> armed : threads.invokeAll(all)) {
        assertEquals(WatchView.State.ARMED, armed.get().state());
      }
      assertEquals(
          0,
          BigDecimal.valueOf(ARMED)
              .compareTo(one.ledger().standing(new Account.Table("trips")).spent().epsilon()));
    }
  }

  @Test
  void manyLookAtOnceAndAllAreShownTheOneThingThatWasFound() throws Exception {
    WatchedTrips trips = new WatchedTrips(folder, "{epsilon: 100}");
    try (FlexDp one = trips.open(0);
        FlexDp two = trips.open(0);
        var threads = Executors.newFixedThreadPool(8)) {
      for (int round = 0; round < 5; round++) {
        one.watches().add(WatchedTrips.order(WatchedTrips.WEEK, 70, 1), WatchedTrips.ask("0.1"));
        List<Callable<List<WatchView>>> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
          FlexDp flexdp = i % 2 == 0 ? one : two;
          all.add(() -> flexdp.watches().run("ann", Optional.empty()));
        }
        Set<String> told = new HashSet<>();
        for (Future<List<WatchView>> looked : threads.invokeAll(all)) {
          for (WatchView view : looked.get()) {
            assertFalse(view.note().contains("Neither"), view.note());
            view.turns().stream()
                .filter(t -> t.verdict() != WatchView.Verdict.UNFINISHED)
                .forEach(t -> told.add(t.toString()));
          }
        }
        assertEquals(1, told.size(), told::toString);
        WatchView view = two.watches().list("ann").getLast();
        assertEquals(told, Set.of(view.last().orElseThrow().toString()));
        if (view.state() == WatchView.State.ARMED) {
          two.watches().remove("ann", "many");
        }
      }
    }
  }
}
