package flexdp.noise;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/**
 * How far a sum of independent discrete Laplace draws may be from zero. By Chernoff's bound P(|S| ≥
 * w) ≤ 2·e^(−tw)·M(t)^n for every t below 1/b, with the generating function of one draw on the
 * integers M(t) = (1−r)²/((1−r·e^t)(1−r·e^(−t))), r = e^(−1/b). Wider than need be, never narrower.
 */
public final class LaplaceSum {
  private static final int TRIES = 400;

  /** Covers the rounding of doubles many times over. */
  private static final double OUTWARD = 1 + 1e-9;

  private LaplaceSum() {}

  /**
   * The sum of so many noisy values is within this distance of the sum of the exact ones with at
   * least this probability.
   */
  public static BigDecimal halfWidth(
      Laplace mechanism,
      BigDecimal sensitivity,
      BigDecimal grid,
      BigDecimal confidence,
      int draws) {
    if (draws == 1) {
      return mechanism.halfWidth(sensitivity, grid, confidence);
    }
    double b =
        mechanism
            .exactScale(sensitivity)
            .over(Rational.of(grid))
            .decimal(new MathContext(17, RoundingMode.CEILING))
            .doubleValue();
    if (b == 0) {
      return BigDecimal.ZERO;
    }
    b = Math.nextUp(b);
    double tail = Math.nextDown(BigDecimal.ONE.subtract(confidence).doubleValue());
    double least = Double.POSITIVE_INFINITY;
    for (int i = 1; i < TRIES; i++) {
      double t = i / (TRIES * b);
      least = Math.min(least, (Math.log(2 / tail) + draws * logMoment(t, b)) / t);
    }
    // The bound is on reaching a distance; a sum of whole steps that does not is one step nearer.
    BigDecimal steps = new BigDecimal(least * OUTWARD).setScale(0, RoundingMode.CEILING);
    return grid.multiply(steps.subtract(BigDecimal.ONE).max(BigDecimal.ZERO));
  }

  private static double logMoment(double t, double b) {
    return 2 * Math.log(-Math.expm1(-1 / b))
        - Math.log(-Math.expm1(t - 1 / b))
        - Math.log(-Math.expm1(-t - 1 / b));
  }
}
