package flexdp.gateway.engine;

import flexdp.budget.Cost;
import flexdp.budget.TotalCost;
import flexdp.decompose.QueryWithIntervals;
import flexdp.fingerprint.QueryFingerprint;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.ledger.entry.ChargeRequest;
import flexdp.gateway.livedata.LiveMetrics;
import flexdp.gateway.livedata.LiveMetrics.Refresh;
import flexdp.gateway.prepare.MarginalsPlanning;
import flexdp.gateway.prepare.Planning;
import flexdp.gateway.prepare.PreparedQuery;
import flexdp.marginals.StrategyChoice;
import flexdp.plan.ErrorModel;
import flexdp.plan.EstimateNoise;
import flexdp.plan.Plan;
import flexdp.policy.Policy;
import flexdp.query.DpQuery;
import flexdp.query.Labels;
import flexdp.query.NoisyAggregate;
import flexdp.release.LabelTable;
import flexdp.release.ReleasePlan;
import flexdp.release.ResultSize;
import flexdp.workload.BudgetNorm;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Makes planned questions ready to be charged; reads public tables at most. */
final class Preparation {
  private final Policy policy;
  private final LiveMetrics live;
  private final Planning planning;
  private final MarginalsPlanning marginals;
  private final ReleaseLoop releaseLoop;
  private final String snapshot;

  /**
   * @param snapshot the state of the data that the metrics were measured at
   */
  Preparation(
      Policy policy,
      LiveMetrics live,
      Planning planning,
      MarginalsPlanning marginals,
      ReleaseLoop releaseLoop,
      String snapshot) {
    this.policy = policy;
    this.live = live;
    this.planning = planning;
    this.marginals = marginals;
    this.releaseLoop = releaseLoop;
    this.snapshot = snapshot;
  }

  PreparedQuery prepare(QueryRequest ask, Plan plan, StatementExecution execution) {
    Map<Integer, Optional<List<List<Object>>>> labels = labels(plan, execution);
    if (!plan.isAnswerable()) {
      check(plan);
    }
    Plan usable = answerable(ask, plan, labels);
    PreparedQuery prepared = prepared(ask, usable, labels, releases(ask, usable, labels));
    QueryWithIntervals.require(usable.query(), Explainer.barred(usable, prepared.errors()));
    return prepared;
  }

  /** An answerable plan, with what its noise is made by. */
  PreparedQuery prepared(
      QueryRequest ask,
      Plan plan,
      Map<Integer, Optional<List<List<Object>>>> labels,
      List<ReleasePlan> releases) {
    return new PreparedQuery(
        plan,
        epsilon(ask, plan, releases),
        releaseLoop.means(),
        labels,
        errors(plan, releases),
        releases);
  }

  /**
   * The plan, made again where knowing the labels helps.
   *
   * @throws flexdp.failure.Rejection when no mechanism answers the question
   */
  Plan answerable(QueryRequest ask, Plan plan, Map<Integer, Optional<List<List<Object>>>> labels) {
    return plan.isAnswerable()
        ? plan
        : Planning.answerable(planning.replanned(ask, plan.query(), labels), live.outdated());
  }

  /**
   * Throws what asking the database would throw, without the database: a charge must not meet what
   * cannot be written down in its SQL.
   */
  void check(Plan plan) {
    releaseLoop.check(plan);
    releaseLoop.checkPublic(plan.query().top());
  }

  /** The labels of all release points, if what is computed above them has not too many rows. */
  Map<Integer, Optional<List<List<Object>>>> labels(Plan plan, StatementExecution execution) {
    Map<Integer, Optional<List<List<Object>>>> labels = new HashMap<>();
    for (NoisyAggregate point : plan.query().releases()) {
      labels.put(point.id(), labels(point, execution));
    }
    ResultSize.check(plan.query(), labels, execution::publicRows);
    return labels;
  }

  /** How a plan is made again in the question's state: that very question, its labels known. */
  Refresh refresh(QueryRequest ask, Plan plan) {
    return live.refresh(plan, some -> planning.planned(ask, plan.query(), some));
  }

  private Optional<List<List<Object>>> labels(NoisyAggregate point, StatementExecution execution) {
    if (point.labels() instanceof Labels.Thresholded) {
      return Optional.empty();
    }
    return Optional.of(
        new LabelTable(point, execution::labels, policy.privacy().maxLabels()).rows());
  }

  /** What a question measures by release point, each in one form for all its wordings. */
  static Map<Integer, String> meanings(DpQuery query) {
    return query.releases().stream()
        .collect(
            Collectors.toMap(
                NoisyAggregate::id, p -> QueryFingerprint.key(QueryFingerprint.of(p))));
  }

  ChargeRequest request(QueryRequest ask, String mechanism, Set<String> tables, Cost cost) {
    Set<String> roles = new TreeSet<>(ask.roles());
    roles.addAll(policy.privacy().accounts().rolesOf(ask.analyst()));
    return new ChargeRequest(
        ask.analyst(), roles, ask.sql().strip(), tables, mechanism, cost, snapshot);
  }

  /** What is public of the noise of a plan whose measurements are made so. */
  ErrorModel errors(Plan plan, List<ReleasePlan> releases) {
    ErrorModel errors = ErrorModel.of(plan, live.metrics(), QueryOptions.RULES);
    Map<Integer, EstimateNoise> fits = new HashMap<>();
    releases.forEach(r -> fits.putAll(r.fits()));
    return fits.isEmpty() ? errors : errors.with(fits).in(plan.query());
  }

  /** How the release points of a plan are made. */
  List<ReleasePlan> releases(
      QueryRequest ask, Plan plan, Map<Integer, Optional<List<List<Object>>>> labels) {
    return marginals.releases(
        plan,
        labels,
        ask.options().strategy() != StrategyChoice.EVEN,
        planning.bySquares(ask) ? BudgetNorm.SQUARES : BudgetNorm.SUM,
        releaseLoop.means());
  }

  /** What is charged where squares of ε add up. */
  Optional<BigDecimal> rho(QueryRequest ask, Cost cost) {
    return planning.bySquares(ask)
        ? Optional.of(TotalCost.NOTHING.plus(cost).rho())
        : Optional.empty();
  }

  /** What is charged: the ε that was asked with, or what its squares buy. */
  BigDecimal epsilon(QueryRequest ask, Plan plan, List<ReleasePlan> releases) {
    if (plan.measurements().isEmpty()) {
      return BigDecimal.ZERO;
    }
    return planning.bySquares(ask) && plan.isAnswerable()
        ? PreparedQuery.sum(releases)
        : planning.epsilon(ask);
  }
}
