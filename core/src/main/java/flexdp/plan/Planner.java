package flexdp.plan;

import flexdp.algebra.Tree;
import flexdp.failure.ConfigurationError;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.metrics.Metrics;
import flexdp.noise.Exponential;
import flexdp.noise.Flex;
import flexdp.noise.Laplace;
import flexdp.noise.Lomax;
import flexdp.noise.Mechanism;
import flexdp.policy.Neighbors;
import flexdp.policy.Policy;
import flexdp.policy.Unit;
import flexdp.question.Measurement;
import flexdp.question.Question;
import flexdp.question.ReleasePoint;
import flexdp.sensitivity.Bound;
import flexdp.sensitivity.Rules;
import flexdp.sensitivity.Sensitivity;
import flexdp.smooth.SmoothBound;
import flexdp.smooth.Smoothing;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Decides the noise of each measurement (guarantee D6 to D8 and section 5). The question's ε is
 * split evenly over its measurements. What is decided depends on the structure of the question and
 * on released metrics only, so the choice of a mechanism says nothing about the data.
 */
public final class Planner {
  /** Beyond this many bins the noise of one smooth draw for all is worse than releasing metrics. */
  private static final int FEW_OUTPUTS = 8;

  private static final BigDecimal LEAST_EPSILON = new BigDecimal("1e-9");
  private static final BigDecimal MOST_EPSILON = new BigDecimal("1e4");
  private static final BigDecimal LEAST_DELTA = new BigDecimal("1e-100");

  /** Beyond this its calibration is not certain for many outputs, and takes long. */
  private static final BigDecimal MOST_FLEX_EPSILON = BigDecimal.valueOf(1000);

  /** Below this the maximum over distances is so flat that finding it takes for ever. */
  private static final BigDecimal LEAST_SMOOTHING = new BigDecimal("1e-6");

  /** Shares are rounded down, so that together they never exceed the whole. */
  private static final MathContext SHARE = new MathContext(30, RoundingMode.FLOOR);

  private final Metrics metrics;
  private final PlanRequest request;
  private final Neighbors neighbors;

  private Planner(Policy policy, Metrics metrics, PlanRequest request) {
    this.metrics = metrics;
    this.request = request;
    // The paper's rules are stated for replaced rows and would not hold for anything else.
    this.neighbors =
        request.rules() == Rules.PAPER ? Neighbors.REPLACE_ONE : policy.privacy().neighbors();
  }

  public static Plan plan(Question question, Policy policy, Metrics metrics, PlanRequest request) {
    return new Planner(policy, metrics, request).plan(question);
  }

  /**
   * Throws what {@link #plan} would throw for a question whose mechanism is chosen here (an ε too
   * small to smooth aside), but looks for no maximum over distances: whether there is a mechanism
   * depends on the structure alone.
   */
  public static void check(Question question, Policy policy, Metrics metrics, PlanRequest request) {
    Planner planner = new Planner(policy, metrics, request);
    for (Measured measured : planner.measured(question)) {
      if (measured.isQuantile()) {
        planner.quantile(measured);
      }
    }
  }

  private Plan plan(Question question) {
    List<Planned> planned = new ArrayList<>();
    for (Measured m : measured(question)) {
      planned.add(new Planned(m.release(), m.measurement(), m.bound(), m.unit(), noise(m)));
    }
    boolean answerable = planned.stream().allMatch(p -> p.noise().isPresent());
    return new Plan(question, neighbors, planned, answerable ? "" : RELEASE_FIRST);
  }

  private List<Measured> measured(Question question) {
    int count = 0;
    for (ReleasePoint release : question.releases()) {
      count += release.measurements().size();
    }
    BigDecimal parts = BigDecimal.valueOf(Math.max(1, count));
    BigDecimal epsilon = epsilon(request.epsilon().divide(parts, SHARE));
    BigDecimal delta = request.delta().divide(parts, SHARE);
    List<Measured> measured = new ArrayList<>();
    for (ReleasePoint release : question.releases()) {
      refusePeople(release);
      for (Measurement measurement : release.measurements()) {
        Bound bound = Sensitivity.of(release, measurement, metrics, neighbors, request.rules());
        measured.add(new Measured(release, measurement, bound, epsilon, delta, count));
      }
    }
    return measured;
  }

  /** Noise made for rows would be too little for people: what is not made for them is refused. */
  private static void refusePeople(ReleasePoint release) {
    if (Tree.units(release.input()).stream().anyMatch(Unit.Person.class::isInstance)) {
      throw Rejection.of(
          RejectionCode.PEOPLE_UNSUPPORTED,
          "The question reads rows that people own, and answers by people are not given yet.",
          "Ask about tables whose unit is the row.",
          release.at());
    }
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

  /** One measurement on its way to a mechanism. */
  private record Measured(
      ReleasePoint release,
      Measurement measurement,
      Bound bound,
      BigDecimal epsilon,
      BigDecimal delta,
      int siblings) {
    BigDecimal unit() {
      return measurement.unit();
    }

    BigDecimal inUnits(BigInteger value) {
      return new BigDecimal(value).multiply(unit());
    }

    boolean isQuantile() {
      return switch (measurement) {
        case Measurement.Amount ignored -> false;
        case Measurement.Quantile ignored -> true;
      };
    }

    /** Whether one number is all there is. */
    boolean isScalar() {
      OptionalInt outputs = outputs();
      return outputs.isPresent() && outputs.getAsInt() == 1;
    }

    OptionalInt outputs() {
      return Outputs.of(release);
    }
  }

  private Optional<Planned.Noise> noise(Measured m) {
    if (m.isQuantile()) {
      return Optional.of(quantile(m));
    }
    return switch (request.mechanism()) {
      case AUTO -> auto(m);
      case LAPLACE ->
          Optional.of(
              laplace(m)
                  .orElseThrow(
                      () ->
                          unsuitable(
                              m,
                              "The sensitivity depends on private max frequencies, so plain Laplace"
                                  + " noise does not fit.",
                              "Leave the mechanism out, or declare the join key unique.")));
      case RELEASED ->
          Optional.of(
              released(m)
                  .orElseThrow(
                      () ->
                          unsuitable(
                              m,
                              "There are no released metrics for every join key of the question.",
                              "Release them once with flexdp collect --release.")));
      case LOMAX -> Optional.of(lomax(m, Lomax.MOST_OUTPUTS).orElseThrow(() -> tooMany(m)));
      case FLEX -> Optional.of(flex(m));
    };
  }

  private Optional<Planned.Noise> auto(Measured m) {
    Optional<Planned.Noise> fixed = laplace(m);
    if (fixed.isPresent()) {
      return Optional.of(smaller(m, fixed.get()));
    }
    if (m.isScalar() && m.siblings() == 1) {
      return lomax(m, 1);
    }
    return released(m).or(() -> lomax(m, FEW_OUTPUTS));
  }

  /**
   * A ceiling may come from a large public table, and released metrics be far below it. Both are
   * public, so taking the smaller says nothing.
   */
  private Planned.Noise smaller(Measured m, Planned.Noise ceiling) {
    return released(m)
        .filter(known -> known.sensitivity().compareTo(ceiling.sensitivity()) < 0)
        .orElse(ceiling);
  }

  /** D6: the sensitivity has a ceiling that follows from the structure alone. */
  private static Optional<Planned.Noise> laplace(Measured m) {
    return m.bound().ceiling().map(top -> fixed(Laplace.of(m.epsilon()), m.inUnits(top)));
  }

  /** D8: the formula at released metrics is public. */
  private Optional<Planned.Noise> released(Measured m) {
    return releasedBound(m)
        .map(bound -> fixed(new Laplace(m.epsilon(), true), m.inUnits(bound.atZero())));
  }

  private static Planned.Noise fixed(Mechanism mechanism, BigDecimal sensitivity) {
    return new Planned.Noise(mechanism, sensitivity, Optional.empty());
  }

  /** D7: smooth sensitivity with Lomax noise, one draw for all bins. */
  private static Optional<Planned.Noise> lomax(Measured m, int most) {
    OptionalInt outputs = m.outputs();
    if (outputs.isEmpty() || outputs.getAsInt() > most || outputs.getAsInt() < 1) {
      return Optional.empty();
    }
    return Optional.of(smooth(m, Calibrations.lomax(m.epsilon(), outputs.getAsInt())));
  }

  private Planned.Noise flex(Measured m) {
    if (m.delta().compareTo(LEAST_DELTA) < 0) {
      throw unsuitable(
          m, "The mechanism flex needs a delta of 1e-100 or more.", "Give a delta such as 1e-9.");
    }
    if (m.epsilon().compareTo(MOST_FLEX_EPSILON) > 0) {
      throw unsuitable(
          m,
          "The mechanism flex takes an epsilon of at most 1000 for each measurement.",
          "Use a smaller epsilon, or leave the mechanism out.");
    }
    if (request.rules() == Rules.PAPER) {
      return smooth(m, Calibrations.paper(m.epsilon(), m.delta()));
    }
    OptionalInt outputs = m.outputs();
    if (outputs.isEmpty() || outputs.getAsInt() > Flex.MOST_OUTPUTS || outputs.getAsInt() < 1) {
      throw tooMany(m);
    }
    return smooth(m, Calibrations.flex(m.epsilon(), m.delta(), outputs.getAsInt()));
  }

  private static Planned.Noise smooth(Measured m, Mechanism.Additive mechanism) {
    BigDecimal beta = mechanism.smoothing().orElseThrow();
    if (beta.compareTo(LEAST_SMOOTHING) < 0) {
      throw unsuitable(
          m,
          "Epsilon is too small for noise whose sensitivity is private.",
          "Use a larger epsilon, or released metrics: flexdp collect --release.");
    }
    SmoothBound bound = smoothed(m.bound(), beta);
    BigDecimal sensitivity = bound.decimal().multiply(m.unit());
    return new Planned.Noise(mechanism, sensitivity, Optional.of(bound));
  }

  /** The smooth bound that a mechanism would use, in the measurement's own units. */
  static BigDecimal smoothed(Bound bound, BigDecimal unit, Mechanism.Additive mechanism) {
    return smoothed(bound, mechanism.smoothing().orElseThrow()).decimal().multiply(unit);
  }

  /** A β rounded down gives a bound that is at least as large, and smoother than it has to be. */
  private static SmoothBound smoothed(Bound bound, BigDecimal beta) {
    return Smoothing.maximum(bound, down(beta));
  }

  private static double down(BigDecimal beta) {
    double near = beta.doubleValue();
    return new BigDecimal(near).compareTo(beta) > 0 ? Math.nextDown(near) : near;
  }

  /** The exponential mechanism, whose score sensitivity must be public (guarantee section 6). */
  private Planned.Noise quantile(Measured m) {
    MechanismChoice asked = request.mechanism();
    if (asked == MechanismChoice.LOMAX || asked == MechanismChoice.FLEX) {
      throw unsuitable(
          m,
          "MIN, MAX and quantiles are answered by the exponential mechanism only.",
          "Leave the mechanism out.");
    }
    Exponential mechanism = new Exponential(m.epsilon());
    return m.bound()
        .ceiling()
        .or(() -> releasedBound(m).map(Bound::atZero))
        .map(top -> fixed(mechanism, m.inUnits(top)))
        .orElseThrow(
            () ->
                Rejection.of(
                    RejectionCode.SENSITIVITY_NOT_PUBLIC,
                    "The sensitivity of "
                        + m.measurement().origin().aggregate()
                        + " would be private here.",
                    "Release the metrics once (flexdp collect --release), or declare the join key"
                        + " unique.",
                    m.measurement().origin().at()));
  }

  private Optional<Bound> releasedBound(Measured m) {
    try {
      return Optional.of(
          Sensitivity.released(m.release(), m.measurement(), metrics, neighbors, request.rules()));
    } catch (Rejection e) {
      if (e.code() == RejectionCode.MISSING_METRIC) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private static Rejection tooMany(Measured m) {
    return unsuitable(
        m,
        "The mechanism does not fit a histogram of that many bins, or of bins not known yet.",
        "Use released metrics: flexdp collect --release.");
  }

  private static Rejection unsuitable(Measured m, String message, String hint) {
    return Rejection.of(
        RejectionCode.MECHANISM_UNSUITABLE, message, hint, m.measurement().origin().at());
  }
}
