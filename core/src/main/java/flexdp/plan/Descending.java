package flexdp.plan;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.people.clip.Levels;
import flexdp.question.Measurement;
import flexdp.question.ReleasePoint;
import java.math.BigInteger;
import java.util.Optional;

/**
 * How a number over rows with several owners is made, all of it public.
 *
 * @param owners how many owners a row may have
 * @param bins how many numbers of this kind are asked for; ε is split evenly over them
 */
public record Descending(Levels levels, int owners, int bins) {
  private static final int MOST_BITS = 40;

  /**
   * COUNT or SUM of values that are never below zero.
   *
   * @param perPersonAtMost how many rows of a person count, at most, as the owner says
   */
  public static Descending of(
      ReleasePoint point,
      Measurement measurement,
      int owners,
      int bins,
      Optional<BigInteger> perPersonAtMost) {
    return switch (measurement) {
      case Measurement.Count count ->
          new Descending(Clipping.levels(count, perPersonAtMost), owners, bins);
      case Measurement.Sum sum -> {
        if (sum.clamp().mostTaken().signum() > 0) {
          throw refused(
              point,
              "A SUM over rows with several owners must not have values below zero.",
              "Ask for both parts: SUM(GREATEST(x, 0)) and SUM(GREATEST(-x, 0)).");
        }
        if (Clipping.perRow(sum).bitLength() > MOST_BITS) {
          throw refused(
              point,
              "The range of values is too wide, in steps of its type, for rows with several"
                  + " owners.",
              "Declare a narrower range, or convert the argument to a type with fewer digits.");
        }
        yield new Descending(Clipping.levels(sum, perPersonAtMost), owners, bins);
      }
      case Measurement.CountDistinct ignored ->
          throw refused(
              point,
              "COUNT(DISTINCT ...) over rows with several owners is not answered.",
              "Count rows instead.");
      case Measurement.Picked ignored ->
          throw refused(
              point,
              "Quantiles, MIN and MAX over rows with several owners are not answered.",
              "Ask for COUNT or SUM.");
    };
  }

  /** Whether values may be known up to a part of a level only. */
  public boolean isApproximate() {
    return owners > 2;
  }

  private static Rejection refused(ReleasePoint point, String message, String hint) {
    return Rejection.of(RejectionCode.PEOPLE_UNSUPPORTED, message, hint, point.at());
  }
}
