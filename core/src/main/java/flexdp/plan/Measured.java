package flexdp.plan;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.metrics.Metrics;
import flexdp.policy.Neighbors;
import flexdp.question.Measurement;
import flexdp.question.ReleasePoint;
import flexdp.sensitivity.Bound;
import flexdp.sensitivity.Rules;
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
record Measured(
    ReleasePoint release,
    Measurement measurement,
    Bound bound,
    BigDecimal epsilon,
    BigDecimal delta,
    Premises premises) {
  /** What bounds rest on. */
  record Premises(Metrics metrics, Neighbors neighbors, Rules rules) {}

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

  /** The bound at released metrics, which is public, if all that it needs was released. */
  Optional<Bound> released() {
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

  Rejection unsuitable(String message, String hint) {
    return Rejection.of(
        RejectionCode.MECHANISM_UNSUITABLE, message, hint, measurement.origin().at());
  }
}
