package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.Rejection;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.api.Workload;
import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.engine.QueryEngine;
import flexdp.gateway.engine.SeededGateways;
import flexdp.gateway.livedata.LiveMetrics;
import flexdp.marginals.StrategyChoice;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How far a row moves numbers over a join with a public table depends on that table. It may change
 * after it was measured; noise is made for what it is when it is read, however many numbers are
 * measured together.
 */
class GrownTablesTest {
  private static final String CUBE =
      "SELECT t.a, t.b, COUNT(*) FROM t JOIN p ON t.a = p.a GROUP BY CUBE(t.a, t.b)";
  private static final Workload HISTOGRAMS =
      Workload.of(
          List.of(
              "SELECT t.a, COUNT(*) FROM t JOIN p ON t.a = p.a GROUP BY t.a",
              "SELECT t.b, COUNT(*) FROM t JOIN p ON t.a = p.a GROUP BY t.b",
              "SELECT t.a, t.b, COUNT(*) FROM t JOIN p ON t.a = p.a GROUP BY t.a, t.b"));

  @TempDir Path folder;
  private int asked;

  private static QueryRequest by(StrategyChoice strategy) {
    return new QueryRequest("", QueryOptions.DEFAULT.by(strategy), "ann", Set.of());
  }

  /** The noise is always drawn from the same bits. */
  private <T> T with(Function<GrownTables, LiveMetrics> metrics, Function<QueryEngine, T> work)
      throws Exception {
    try (GrownTables tables = new GrownTables(folder.resolve(++asked + ".ledger"))) {
      return work.apply(
          SeededGateways.gateway(
              GrownTables.POLICY,
              metrics.apply(tables),
              "test",
              tables.database,
              tables.ledger,
              ErrorLog.NONE,
              Clock.systemUTC(),
              () -> new SmallRides.Replayed(7)));
    }
  }

  private List<List<Object>> cube(
      Function<GrownTables, LiveMetrics> metrics, StrategyChoice strategy) throws Exception {
    return with(metrics, engine -> engine.ask(by(strategy).about(CUBE)).rows());
  }

  private List<AnalystView> together(
      Function<GrownTables, LiveMetrics> metrics, StrategyChoice strategy) throws Exception {
    return with(metrics, engine -> engine.ask(HISTOGRAMS, by(strategy)).answers());
  }

  private static List<List<List<Object>>> rows(List<AnalystView> answers) {
    return answers.stream().map(AnalystView::rows).toList();
  }

  @Test
  void cubesOverWhatMayHaveGrownAreMeasuredSetBySetInItsPresentState() throws Exception {
    List<List<Object>> now = cube(t -> GrownTables.vouched(GrownTables.GROWN), StrategyChoice.EVEN);
    assertNotEquals(now, cube(t -> GrownTables.vouched(1), StrategyChoice.EVEN));
    assertEquals(now, cube(GrownTables::old, StrategyChoice.AUTO));
  }

  @Test
  void statementsOverWhatMayHaveGrownAreMeasuredEachByItself() throws Exception {
    List<AnalystView> now =
        together(t -> GrownTables.vouched(GrownTables.GROWN), StrategyChoice.EVEN);
    List<AnalystView> live = together(GrownTables::old, StrategyChoice.AUTO);
    assertEquals(rows(now), rows(live));
    assertTrue(
        together(t -> GrownTables.vouched(GrownTables.GROWN), StrategyChoice.AUTO)
            .getFirst()
            .derived()
            .orElseThrow()
            .contains("together"));
  }

  @Test
  void weightsAreRefusedThere() {
    assertThrows(Rejection.class, () -> together(GrownTables::old, StrategyChoice.MWEM));
  }
}
