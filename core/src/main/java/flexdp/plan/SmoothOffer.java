package flexdp.plan;

import flexdp.failure.Rejection;
import flexdp.noise.Mechanism;
import flexdp.question.Measurement;
import flexdp.sensitivity.Bound;
import flexdp.sensitivity.Coupling;
import flexdp.smooth.SmoothBound;
import flexdp.smooth.Smoothing;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.ToIntFunction;

/**
 * Guarantee §5: smooth sensitivity, one mechanism for all bins.
 *
 * @param most outputs, by the structure of a measurement
 * @param alone only for a question that measures nothing else
 */
record SmoothOffer(ToIntFunction<Measured> most, boolean alone, Calibration calibration)
    implements Offer {
  /** Below this the maximum over distances is so flat that finding it takes for ever. */
  private static final BigDecimal LEAST_SMOOTHING = new BigDecimal("1e-6");

  /** The mechanism for so many outputs. */
  interface Calibration {
    /**
     * @throws Rejection if there is none for what was asked
     */
    Mechanism.Additive of(Measured m, int outputs);
  }

  @Override
  public Optional<Calibrated> serve(Measured m, List<Measured> together) {
    return switch (m.measurement()) {
      case Measurement.Amount ignored -> {
        OptionalInt outputs = m.outputs(most.applyAsInt(m));
        yield outputs.isEmpty() || alone && together.size() > 1
            ? Optional.empty()
            : Optional.of(smooth(m, calibration.of(m, outputs.getAsInt())));
      }
      case Measurement.Picked ignored ->
          throw m.unsuitable(
              "MIN, MAX and quantiles are answered by the exponential mechanism only.",
              "Leave the mechanism out.");
    };
  }

  @Override
  public Rejection refusal(Measured m) {
    return m.unsuitable(
        "The mechanism does not fit a histogram of that many bins, or of bins not known yet.",
        "Use released metrics: flexdp collect --release.");
  }

  static Calibrated smooth(Measured m, Mechanism.Additive mechanism) {
    if (mechanism.smoothing().orElseThrow().compareTo(LEAST_SMOOTHING) < 0) {
      throw m.unsuitable(
          "Epsilon is too small for noise whose sensitivity is private.",
          "Use a larger epsilon, or released metrics: flexdp collect --release.");
    }
    SmoothBound bound = smoothed(m.bound(), m.coupling(), mechanism);
    BigDecimal sensitivity = bound.decimal().multiply(m.measurement().unit());
    return new Calibrated.Added(mechanism, sensitivity, Optional.of(bound));
  }

  /**
   * A β rounded down gives a bound that is at least as large, and smoother than it has to be. Where
   * the exact maximum might take for ever, it is that of a formula that is never less.
   */
  static SmoothBound smoothed(Bound bound, Coupling coupling, Mechanism.Additive mechanism) {
    double beta = down(mechanism.smoothing().orElseThrow());
    return Smoothing.maximum(coupling.isSearchable(beta) ? bound : coupling.together(bound), beta);
  }

  private static double down(BigDecimal beta) {
    double near = beta.doubleValue();
    return new BigDecimal(near).compareTo(beta) > 0 ? Math.nextDown(near) : near;
  }
}
