package flexdp;

import flexdp.algebra.Relation;
import flexdp.cache.LruCache;
import flexdp.decompose.FoundRanges;
import flexdp.decompose.QueryDecomposer;
import flexdp.decompose.QueryWithIntervals;
import flexdp.failure.Position;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.metrics.Metrics;
import flexdp.plan.CalibratedMechanism;
import flexdp.plan.EnforcedCaps;
import flexdp.plan.MechanismChoice;
import flexdp.plan.Plan;
import flexdp.plan.PlanRequest;
import flexdp.plan.PlannedMeasurement;
import flexdp.plan.Planner;
import flexdp.policy.Policy;
import flexdp.query.DecompositionContext;
import flexdp.query.DpQuery;
import flexdp.query.NoisyAggregate;
import flexdp.query.RangeSource;
import flexdp.sensitivity.RuleSet;
import flexdp.sql.bind.SqlBinder;
import flexdp.sql.parse.ParsedQuery;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The owner's static analysis: from SQL text to the noise of each measurement, without a database.
 * Answers to questions asked before are kept, since they depend on nothing else than what this was
 * made of.
 */
public final class Analyzer {
  /** The δ of a question when neither it nor the policy says one. */
  public static final BigDecimal DEFAULT_DELTA = new BigDecimal("1e-10");

  private static final int REMEMBERED = 1_000;
  private static final int LONGEST_REMEMBERED = 50_000;
  private static final String NO_EPSILON =
      "No epsilon is given, neither with the question nor in the policy, so there is no scale yet.";

  private final Policy policy;
  private final Metrics metrics;
  private final Supplier<LocalDateTime> now;
  private final RangeSource released;
  private final LruCache<Asked, Plan> plans = new LruCache<>(REMEMBERED);
  private final LruCache<Asked, Report> reports = new LruCache<>(REMEMBERED);

  private record Asked(String sql, AnalysisOptions options) {}

  /** The questions' CURRENT_DATE and now() mean the given time. */
  public Analyzer(Policy policy, Metrics metrics, LocalDateTime now) {
    this(policy, metrics, () -> now);
    Objects.requireNonNull(now);
  }

  /** The questions' CURRENT_DATE and now() mean the time at which each is asked. */
  public Analyzer(Policy policy, Metrics metrics, Supplier<LocalDateTime> now) {
    this.policy = Objects.requireNonNull(policy);
    this.metrics = Objects.requireNonNull(metrics);
    this.now = Objects.requireNonNull(now);
    this.released = new FoundRanges(metrics.foundRanges());
  }

  /** Analyses one question; throws {@link Rejection} when it is not accepted. */
  public Report analyze(String sql, AnalysisOptions options) {
    Asked asked = new Asked(sql, options);
    Optional<Report> known = reports.get(asked);
    if (known.isPresent()) {
      return known.get();
    }
    Report report = report(plan(sql, options), options);
    if (plans.get(asked).isPresent()) {
      reports.put(asked, report);
    }
    return report;
  }

  /** The question cut, bounded and calibrated, as answering it needs it. */
  public Plan plan(String sql, AnalysisOptions options) {
    Asked asked = new Asked(sql, options);
    Optional<Plan> known = plans.get(asked);
    if (known.isPresent()) {
      return known.get();
    }
    try {
      SqlBinder.Bound bound = bound(sql);
      DpQuery query = question(bound, options);
      Plan plan = planned(query, options);
      if (bound.timeless() && sql.length() <= LONGEST_REMEMBERED) {
        plans.put(asked, plan);
      }
      return plan;
    } catch (Rejection e) {
      throw e.orAt(Position.START);
    } catch (StackOverflowError e) {
      throw tooDeep();
    }
  }

  /**
   * Whether a question would be accepted: throws the {@link Rejection} that {@link #plan} would,
   * without the search for the noise, which takes most of the time.
   */
  public void check(ParsedQuery parsed, AnalysisOptions options) {
    try {
      SqlBinder.Bound bound = new SqlBinder(policy, now.get()).bound(parsed);
      DpQuery query = question(bound, options);
      Planner.check(query, policy, metrics, request(options));
    } catch (StackOverflowError e) {
      throw tooDeep();
    }
  }

  /** What a text asks for, as it means at this time. */
  public SqlBinder.Bound bound(String sql) {
    return new SqlBinder(policy, now.get()).bound(sql);
  }

  /** Ranges of columns that the owner released. */
  public RangeSource released() {
    return released;
  }

  /**
   * The plan of a question in algebra, with ranges for what has none. It is not kept.
   *
   * @param ranges where nothing that is believed says one
   */
  public Plan plan(Relation relation, AnalysisOptions options, RangeSource ranges) {
    try {
      DpQuery query = question(relation, options, ranges);
      return planned(query, options);
    } catch (Rejection e) {
      throw e.orAt(Position.START);
    } catch (StackOverflowError e) {
      throw tooDeep();
    }
  }

  /**
   * A question in algebra, cut where noise enters, without a plan.
   *
   * @param ranges where nothing that is believed says one
   */
  public DpQuery cut(Relation relation, AnalysisOptions options, RangeSource ranges) {
    try {
      return question(relation, options, ranges);
    } catch (StackOverflowError e) {
      throw tooDeep();
    }
  }

  /** What says when it is asked ends then, where nothing else says when it ends. */
  private DpQuery question(SqlBinder.Bound bound, AnalysisOptions options) {
    Optional<LocalDateTime> time = bound.timeless() ? Optional.empty() : Optional.of(now.get());
    return question(
        bound.relation(), options, new DecompositionContext(options.bins(), released, time));
  }

  private DpQuery question(Relation relation, AnalysisOptions options, RangeSource ranges) {
    return question(
        relation, options, new DecompositionContext(options.bins(), ranges, Optional.empty()));
  }

  /** The paper's rules know of no rows that are left out. */
  private DpQuery question(
      Relation relation, AnalysisOptions options, DecompositionContext context) {
    DpQuery query = QueryDecomposer.of(relation, policy, context);
    return options.rules() == RuleSet.FLEXDP
        ? EnforcedCaps.in(query, metrics, policy.privacy().neighbors())
        : query;
  }

  private Plan planned(DpQuery query, AnalysisOptions options) {
    Plan plan = Planner.plan(query, policy, metrics, request(options));
    QueryWithIntervals.requireOfChosen(
        query,
        id ->
            plan.measurements().stream()
                .filter(p -> p.measurement().output().id() == id)
                .anyMatch(p -> p.noise().filter(CalibratedMechanism::tellsItsNoise).isPresent()));
    return plan;
  }

  private static Rejection tooDeep() {
    return Rejection.of(
        RejectionCode.TOO_COMPLEX,
        "The question is nested too deeply.",
        "Flatten it, or name its parts in WITH clauses.",
        Position.START);
  }

  /** What is asked of the planner; without an ε anywhere, the bounds are those of ε = 1. */
  public PlanRequest request(AnalysisOptions options) {
    BigDecimal epsilon = epsilon(options).orElse(BigDecimal.ONE);
    BigDecimal delta = options.delta().or(policy.privacy()::delta).orElse(DEFAULT_DELTA);
    // Gaussian noise is there only where ρ adds up, and there squares are what is shared.
    boolean squares = options.squares() || options.mechanism() == MechanismChoice.GAUSSIAN;
    return new PlanRequest(
        options.rules(),
        options.mechanism(),
        epsilon,
        delta,
        squares,
        options.concentrated(),
        options.proposal());
  }

  private Optional<BigDecimal> epsilon(AnalysisOptions options) {
    return options.epsilon().or(policy.privacy()::epsilon);
  }

  private Report report(Plan plan, AnalysisOptions options) {
    boolean scaled = epsilon(options).isPresent();
    List<Report.Aggregate> aggregates = new ArrayList<>();
    for (PlannedMeasurement planned : plan.measurements()) {
      aggregates.add(noise(planned, options.distances(), scaled));
    }
    DpQuery query = plan.query();
    String hint = scaled || !plan.hint().isEmpty() ? plan.hint() : NO_EPSILON;
    return new Report(
        plan.neighbors(),
        query.joins(),
        query.columns(),
        aggregates,
        labels(query.releases()),
        hint);
  }

  private static Report.Aggregate noise(
      PlannedMeasurement planned, List<Long> distances, boolean scaled) {
    Map<BigInteger, BigDecimal> elastic = new LinkedHashMap<>();
    for (long k : distances) {
      BigDecimal value = new BigDecimal(planned.bound().elastic(k)).multiply(planned.unit());
      elastic.put(BigInteger.valueOf(k), value);
    }
    Optional<CalibratedMechanism> noise = planned.noise();
    Optional<CalibratedMechanism> shown = noise.filter(ignored -> scaled);
    return new Report.Aggregate(
        planned.measurement().origin().column(),
        planned.measurement().origin().part(),
        planned.measurement().origin().aggregate(),
        formula(planned),
        elastic,
        shown.flatMap(Analyzer::smooth),
        noise.map(n -> n.mechanism().name()),
        shown.map(n -> n.mechanism().scale(n.sensitivity())),
        shown.map(n -> n.mechanism().epsilon()),
        noise.map(n -> n.mechanism().delta()).orElse(BigDecimal.ZERO));
  }

  private static String formula(PlannedMeasurement planned) {
    if (planned.unit().compareTo(BigDecimal.ONE) == 0) {
      return planned.bound().formula();
    }
    if (planned.bound().isConstant()) {
      BigDecimal value = new BigDecimal(planned.bound().atZero()).multiply(planned.unit());
      return value.stripTrailingZeros().toPlainString();
    }
    String unit = planned.unit().stripTrailingZeros().toPlainString();
    return unit + "·(" + planned.bound().formula() + ")";
  }

  private static Optional<Report.Smooth> smooth(CalibratedMechanism noise) {
    return noise
        .added()
        .flatMap(
            added ->
                added
                    .smooth()
                    .map(
                        s ->
                            new Report.Smooth(
                                added.mechanism().smoothing().orElseThrow(),
                                added.sensitivity(),
                                s.distance())));
  }

  /** The word for all release points: the one that promises least. */
  private static String labels(List<NoisyAggregate> releases) {
    List<String> order = List.of("none", "enumerated", "supplied", "thresholded");
    int worst = 0;
    for (NoisyAggregate release : releases) {
      worst = Math.max(worst, order.indexOf(release.labels().word()));
    }
    return order.get(worst);
  }
}
