package flexdp.plan;

import flexdp.failure.ConfigurationError;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.metrics.Metrics;
import flexdp.noise.PrivacyParameters;
import flexdp.plan.MechanismRule.ProposeRule;
import flexdp.policy.Neighbors;
import flexdp.policy.Policy;
import flexdp.query.DpQuery;
import flexdp.query.Measurement;
import flexdp.query.NoisyAggregate;
import flexdp.sensitivity.Bound;
import flexdp.sensitivity.RuleSet;
import flexdp.sensitivity.Sensitivity;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decides the noise of each measurement (guarantee §5). The question's ε is split evenly over its
 * measurements. What is decided depends on the structure of the question and on released metrics
 * only, so the choice of a mechanism says nothing about the data.
 */
public final class Planner {
  private static final BigDecimal LEAST_EPSILON = new BigDecimal("1e-9");
  private static final BigDecimal MOST_EPSILON = new BigDecimal("1e4");

  /** Shares are rounded down, so that together they never exceed the whole. */
  private static final MathContext SHARE = new MathContext(30, RoundingMode.FLOOR);

  private static final MathContext UP = new MathContext(40, RoundingMode.UP);

  private final Metrics metrics;
  private final PlanRequest request;
  private final Neighbors neighbors;
  private final Policy policy;
  private final Map<Integer, ContributionBounding> routes = new HashMap<>();

  private Planner(Policy policy, Metrics metrics, PlanRequest request) {
    this.metrics = metrics;
    this.request = request;
    this.policy = policy;
    // The paper's rules are stated for replaced rows and would not hold for anything else.
    this.neighbors =
        request.rules() == RuleSet.PAPER ? Neighbors.REPLACE_ONE : policy.privacy().neighbors();
  }

  public static Plan plan(DpQuery query, Policy policy, Metrics metrics, PlanRequest request) {
    try {
      return new Planner(policy, metrics, request).plan(query);
    } catch (PrivacyParameters.OutOfRange e) {
      throw refused(e);
    }
  }

  /** What is said of a part of an answer whose ε is beyond what noise is made for. */
  public static ConfigurationError refused(PrivacyParameters.OutOfRange part) {
    return ConfigurationError.of(
        ConfigurationError.Code.BAD_REQUEST,
        "A part of the answer would be made with an epsilon or a delta that is too small or too"
            + " large: "
            + part.getMessage(),
        "Ask with an epsilon nearer to 1.");
  }

  /**
   * Throws what {@link #plan} would throw for a question whose mechanism is chosen here (an ε too
   * small to smooth aside), but looks for no maximum over distances: whether there is a mechanism
   * depends on the structure alone.
   */
  public static void check(DpQuery query, Policy policy, Metrics metrics, PlanRequest request) {
    Planner planner = new Planner(policy, metrics, request);
    List<CalibrationInput> together = planner.measured(query, planner.share(query));
    for (CalibrationInput m : together) {
      if (!m.isAmount()) {
        request.mechanism().noise(m, together);
      }
    }
    if (planner.routes.values().stream().anyMatch(ContributionBounding::readsOtherRows)) {
      planner.plan(query);
    }
  }

  /** What Gaussian noise costs is added up by zCDP alone without loss; see docs/budget.md. */
  private void requireConcentrated() {
    boolean counted =
        policy
            .privacy()
            .budget()
            .filter(b -> b.composition() == Policy.Composition.ZCDP)
            .isPresent();
    if (request.mechanism() == MechanismChoice.GAUSSIAN && !counted) {
      throw MechanismChoice.notConcentrated();
    }
  }

  private Plan plan(DpQuery query) {
    requireConcentrated();
    List<PlannedMeasurement> planned = new ArrayList<>();
    BigDecimal share = share(query);
    BigDecimal delta = delta(query);
    List<CalibrationInput> together = measured(query, share);
    ReleaseRule.Wanted wanted =
        new ReleaseRule.Wanted(policy, request, epsilon(share), delta, together);
    query.releases().forEach(release -> planned.addAll(planned(release, wanted)));
    if (request.proposal().isPresent()
        && planned.stream().allMatch(p -> ProposalTest.mechanism(p).isEmpty())) {
      throw ProposeRule.unneeded();
    }
    boolean answerable = planned.stream().allMatch(p -> p.noise().isPresent());
    return new Plan(query, neighbors, planned, answerable ? "" : RELEASE_FIRST, routes);
  }

  /** By the first rule that is open. */
  private List<PlannedMeasurement> planned(NoisyAggregate release, ReleaseRule.Wanted wanted) {
    ContributionBounding bounding = routes.get(release.id());
    if (bounding.isByPeople() && request.mechanism() != MechanismChoice.AUTO) {
      throw Rejection.of(
          RejectionCode.MECHANISM_UNSUITABLE,
          "Questions about rows that people own have mechanisms of their own.",
          "Leave the mechanism out, or ask for auto.",
          release.at());
    }
    for (ReleaseRule rule : ReleaseRule.ALL) {
      Optional<List<PlannedMeasurement>> planned = rule.planned(release, bounding, wanted);
      if (planned.isPresent()) {
        return planned.get();
      }
    }
    throw new IllegalStateException("a release point that no rule answers");
  }

  /** What one of the measurements gets: k shares, or the squares of k shares, are the whole. */
  private BigDecimal share(DpQuery query) {
    BigDecimal count = count(query);
    BigDecimal parts = request.squares() ? count.sqrt(UP) : count;
    return part(request.epsilon(), parts);
  }

  private static BigDecimal part(BigDecimal whole, BigDecimal parts) {
    boolean one = parts.scale() == 0 && parts.compareTo(BigDecimal.ONE) == 0;
    return one ? whole.round(SHARE) : whole.divide(parts, SHARE);
  }

  private static BigDecimal count(DpQuery query) {
    int count = 0;
    for (NoisyAggregate release : query.releases()) {
      count += release.measurements().size();
    }
    return BigDecimal.valueOf(Math.max(1, count));
  }

  /** The measurements that are bounded by rows. */
  private List<CalibrationInput> measured(DpQuery query, BigDecimal share) {
    BigDecimal epsilon = epsilon(share);
    CalibrationInput.Premises premises =
        new CalibrationInput.Premises(metrics, neighbors, request.rules());
    List<CalibrationInput> measured = new ArrayList<>();
    for (NoisyAggregate release : query.releases()) {
      ContributionBounding bounding = route(release);
      for (Measurement measurement : release.measurements()) {
        if (!bounding.isByPeople()) {
          Bound bound = Sensitivity.of(release, measurement, metrics, neighbors, request.rules());
          measured.add(
              new CalibrationInput(release, measurement, bound, epsilon, delta(query), premises));
        }
      }
    }
    return measured;
  }

  /** Of one measurement. */
  private BigDecimal delta(DpQuery query) {
    return part(request.delta(), count(query));
  }

  private ContributionBounding route(NoisyAggregate release) {
    ContributionBounding bounding = ContributionBoundingChoice.of(release, policy);
    if (bounding.readsOtherRows() && request.rules() != RuleSet.FLEXDP) {
      throw Rejection.of(
          RejectionCode.PEOPLE_UNSUPPORTED,
          "The paper has no rules for rows that people own.",
          "Ask about tables whose unit is the row.",
          release.at());
    }
    routes.put(release.id(), bounding);
    return bounding;
  }

  private static BigDecimal epsilon(BigDecimal share) {
    if (share.compareTo(LEAST_EPSILON) < 0 || share.compareTo(MOST_EPSILON) > 0) {
      throw ConfigurationError.of(
          ConfigurationError.Code.BAD_REQUEST,
          "epsilon must be from 1e-9 to 10000 for each measurement. Provided value: "
              + share.round(new MathContext(4)));
    }
    return share;
  }

  private static final String RELEASE_FIRST =
      "The noise of this histogram would depend on private max frequencies. Release the metrics"
          + " once (flexdp collect --release), declare a unique key, or ask for a single number.";
}
