package flexdp.gateway.hostile;

import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.ParameterizedQuery;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.api.ThresholdQuery;
import flexdp.gateway.api.ThresholdQuery.ThresholdView;
import flexdp.gateway.api.WatchPeriod;
import flexdp.gateway.api.WatchView;
import flexdp.gateway.api.WatchView.WatchOrder;
import flexdp.gateway.api.Workload;
import flexdp.gateway.engine.QueryEngine;
import flexdp.gateway.watch.ThresholdComparison;
import flexdp.gateway.watch.Watches;
import flexdp.marginals.StrategyChoice;
import flexdp.plan.MechanismChoice;
import flexdp.policy.Policy;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The other ways to ask one side: compared with a threshold, watched, many at once. */
final class HostileComparisons {
  /** The largest there is: its noise is a small part of what a row may change. */
  static final BigDecimal EPSILON = BigDecimal.valueOf(10_000);

  /** Everything is above it, so that the gap is the number. */
  private static final BigDecimal FAR_BELOW = new BigDecimal("-1e15");

  private static final QueryOptions OPTIONS =
      new QueryOptions(
          MechanismChoice.AUTO, Optional.of(EPSILON), Optional.empty(), Optional.empty());

  private final Policy policy;
  private final QueryEngine engine;
  private final ThresholdComparison comparing;

  HostileComparisons(Policy policy, QueryEngine engine, ThresholdComparison comparing) {
    this.policy = policy;
    this.engine = engine;
    this.comparing = comparing;
  }

  private static QueryRequest ask(String sql) {
    return new QueryRequest(sql, OPTIONS, "mallory", Set.of());
  }

  /** The gap of a number, which is never below. */
  Outcome above(String sql) {
    ThresholdView view =
        comparing.above().ask(Workload.of(List.of(sql)), ask(""), new ThresholdQuery(FAR_BELOW, 1));
    return gap(view.lines().getFirst().gap());
  }

  /** Compares by a watch that is armed, looks once and strikes. */
  Outcome watched(String sql) {
    Watches watches =
        comparing.watches(
            request -> new ParameterizedQuery(request, policy.dialect(), List.of(), List.of()));
    watches.add(
        new WatchOrder("w", sql, new ThresholdQuery(FAR_BELOW, 1), WatchPeriod.WEEK), ask(sql));
    WatchView view = watches.run("mallory", Optional.of("w")).getFirst();
    return view.last().isEmpty()
        ? Outcome.failed("broke with " + view.state(), view.note())
        : gap(view.last().get().gap());
  }

  private static Outcome gap(Optional<BigDecimal> gap) {
    return gap.map(
            g -> new Outcome(Outcome.ANSWERED, List.of("gap"), List.of(List.<Object>of(g)), ""))
        .orElseGet(() -> Outcome.failed("broke with a miss", ""));
  }

  /** All at one price; an outcome for each. */
  List<Outcome> together(List<String> statements, StrategyChoice strategy) {
    QueryRequest how = new QueryRequest("", OPTIONS.by(strategy), "mallory", Set.of());
    List<Outcome> outcomes = new ArrayList<>();
    for (AnalystView view : engine.ask(Workload.of(statements), how).answers()) {
      List<String> names = view.columns().stream().map(c -> c.column().name()).toList();
      outcomes.add(new Outcome(Outcome.ANSWERED, names, view.rows(), ""));
    }
    return outcomes;
  }
}
