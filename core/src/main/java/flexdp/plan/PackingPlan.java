package flexdp.plan;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.people.clipping.ClipLevels;
import flexdp.query.Measurement;
import flexdp.query.NoisyAggregate;
import java.math.BigInteger;
import java.util.Optional;

/**
 * How a number over rows with several owners is made, all of it public.
 *
 * @param owners how many owners a row may have
 * @param bins how many numbers of this kind are asked for; ε is split evenly over them
 */
public record PackingPlan(ClipLevels levels, int owners, int bins) {
  private static final int MOST_BITS = 40;

  /**
   * Of what only grows, which is all that is asked of such rows.
   *
   * @param perPersonAtMost how many rows of a person count, at most, as the owner says
   */
  public static PackingPlan of(
      NoisyAggregate point,
      Measurement measurement,
      int owners,
      int bins,
      Optional<BigInteger> perPersonAtMost) {
    if (!measurement.onlyGrows()) {
      throw new IllegalArgumentException("rows with several owners are counted and summed only");
    }
    if (ClippingPlan.perRow(measurement).bitLength() > MOST_BITS) {
      throw Rejection.of(
          RejectionCode.PEOPLE_UNSUPPORTED,
          "The range of values is too wide, in steps of its type, for rows with several owners.",
          "Declare a narrower range, or convert the argument to a type with fewer digits.",
          point.at());
    }
    return new PackingPlan(ClippingPlan.levels(measurement, perPersonAtMost), owners, bins);
  }

  /** Whether values may be known up to a part of a level only. */
  public boolean isApproximate() {
    return owners > 2;
  }
}
