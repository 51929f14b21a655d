package flexdp.smooth;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;

/** A value e^{-β·distance}·U to forty digits. */
record Peak(BigDecimal value, long distance) {
  private static final MathContext DIGITS = new MathContext(50);
  private static final int BITS = 192;
  private static final int SMALL = 12;
  private static final BigDecimal MOST_IN_INTEGERS = BigDecimal.valueOf(64);
  private static final BigDecimal SIXTEENTH = new BigDecimal("0.0625");

  static Peak at(BigInteger bound, BigDecimal beta, long distance) {
    BigDecimal exponent = beta.multiply(BigDecimal.valueOf(distance));
    return new Peak(new BigDecimal(bound).multiply(expOfMinus(exponent), DIGITS), distance);
  }

  Peak higher(Peak other) {
    return other.value.compareTo(value) > 0 ? other : this;
  }

  /**
   * e^{-x} for x ≥ 0: the series at x/2ⁿ, below 1/4096, squared n times. In integers of 2⁻¹⁹² where
   * e^x is not too large for them: each step is off by less than one of these, squaring doubles
   * what is off, and more than fifty digits are left.
   */
  static BigDecimal expOfMinus(BigDecimal x) {
    if (x.compareTo(MOST_IN_INTEGERS) > 0) {
      return ofLarge(x);
    }
    int halvings = Math.max(0, x.toBigInteger().bitLength() + SMALL);
    BigInteger small =
        x.unscaledValue()
            .shiftLeft(BITS - halvings)
            .divide(BigInteger.TEN.pow(Math.max(0, x.scale())))
            .multiply(BigInteger.TEN.pow(Math.max(0, -x.scale())));
    BigInteger one = BigInteger.ONE.shiftLeft(BITS);
    BigInteger sum = one;
    BigInteger term = one;
    for (int i = 1; term.signum() != 0; i++) {
      term = term.multiply(small).shiftRight(BITS).divide(BigInteger.valueOf(i));
      sum = sum.add(term);
    }
    for (int i = 0; i < halvings; i++) {
      sum = sum.multiply(sum).shiftRight(BITS);
    }
    return new BigDecimal(one).divide(new BigDecimal(sum), DIGITS);
  }

  private static BigDecimal ofLarge(BigDecimal x) {
    int halvings = 0;
    BigDecimal small = x;
    while (small.compareTo(SIXTEENTH) > 0) {
      small = small.divide(BigDecimal.TWO, DIGITS);
      halvings++;
    }
    BigDecimal sum = BigDecimal.ONE;
    BigDecimal term = BigDecimal.ONE;
    for (int i = 1; term.signum() != 0 && term.precision() - term.scale() > -50; i++) {
      term = term.multiply(small, DIGITS).divide(BigDecimal.valueOf(i), DIGITS);
      sum = sum.add(term, DIGITS);
    }
    for (int i = 0; i < halvings; i++) {
      sum = sum.multiply(sum, DIGITS);
    }
    return BigDecimal.ONE.divide(sum, DIGITS);
  }

  /**
   * The least double that is not below the value. Away from distance 0 the value carries an error
   * far below one bit, which is made up for. What no double can hold is infinite.
   */
  double roundedUp() {
    BigDecimal above = above();
    double near = above.doubleValue();
    return Double.isInfinite(near) || new BigDecimal(near).compareTo(above) >= 0
        ? near
        : Math.nextUp(near);
  }

  /** Never below the value, which carries an error far below one bit of a double. */
  BigDecimal above() {
    return distance == 0
        ? value
        : value
            .multiply(new BigDecimal("1.00000000000000000000000000000001"))
            .round(new MathContext(45, RoundingMode.CEILING));
  }
}
