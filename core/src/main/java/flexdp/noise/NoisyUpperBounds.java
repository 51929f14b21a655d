package flexdp.noise;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;

/**
 * Whole numbers published so that, with all but a small probability, none is below the truth: x + Z
 * + ⌈b·ln(n/δ)⌉, Z discrete Laplace of scale b, n numbers published together.
 *
 * <p>Z is below −w, w whole, with probability r^(w+1)/(1+r) ≤ ½·e^(−w/b), so one of n falls short
 * with probability at most δ/2.
 */
public final class NoisyUpperBounds {
  private NoisyUpperBounds() {}

  /** ⌈b·ln(n/δ)⌉, rounded up. */
  public static BigInteger margin(Rational scale, int together, BigDecimal delta) {
    Rational odds = Rational.of(together).over(Rational.of(PrivacyParameters.checkDelta(delta)));
    Enclosure log = Enclosure.of(odds, Calibration.PRECISION).ln();
    return log.times(scale).upper().ceiling();
  }

  /**
   * Noisy bounds, none of them negative.
   *
   * @param scale b: how far all numbers of one release move between neighbours, over ε
   * @param together n, at least the number of values
   */
  public static List<BigInteger> publish(
      List<BigInteger> values, Rational scale, int together, BigDecimal delta, BitSource source) {
    if (values.isEmpty()) {
      return List.of();
    }
    if (together < values.size()) {
      throw new IllegalArgumentException("more values than are counted together");
    }
    BigInteger margin = margin(scale, together, delta);
    DiscreteLaplace z = new DiscreteLaplace(scale);
    return values.stream()
        .map(x -> x.add(z.sample(source)).add(margin).max(BigInteger.ZERO))
        .toList();
  }
}
