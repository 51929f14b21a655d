package flexdp.plan;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.metrics.Metrics;
import flexdp.noise.Gaussian;
import flexdp.noise.Mechanism;
import flexdp.policy.Neighbors;
import flexdp.query.LabelSource;
import flexdp.query.Labels;
import flexdp.query.Measurement;
import flexdp.query.NoisyAggregate;
import flexdp.sensitivity.Bound;
import flexdp.sensitivity.CoupledUnits;
import flexdp.sensitivity.RuleSet;
import flexdp.sensitivity.Sensitivity;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * One measurement on its way to a mechanism.
 *
 * @param bound private
 * @param epsilon its share
 * @param delta its share, for mechanisms that need one
 */
record CalibrationInput(
    NoisyAggregate release,
    Measurement measurement,
    Bound bound,
    BigDecimal epsilon,
    BigDecimal delta,
    Premises premises) {
  /** What bounds rest on. */
  record Premises(Metrics metrics, Neighbors neighbors, RuleSet rules) {}

  /** Whether it is a number to which noise is added, and not a value that is chosen. */
  boolean isAmount() {
    return measurement instanceof Measurement.Additive;
  }

  private static final BigDecimal LEAST_DELTA = new BigDecimal("1e-90");
  private static final BigDecimal LEAST_EPSILON = new BigDecimal("1e-6");
  private static final BigDecimal MOST_EPSILON = BigDecimal.valueOf(100);

  /** Gaussian noise that is chosen by itself: nothing where ε or δ are beyond it. */
  static Optional<Gaussian> gaussian(BigDecimal epsilon, BigDecimal delta) {
    boolean fits =
        delta.compareTo(LEAST_DELTA) >= 0
            && epsilon.compareTo(LEAST_EPSILON) >= 0
            && epsilon.compareTo(MOST_EPSILON) <= 0;
    return fits
        ? Optional.of(Gaussian.ofZcdp(Mechanism.rhoOfPure(epsilon), delta))
        : Optional.empty();
  }

  /** Of the ρ = ε²/2 that ε buys where ρ adds up. */
  Gaussian gaussian() {
    if (delta.compareTo(LEAST_DELTA) < 0) {
      throw unsuitable("Gaussian noise needs a delta of 1e-90 or more.", "Give one such as 1e-9.");
    }
    if (epsilon.compareTo(LEAST_EPSILON) < 0 || epsilon.compareTo(MOST_EPSILON) > 0) {
      throw unsuitable(
          "Gaussian noise takes an epsilon from 1e-6 to 100 for each measurement.",
          "Use another epsilon, or leave the mechanism out.");
    }
    return Gaussian.ofZcdp(Mechanism.rhoOfPure(epsilon), delta);
  }

  BigDecimal inUnits(BigInteger value) {
    return new BigDecimal(value).multiply(measurement.unit());
  }

  /** How many numbers it consists of, if that is known and within the limit. */
  OptionalInt outputs(int most) {
    OptionalInt outputs = Outputs.of(release);
    return outputs.isPresent() && outputs.getAsInt() >= 1 && outputs.getAsInt() <= most
        ? outputs
        : OptionalInt.empty();
  }

  /** Without any released number there is nothing that the structure alone does not say. */
  boolean knowsReleased() {
    return !premises.metrics().released().isEmpty();
  }

  /** The bound at released metrics, which is public, if all that it needs was released. */
  Optional<Bound> released() {
    if (!knowsReleased() && bound.ceiling().isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          Sensitivity.released(
              release, measurement, premises.metrics(), premises.neighbors(), premises.rules()));
    } catch (Rejection e) {
      if (e.code() == RejectionCode.MISSING_METRIC) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /** Whether the bound grows no faster than the distance, which its structure says. */
  boolean isLinear() {
    return Sensitivity.isLinear(
        release, measurement, premises.metrics(), premises.neighbors(), premises.rules());
  }

  /** Which units a search for the smooth bound looks at together, by the bound's structure. */
  CoupledUnits coupling() {
    return Sensitivity.coupling(
        release, measurement, premises.metrics(), premises.neighbors(), premises.rules());
  }

  Rejection unsuitable(String message, String hint) {
    return Rejection.of(
        RejectionCode.MECHANISM_UNSUITABLE, message, hint, measurement.origin().at());
  }

  /**
   * How many numbers a measurement consists of, as far as that is known before anything is asked.
   */
  static final class Outputs {
    private static final int MANY = 1_000_000;

    private Outputs() {}

    static OptionalInt of(NoisyAggregate release) {
      int sets = Math.max(1, release.groupingSets().size());
      return switch (release.labels()) {
        case Labels.None ignored -> OptionalInt.of(sets);
        case Labels.Supplied supplied -> times(sets, supplied.rows().size());
        case Labels.Enumerated enumerated -> product(sets, enumerated);
        case Labels.Thresholded ignored -> OptionalInt.empty();
      };
    }

    private static OptionalInt product(int sets, Labels.Enumerated enumerated) {
      OptionalInt product = OptionalInt.of(sets);
      for (LabelSource source : enumerated.sources()) {
        if (product.isEmpty() || !(source instanceof LabelSource.Constants constants)) {
          return OptionalInt.empty();
        }
        product = times(product.getAsInt(), constants.rows().size());
      }
      return product;
    }

    private static OptionalInt times(int a, int b) {
      long product = (long) a * b;
      return product > MANY ? OptionalInt.empty() : OptionalInt.of((int) product);
    }
  }
}
