package flexdp.gateway.prepare;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.decompose.FoundRanges;
import flexdp.failure.ConfigurationError;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.gateway.api.FoundRange.RangeChoice;
import flexdp.gateway.api.QueryRequest;
import flexdp.marginals.StrategyChoice;
import flexdp.metrics.Metrics;
import flexdp.plan.MechanismChoice;
import flexdp.plan.Plan;
import flexdp.plan.PlanRequest;
import flexdp.plan.Planner;
import flexdp.plan.ProposedMetrics;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import flexdp.query.DpQuery;
import flexdp.query.Labels;
import flexdp.query.NoisyAggregate;
import flexdp.query.RangeSource;
import flexdp.release.HistogramRelease;
import flexdp.release.Interpreter;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * From a question to its plan: at first without the database, then with labels or other metrics.
 */
public final class Planning {
  private static final RangeSource NOTHING = new FoundRanges(Map.of());

  private final Policy policy;
  private final Metrics metrics;
  private final Analyzer analyzer;

  public Planning(Policy policy, Metrics metrics, Analyzer analyzer) {
    this.policy = policy;
    this.metrics = metrics;
    this.analyzer = analyzer;
  }

  /** The plan of one question that is asked by itself, without touching the database. */
  public Plan alone(QueryRequest ask) {
    if (ask.options().strategy() == StrategyChoice.MWEM) {
      throw ConfigurationError.of(
          ConfigurationError.Code.BAD_REQUEST,
          "the strategy mwem is for many questions at once",
          "Put them in a file and give it with --workload.");
    }
    return plan(ask);
  }

  /** The plan of a question, without touching the database. */
  public Plan plan(QueryRequest ask) {
    requireConcentrated(ask);
    if (ask.options().ranges() == RangeChoice.FIND && !analyzer.released().equals(NOTHING)) {
      return releasable(
          analyzer.plan(analyzer.bound(ask.sql()).relation(), analysis(ask), RangeSource.NONE));
    }
    return releasable(analyzer.plan(ask.sql(), analysis(ask)));
  }

  /**
   * A question that lacks a range, with those that find it.
   *
   * @param missing why it has no plan by itself
   * @throws Rejection when it is refused all the same
   */
  public RangeSearch search(QueryRequest ask, Rejection missing) {
    if (missing.code() != RejectionCode.MISSING_RANGE
        || ask.options().ranges() == RangeChoice.DECLARED
        || !policy.privacy().findRanges()) {
      throw missing;
    }
    requireConcentrated(ask);
    return RangeSearch.of(analyzer, ask, epsilon(ask), bySquares(ask), missing);
  }

  /**
   * The range of a column by itself, for all of the ε that is asked with.
   *
   * @throws Rejection when its table is not read so
   */
  public RangeSearch search(QueryRequest ask, Table table, String column) {
    return RangeSearch.alone(analyzer, ask, table, column, bySquares(ask));
  }

  /** Throws what a plan cannot be released with, whatever it reads. */
  public static Plan releasable(Plan plan) {
    Interpreter.check(plan.query().top());
    plan.query()
        .releases()
        .forEach(point -> HistogramRelease.check(point, plan.routes().get(point.id())));
    return plan;
  }

  /**
   * Whether all accounts that a question charges add up squares of ε, so that measurements may
   * share ε² in place of ε. Accounts without a limit decide nothing.
   */
  public boolean bySquares(QueryRequest ask) {
    // No squares are known of flex, and what is proposed is paid in two parts.
    return ask.options().mechanism() != MechanismChoice.FLEX
        && ask.options().propose().isEmpty()
        && policy.privacy().budget().isPresent()
        && limits(ask).stream().noneMatch(b -> b.composition() == Policy.Composition.BASIC);
  }

  /** Only zCDP adds up what Gaussian noise costs without loss. */
  private void requireConcentrated(QueryRequest ask) {
    if (ask.options().mechanism() == MechanismChoice.GAUSSIAN && !addsUpRho(ask)) {
      throw MechanismChoice.notConcentrated();
    }
  }

  private boolean addsUpRho(QueryRequest ask) {
    return limits(ask).stream().allMatch(b -> b.composition() == Policy.Composition.ZCDP);
  }

  /** Whether noise that has a ρ may be chosen unasked. */
  private boolean isConcentrated(QueryRequest ask) {
    return bySquares(ask) && addsUpRho(ask);
  }

  /** The limits of all accounts that pay for a question. */
  private List<Policy.Budget> limits(QueryRequest ask) {
    Policy.Accounts accounts = policy.privacy().accounts();
    List<Policy.Budget> limits = new ArrayList<>(policy.privacy().budget().stream().toList());
    Optional.ofNullable(accounts.analysts().get(ask.analyst()))
        .or(() -> Optional.ofNullable(accounts.analysts().get(Policy.Accounts.ANYBODY)))
        .flatMap(Policy.Analyst::budget)
        .ifPresent(limits::add);
    Set<String> roles = new HashSet<>(ask.roles());
    roles.addAll(accounts.rolesOf(ask.analyst()));
    roles.stream()
        .filter(accounts.roles()::containsKey)
        .forEach(role -> limits.add(accounts.roles().get(role)));
    return limits;
  }

  /** The δ of the whole question. */
  public BigDecimal delta(QueryRequest ask) {
    return analyzer.request(ask.options().analysis()).delta();
  }

  public BigDecimal epsilon(QueryRequest ask) {
    return ask.options()
        .epsilon()
        .or(policy.privacy()::epsilon)
        .orElseThrow(
            () ->
                ConfigurationError.of(
                    ConfigurationError.Code.BAD_USAGE,
                    "no epsilon is given, neither with the question nor in the policy",
                    "Give one, as in --epsilon 0.1."));
  }

  /** With the labels of public tables at hand, a small histogram may have a mechanism after all. */
  public Plan replanned(
      QueryRequest ask, DpQuery query, Map<Integer, Optional<List<List<Object>>>> labels) {
    List<NoisyAggregate> points = new ArrayList<>();
    for (NoisyAggregate point : query.releases()) {
      points.add(
          labels
              .get(point.id())
              .filter(rows -> !(point.labels() instanceof Labels.None))
              .map(rows -> listed(point, rows))
              .orElse(point));
    }
    DpQuery known = query.with(points);
    return Planner.plan(known, policy, metrics, planRequest(ask));
  }

  /** An answer needs an ε that somebody chose. */
  private PlanRequest planRequest(QueryRequest ask) {
    return analyzer.request(analysis(ask.at(epsilon(ask))));
  }

  private AnalysisOptions analysis(QueryRequest ask) {
    return ask.options()
        .analysis()
        .bySquares(bySquares(ask))
        .concentrated(isConcentrated(ask))
        .proposing(proposal(ask));
  }

  /** What is proposed is tested by mechanisms of its own. */
  private Optional<ProposedMetrics> proposal(QueryRequest ask) {
    if (ask.options().propose().isPresent()
        && (ask.options().mechanism() != MechanismChoice.AUTO || ask.within().isPresent())) {
      throw ConfigurationError.of(
          ConfigurationError.Code.BAD_REQUEST,
          "a proposal is made with an epsilon, and neither with a mechanism nor with an error",
          "Leave --mechanism and --within out.");
    }
    return ask.options().propose().map(text -> ProposalParser.read(text, policy));
  }

  /** A question cut before, planned at another ε. */
  public Plan planned(QueryRequest ask, DpQuery query) {
    return planned(ask, query, metrics);
  }

  /** A question cut before, planned anew. */
  public Plan planned(QueryRequest ask, DpQuery query, Metrics with) {
    return Planner.plan(query, policy, with, planRequest(ask));
  }

  /**
   * @param outdated tables whose released metrics are of other data
   */
  public static Plan answerable(Plan plan, Set<String> outdated) {
    if (!plan.isAnswerable()) {
      throw Rejection.of(
          RejectionCode.MECHANISM_UNSUITABLE,
          "No mechanism answers this question privately with what is public now.",
          (outdated(outdated) + " " + plan.hint()).strip());
    }
    return plan;
  }

  /** What is said when released metrics are not used; empty when all are. */
  public static String outdated(Set<String> tables) {
    return tables.isEmpty()
        ? ""
        : "The released metrics of "
            + tables.stream().sorted().map(t -> "'" + t + "'").collect(Collectors.joining(", "))
            + " may be of an earlier state of the data and are not used; the owner can release them"
            + " again with: flexdp collect --release.";
  }

  private static NoisyAggregate listed(NoisyAggregate point, List<List<Object>> rows) {
    return new NoisyAggregate(
        point.id(),
        point.input(),
        point.keys(),
        point.groupingSets(),
        point.groupingIds(),
        point.measurements(),
        new Labels.Supplied(rows),
        point.at());
  }
}
