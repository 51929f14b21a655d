package flexdp.noise;

import java.math.BigDecimal;

/**
 * When a bin whose label comes from the data may be shown (guarantee §7).
 *
 * <p>At most T bins change between neighbours. One that exists in one of two neighbours only holds
 * at most Δ∞, and passes with probability P(Z &gt; x) = r^(x+1)/(1+r) ≤ ½·e^(−x/b) for whole x, so
 * x = b·ln(T/(2δ)) makes all of them together at most δ. The bound needs x whole: hence up to the
 * grid.
 */
public final class LabelThreshold {
  private LabelThreshold() {}

  /**
   * What a noisy count has to pass, strictly: Δ∞ + b·ln(T/(2δ)).
   *
   * @param largest Δ∞: what one bin can hold in one neighbour while it is absent in the other
   * @param scale b, public, of discrete Laplace noise on the grid
   * @param touched T: bins that change between neighbours (2T under replace-one)
   */
  public static BigDecimal of(
      BigDecimal largest, Rational scale, BigDecimal touched, BigDecimal delta, BigDecimal grid) {
    Rational odds =
        Rational.of(touched).over(Rational.of(Privacy.checkDelta(delta)).times(Rational.of(2)));
    BigDecimal base = Calibration.upToGrid(Rational.of(largest), grid);
    if (odds.compareTo(Rational.ONE) <= 0) {
      return base;
    }
    Enclosure log = Enclosure.of(odds, Calibration.PRECISION).ln();
    return base.add(Calibration.upToGrid(log.times(scale).upper(), grid));
  }
}
