package flexdp.gateway.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.gateway.GrownTables;
import flexdp.gateway.SmallRides;
import flexdp.gateway.api.ParameterizedQuery;
import flexdp.gateway.api.ThresholdQuery;
import flexdp.gateway.api.ThresholdQuery.ThresholdView;
import flexdp.gateway.api.WatchPeriod;
import flexdp.gateway.api.WatchView;
import flexdp.gateway.api.WatchView.WatchOrder;
import flexdp.gateway.api.Workload;
import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.engine.QueryEngine;
import flexdp.gateway.livedata.LiveMetrics;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is compared has the sensitivity of the state that is read, public tables included. */
class WatchedGrowthTest {
  private static final String JOINED = "SELECT COUNT(*) FROM t JOIN p ON t.a = p.a";

  @TempDir Path folder;
  private int asked;

  private ThresholdComparison comparing(GrownTables tables, LiveMetrics live) {
    Clock clock = Clock.fixed(WatchedTrips.MONDAY.toInstant(ZoneOffset.UTC), ZoneOffset.UTC);
    // Binds the ledger to the tables.
    QueryEngine engine =
        new QueryEngine(
            GrownTables.POLICY, live, "test", tables.database, tables.ledger, ErrorLog.NONE, clock);
    return new ThresholdComparison(
        new WatchEvaluation(
            GrownTables.POLICY,
            live,
            "test",
            tables.database,
            engine.planning(),
            engine.rendered()),
        tables.ledger,
        ErrorLog.NONE,
        clock,
        new Watches.Place(folder.resolve(asked + ".watches"), false),
        () -> new SmallRides.Replayed(3));
  }

  private BigDecimal gap(Function<GrownTables, LiveMetrics> metrics) throws Exception {
    try (GrownTables tables = new GrownTables(folder.resolve(++asked + ".ledger"))) {
      ThresholdView view =
          comparing(tables, metrics.apply(tables))
              .above()
              .ask(
                  Workload.of(List.of(JOINED)),
                  WatchedTrips.ask("1"),
                  new ThresholdQuery(BigDecimal.valueOf(-1_000_000), 1));
      return view.lines().getFirst().gap().orElseThrow();
    }
  }

  @Test
  void whatIsAboveIsComparedWithNoiseForWhatIsRead() throws Exception {
    BigDecimal now = gap(t -> GrownTables.vouched(GrownTables.GROWN));
    assertNotEquals(now, gap(t -> GrownTables.vouched(1)));
    assertEquals(now, gap(GrownTables::old));
  }

  @Test
  void aWatchIsArmedForWhatIsThereAndLooksNoMoreWhenThatGrows() throws Exception {
    try (GrownTables tables = new GrownTables(folder.resolve(++asked + ".ledger"))) {
      WatchOrder order =
          new WatchOrder(
              "many",
              JOINED,
              new ThresholdQuery(BigDecimal.valueOf(1_000_000), 1),
              WatchPeriod.parse("week"));
      Function<flexdp.gateway.api.QueryRequest, ParameterizedQuery> plain =
          request ->
              new ParameterizedQuery(request, GrownTables.POLICY.dialect(), List.of(), List.of());
      Watches early = comparing(tables, GrownTables.vouched(1)).watches(plain);
      early.add(order, WatchedTrips.ask("1"));
      Watches now = comparing(tables, tables.old()).watches(plain);
      WatchView grown = now.run("ann", Optional.of("many")).getFirst();
      assertEquals(List.of(), grown.turns());
      assertTrue(grown.note().contains("armed"), grown.note());
      now.remove("ann", "many");
      now.add(order, WatchedTrips.ask("1"));
      WatchView looked = now.run("ann", Optional.of("many")).getFirst();
      assertEquals(WatchView.Verdict.MISS, looked.last().orElseThrow().verdict());
    }
  }
}
