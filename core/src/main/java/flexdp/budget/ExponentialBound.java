package flexdp.budget;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Upper bounds of e^x in decimals: every operation rounds up, and the rest of the series too. */
final class ExponentialBound {
  private static final MathContext UP = new MathContext(50, RoundingMode.CEILING);
  private static final int TERMS = 40;

  private ExponentialBound() {}

  /**
   * An upper bound of e^x for 0 ≤ x ≤ 1000, by e^x = (e^(x/2^k))^(2^k) with x/2^k ≤ 1. The rest of
   * the series after n terms is at most twice its first term, since the terms halve at least.
   */
  static BigDecimal up(BigDecimal x) {
    if (x.signum() < 0 || x.compareTo(BigDecimal.valueOf(1000)) > 0) {
      throw new IllegalArgumentException("not between 0 and 1000: " + x.toEngineeringString());
    }
    int halvings = 0;
    BigDecimal y = x;
    while (y.compareTo(BigDecimal.ONE) > 0) {
      y = y.divide(BigDecimal.TWO, UP);
      halvings++;
    }
    BigDecimal term = BigDecimal.ONE;
    BigDecimal sum = BigDecimal.ONE;
    for (int n = 1; n <= TERMS; n++) {
      term = term.multiply(y, UP).divide(BigDecimal.valueOf(n), UP);
      sum = sum.add(term, UP);
    }
    sum = sum.add(term.add(term), UP);
    for (int i = 0; i < halvings; i++) {
      sum = sum.multiply(sum, UP);
    }
    return sum;
  }
}
