package flexdp.budget;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/**
 * Upper bounds of logarithms and roots in decimals: every operation rounds up, and the rest of a
 * series is bounded by a geometric one. No binary floating point, so no decision depends on it.
 */
final class Logarithm {
  private static final MathContext UP = new MathContext(50, RoundingMode.CEILING);
  private static final MathContext DOWN = new MathContext(50, RoundingMode.FLOOR);
  private static final BigDecimal SMALL = new BigDecimal("1e-45");
  private static final BigDecimal TEN = BigDecimal.TEN;

  /** An upper bound of ln 10. */
  private static final BigDecimal LN_TEN = series(TEN);

  private Logarithm() {}

  /** An upper bound of ln(1/p) for 0 &lt; p &lt; 1; 0 for p = 0, where callers refuse anyway. */
  static BigDecimal ofInverse(BigDecimal p) {
    if (p.signum() == 0) {
      return BigDecimal.ZERO;
    }
    // 1/p = 10^n · m with 1 ≤ m < 10, up to the rounding of the division.
    BigDecimal inverse = BigDecimal.ONE.divide(p, UP);
    int n = inverse.precision() - inverse.scale() - 1;
    BigDecimal m = inverse.movePointLeft(n);
    return LN_TEN.multiply(BigDecimal.valueOf(n), UP).add(series(m), UP);
  }

  /** ln m = 2·Σ z^(2i+1)/(2i+1) with z = (m−1)/(m+1), for m ≥ 1; all terms are positive. */
  private static BigDecimal series(BigDecimal m) {
    BigDecimal z = m.subtract(BigDecimal.ONE).divide(m.add(BigDecimal.ONE), UP);
    BigDecimal square = z.multiply(z, UP);
    BigDecimal power = z;
    BigDecimal sum = BigDecimal.ZERO;
    for (int i = 1; power.compareTo(SMALL) > 0; i += 2) {
      sum = sum.add(power.divide(BigDecimal.valueOf(i), UP), UP);
      power = power.multiply(square, UP);
    }
    BigDecimal rest = power.divide(BigDecimal.ONE.subtract(square, DOWN), UP);
    return sum.add(rest, UP).multiply(BigDecimal.valueOf(2), UP);
  }

  /** An upper bound of √x, exact when x is the square of a short decimal. */
  static BigDecimal sqrtUp(BigDecimal x) {
    return x.signum() == 0 ? BigDecimal.ZERO : x.sqrt(new MathContext(40, RoundingMode.CEILING));
  }
}
