package flexdp.plan;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.noise.ExponentialMechanism;
import flexdp.noise.Flex;
import flexdp.noise.Laplace;
import flexdp.noise.Mechanism;
import flexdp.noise.ProposeTestRelease;
import flexdp.query.Measurement;
import flexdp.sensitivity.Bound;
import flexdp.sensitivity.CoupledUnits;
import flexdp.sensitivity.RuleSet;
import flexdp.sensitivity.Sensitivity;
import flexdp.smooth.SmoothBound;
import flexdp.smooth.Smoothing;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * A way to make measurements private. Whether it is open depends on the structure of the question
 * and on released metrics only.
 */
interface MechanismRule {
  /**
   * The noise of a measurement, if this way is open to it.
   *
   * @param together all measurements of the question, this one among them
   * @throws Rejection if it would be open but for what was asked, such as a smaller ε
   */
  Optional<CalibratedMechanism> tryCalibrate(CalibrationInput m, List<CalibrationInput> together);

  /** What to say to those who asked for this way when it is not open. */
  Rejection whyNot(CalibrationInput m);

  /**
   * Guarantee §5: the sensitivity has a ceiling that follows from the structure alone.
   *
   * @param mechanism by the measurement, which has an ε and a δ
   */
  record CeilingRule(Function<CalibrationInput, Mechanism.Additive> mechanism)
      implements MechanismRule {
    @Override
    public Optional<CalibratedMechanism> tryCalibrate(
        CalibrationInput m, List<CalibrationInput> together) {
      return m.isAmount()
          ? m.bound()
              .ceiling()
              .map(top -> CalibratedMechanism.Additive.ofPublic(mechanism.apply(m), m.inUnits(top)))
          : Optional.empty();
    }

    @Override
    public Rejection whyNot(CalibrationInput m) {
      return m.unsuitable(
          "The sensitivity depends on private max frequencies, so plain Laplace noise does not fit.",
          "Leave the mechanism out, or declare the join key unique.");
    }
  }

  /**
   * Guarantee §5: the formula at released metrics is public.
   *
   * @param mechanism by the measurement, which has an ε and a δ
   */
  record ReleasedMetricsRule(Function<CalibrationInput, Mechanism.Additive> mechanism)
      implements MechanismRule {
    @Override
    public Optional<CalibratedMechanism> tryCalibrate(
        CalibrationInput m, List<CalibrationInput> together) {
      return m.isAmount()
          ? m.released()
              .map(
                  bound ->
                      CalibratedMechanism.Additive.ofPublic(
                          mechanism.apply(m), m.inUnits(bound.atZero())))
          : Optional.empty();
    }

    @Override
    public Rejection whyNot(CalibrationInput m) {
      return m.unsuitable(
          "There are no released metrics for every join key of the question.",
          "Release them once with flexdp collect --release.");
    }
  }

  /**
   * The first offer, where it is open, unless the other one has less noise. A ceiling may come from
   * a large public table, and released metrics be far below it. Both are public, so taking the
   * smaller says nothing.
   */
  record SmallerRule(CeilingRule ceiling, ReleasedMetricsRule released) implements MechanismRule {
    @Override
    public Optional<CalibratedMechanism> tryCalibrate(
        CalibrationInput m, List<CalibrationInput> together) {
      Optional<CalibratedMechanism> top = ceiling.tryCalibrate(m, together);
      if (!m.knowsReleased()) {
        return top;
      }
      return top.map(
          most ->
              released
                  .tryCalibrate(m, together)
                  .filter(known -> known.sensitivity().compareTo(most.sensitivity()) < 0)
                  .orElse(most));
    }

    @Override
    public Rejection whyNot(CalibrationInput m) {
      return ceiling.whyNot(m);
    }
  }

  /** The exponential mechanism, whose score sensitivity must be public (guarantee §6). */
  record SelectionRule() implements MechanismRule {
    @Override
    public Optional<CalibratedMechanism> tryCalibrate(
        CalibrationInput m, List<CalibrationInput> together) {
      return m.measurement() instanceof Measurement.Selected picked
          ? Optional.of(chosen(m, picked))
          : Optional.empty();
    }

    private CalibratedMechanism chosen(CalibrationInput m, Measurement.Selected picked) {
      return m.bound()
          .ceiling()
          .or(() -> m.released().map(Bound::atZero))
          .map(
              top ->
                  new CalibratedMechanism.Selected(
                      new ExponentialMechanism(m.epsilon()), m.inUnits(top), picked))
          .orElseThrow(() -> whyNot(m));
    }

    @Override
    public Rejection whyNot(CalibrationInput m) {
      return Rejection.of(
          RejectionCode.SENSITIVITY_NOT_PUBLIC,
          "The sensitivity of " + m.measurement().origin().aggregate() + " would be private here.",
          "Release the metrics once (flexdp collect --release), or declare the join key unique.",
          m.measurement().origin().at());
    }
  }

  /**
   * Guarantee §5: smooth sensitivity, one mechanism for all bins.
   *
   * @param most outputs, by the structure of a measurement
   * @param alone only for a question that measures nothing else
   */
  record SmoothRule(ToIntFunction<CalibrationInput> most, boolean alone, Calibration calibration)
      implements MechanismRule {
    /** Below this the maximum over distances is so flat that finding it takes for ever. */
    private static final BigDecimal LEAST_SMOOTHING = new BigDecimal("1e-6");

    /** The mechanism for so many outputs. */
    interface Calibration {
      /**
       * @throws Rejection if there is none for what was asked
       */
      Mechanism.Additive of(CalibrationInput m, int outputs);
    }

    @Override
    public Optional<CalibratedMechanism> tryCalibrate(
        CalibrationInput m, List<CalibrationInput> together) {
      if (!m.isAmount()) {
        throw m.unsuitable(
            "MIN, MAX and quantiles are answered by the exponential mechanism only.",
            "Leave the mechanism out.");
      }
      OptionalInt outputs = m.outputs(most.applyAsInt(m));
      return outputs.isEmpty() || alone && together.size() > 1
          ? Optional.empty()
          : Optional.of(smooth(m, calibration.of(m, outputs.getAsInt())));
    }

    @Override
    public Rejection whyNot(CalibrationInput m) {
      return m.unsuitable(
          "The mechanism does not fit a histogram of that many bins, or of bins not known yet.",
          "Use released metrics: flexdp collect --release.");
    }

    static CalibratedMechanism smooth(CalibrationInput m, Mechanism.Additive mechanism) {
      if (mechanism.smoothing().orElseThrow().compareTo(LEAST_SMOOTHING) < 0) {
        throw m.unsuitable(
            "Epsilon is too small for noise whose sensitivity is private.",
            "Use a larger epsilon, or released metrics: flexdp collect --release.");
      }
      SmoothBound bound = smoothed(m.bound(), m.coupling(), mechanism);
      BigDecimal sensitivity = bound.decimal().multiply(m.measurement().unit());
      return new CalibratedMechanism.Additive(mechanism, sensitivity, Optional.of(bound));
    }

    /**
     * A β rounded down gives a bound that is at least as large, and smoother than it has to be.
     * Where the exact maximum might take for ever, it is that of a formula that is never less.
     */
    static SmoothBound smoothed(Bound bound, CoupledUnits coupling, Mechanism.Additive mechanism) {
      double beta = down(mechanism.smoothing().orElseThrow());
      return Smoothing.maximum(
          coupling.isSearchable(beta) ? bound : coupling.together(bound), beta);
    }

    private static double down(BigDecimal beta) {
      double near = beta.doubleValue();
      return new BigDecimal(near).compareTo(beta) > 0 ? Math.nextDown(near) : near;
    }
  }

  /** The paper's mechanism: smooth sensitivity and a δ. */
  record FlexRule() implements MechanismRule {
    private static final BigDecimal LEAST_DELTA = new BigDecimal("1e-100");

    /** Beyond this its calibration is not certain for many outputs, and takes long. */
    private static final BigDecimal MOST_EPSILON = BigDecimal.valueOf(1000);

    private static final SmoothRule SOUND =
        new SmoothRule(
            m -> Flex.MOST_OUTPUTS,
            false,
            (m, outputs) -> Flex.of(m.epsilon(), m.delta(), outputs));

    @Override
    public Optional<CalibratedMechanism> tryCalibrate(
        CalibrationInput m, List<CalibrationInput> together) {
      if (m.isAmount()) {
        require(m);
        if (m.premises().rules() == RuleSet.PAPER) {
          return Optional.of(SmoothRule.smooth(m, Flex.paper(m.epsilon(), m.delta())));
        }
      }
      return SOUND.tryCalibrate(m, together);
    }

    private static void require(CalibrationInput m) {
      if (m.delta().compareTo(LEAST_DELTA) < 0) {
        throw m.unsuitable(
            "The mechanism flex needs a delta of 1e-100 or more.", "Give a delta such as 1e-9.");
      }
      if (m.epsilon().compareTo(MOST_EPSILON) > 0) {
        throw m.unsuitable(
            "The mechanism flex takes an epsilon of at most 1000 for each measurement.",
            "Use a smaller epsilon, or leave the mechanism out.");
      }
    }

    @Override
    public Rejection whyNot(CalibrationInput m) {
      return SOUND.whyNot(m);
    }
  }

  /** The formula at proposed numbers, which are tested before they are used. */
  record ProposeRule(ProposedMetrics proposal) implements MechanismRule {
    private static final BigDecimal LEAST_DELTA = new BigDecimal("1e-100");

    /** Below this, the parts of ε would be too small to be one. */
    private static final BigDecimal LEAST_EPSILON = new BigDecimal("1e-8");

    private static final MechanismRule QUANTILE = new SelectionRule();
    private static final MechanismRule CEILING = new CeilingRule(m -> Laplace.of(m.epsilon()));

    @Override
    public Optional<CalibratedMechanism> tryCalibrate(
        CalibrationInput m, List<CalibrationInput> together) {
      return m.isAmount()
          ? CEILING.tryCalibrate(m, together).or(() -> Optional.of(proposed(m)))
          : QUANTILE.tryCalibrate(m, together);
    }

    private CalibratedMechanism proposed(CalibrationInput m) {
      if (m.delta().compareTo(LEAST_DELTA) < 0) {
        throw m.unsuitable("A proposal is tested with a delta above 0.", "Give one such as 1e-9.");
      }
      if (m.epsilon().compareTo(LEAST_EPSILON) < 0) {
        throw m.unsuitable(
            "Epsilon is too small to be shared by a test and an answer.",
            "Use 1e-8 or more for each measurement.");
      }
      // A bound of nothing would be no noise.
      BigInteger b = bound(m).max(BigInteger.ONE);
      return CalibratedMechanism.Additive.ofPublic(
          ProposeTestRelease.of(m.epsilon(), m.delta()), m.inUnits(b));
    }

    private BigInteger bound(CalibrationInput m) {
      try {
        return Sensitivity.proposed(
                m.release(),
                m.measurement(),
                proposal.over(m.premises().metrics()),
                m.premises().neighbors(),
                m.premises().rules())
            .atZero();
      } catch (Rejection e) {
        if (e.code() == RejectionCode.MISSING_METRIC) {
          throw Rejection.of(
              RejectionCode.PROPOSAL_KEYS, e.message(), e.hint(), m.measurement().origin().at());
        }
        throw e;
      }
    }

    @Override
    public Rejection whyNot(CalibrationInput m) {
      return unneeded().orAt(m.measurement().origin().at());
    }

    /** The refusal where no measurement rests on what is proposed. */
    static Rejection unneeded() {
      return Rejection.of(
          RejectionCode.PROPOSAL_KEYS,
          "The noise of this question rests on no max frequency, so there is nothing to propose.",
          "Leave the proposal out.");
    }
  }
}
