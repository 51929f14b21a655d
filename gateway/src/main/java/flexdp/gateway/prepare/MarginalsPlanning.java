package flexdp.gateway.prepare;

import flexdp.marginals.MeasurementStrategy;
import flexdp.marginals.StrategyChoice;
import flexdp.marginals.StrategySelection;
import flexdp.marginals.WorkloadGroup;
import flexdp.marginals.WorkloadGrouping;
import flexdp.marginals.WorkloadQuery;
import flexdp.metrics.Metrics;
import flexdp.plan.Plan;
import flexdp.plan.PlannedMeasurement;
import flexdp.policy.Neighbors;
import flexdp.properties.NullabilityOracle;
import flexdp.query.NoisyAggregate;
import flexdp.release.ReleasePlan;
import flexdp.reuse.CompleteLabels;
import flexdp.workload.BudgetNorm;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds the release points of a plan whose grouping sets are better measured together. */
public final class MarginalsPlanning {
  private final Metrics metrics;
  private final NullabilityOracle neverNull;
  private final StrategySelection strategies = new StrategySelection();

  public MarginalsPlanning(Metrics metrics, NullabilityOracle neverNull) {
    this.metrics = metrics;
    this.neverNull = neverNull;
  }

  /**
   * How each release point of a plan is made.
   *
   * @param labels by release point
   * @param together whether grouping sets may be measured together
   */
  public List<ReleasePlan> releases(
      Plan plan,
      Map<Integer, Optional<List<List<Object>>>> labels,
      boolean together,
      BudgetNorm norm,
      ReleasePlan.Means means) {
    List<ReleasePlan> releases = new ArrayList<>();
    for (NoisyAggregate point : plan.query().releases()) {
      Optional<List<List<Object>>> listed =
          together && point.set().isPresent() ? labels.get(point.id()) : Optional.empty();
      releases.add(
          ReleasePlan.of(
              plan,
              point,
              listed.map(rows -> ofRows(plan, point, rows, norm)).orElse(List.of()),
              listed.map(rows -> ofPeople(plan, point, rows)).orElse(List.of()),
              means));
    }
    return releases;
  }

  private List<MeasurementStrategy> ofRows(
      Plan plan, NoisyAggregate point, List<List<Object>> labels, BudgetNorm norm) {
    return strategies.of(
        point,
        plan.of(point),
        labels,
        CompleteLabels.of(point, neverNull),
        norm,
        (p, set, released) -> p.ofSet(set, released, plan.neighbors(), metrics));
  }

  /** The strategies where people own the rows; their levels are chosen later. */
  private List<MeasurementStrategy> ofPeople(
      Plan plan, NoisyAggregate point, List<List<Object>> labels) {
    return strategies.ofPeople(point, plan.of(point), labels, CompleteLabels.of(point, neverNull));
  }

  /** Measurements of many statements put together. */
  public List<WorkloadGroup> shared(
      List<WorkloadQuery> members, Neighbors neighbors, BudgetNorm norm, StrategyChoice choice) {
    return choice == StrategyChoice.EVEN
        ? List.of()
        : new WorkloadGrouping(
                norm,
                (p, set, released) -> p.ofSet(set, released, neighbors, metrics),
                choice == StrategyChoice.MWEM)
            .of(members);
  }

  /** The measurements of a statement that could be estimated together with those of others. */
  public List<WorkloadQuery> members(PreparedQuery prepared, int statement, double weight) {
    List<WorkloadQuery> members = new ArrayList<>();
    for (NoisyAggregate point : prepared.plan().query().releases()) {
      Optional<List<List<Object>>> labels = prepared.labels().get(point.id());
      List<PlannedMeasurement> planned = prepared.of(point);
      if (labels.isEmpty() || prepared.plan().read(point) != point) {
        return List.of();
      }
      for (int place = 0; place < planned.size(); place++) {
        members.add(
            new WorkloadQuery(
                statement,
                point,
                place,
                planned.get(place),
                labels.get(),
                CompleteLabels.of(point, neverNull),
                weight));
      }
    }
    return members;
  }
}
