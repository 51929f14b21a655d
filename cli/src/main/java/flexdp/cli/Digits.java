package flexdp.cli;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * How many digits behind the point an error bar supports: those down to the second one of half its
 * width. Ends are rounded outward, so that what is printed holds as surely; programs get all
 * digits.
 */
record Digits(int places) {
  static Digits of(BigDecimal low, BigDecimal high) {
    BigDecimal half = high.subtract(low).divide(BigDecimal.TWO);
    if (half.signum() <= 0) {
      return new Digits(Integer.MAX_VALUE);
    }
    int exponent = half.precision() - half.scale() - 1;
    return new Digits(Math.max(0, 1 - exponent));
  }

  BigDecimal nearest(BigDecimal value) {
    return rounded(value, RoundingMode.HALF_EVEN);
  }

  BigDecimal low(BigDecimal end) {
    return rounded(end, RoundingMode.FLOOR);
  }

  BigDecimal high(BigDecimal end) {
    return rounded(end, RoundingMode.CEILING);
  }

  private BigDecimal rounded(BigDecimal value, RoundingMode mode) {
    return value.scale() <= places ? value : value.setScale(places, mode);
  }
}
