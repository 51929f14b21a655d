package flexdp.noise;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;

/**
 * An enclosure of a real number: low·2^-p ≤ x ≤ high·2^-p. Every operation rounds outwards, so what
 * is decided by an interval is true of the number.
 */
record Enclosure(BigInteger low, BigInteger high, int p) {
  private static final BigInteger TWO = BigInteger.TWO;

  Enclosure {
    if (low.compareTo(high) > 0) {
      throw new ArithmeticException("an empty interval");
    }
  }

  static Enclosure of(Rational value, int p) {
    BigInteger scaled = value.numerator().shiftLeft(p);
    return new Enclosure(
        floor(scaled, value.denominator()),
        floor(scaled.negate(), value.denominator()).negate(),
        p);
  }

  static Enclosure of(long value, int p) {
    return of(Rational.of(value), p);
  }

  Enclosure plus(Enclosure other) {
    return new Enclosure(low.add(other.low), high.add(other.high), p);
  }

  Enclosure minus(Enclosure other) {
    return plus(other.negate());
  }

  Enclosure negate() {
    return new Enclosure(high.negate(), low.negate(), p);
  }

  Enclosure times(Enclosure other) {
    if (low.signum() >= 0 && other.low.signum() >= 0) {
      return new Enclosure(down(low.multiply(other.low)), up(high.multiply(other.high)), p);
    }
    BigInteger a = low.multiply(other.low);
    BigInteger b = low.multiply(other.high);
    BigInteger c = high.multiply(other.low);
    BigInteger d = high.multiply(other.high);
    return new Enclosure(down(a.min(b).min(c.min(d))), up(a.max(b).max(c.max(d))), p);
  }

  Enclosure times(Rational factor) {
    BigInteger a = low.multiply(factor.numerator());
    BigInteger b = high.multiply(factor.numerator());
    BigInteger divisor = factor.denominator();
    return new Enclosure(floor(a.min(b), divisor), floor(a.max(b).negate(), divisor).negate(), p);
  }

  private static BigInteger floor(BigInteger value, BigInteger divisor) {
    BigInteger[] parts = value.divideAndRemainder(divisor);
    return parts[1].signum() < 0 ? parts[0].subtract(BigInteger.ONE) : parts[0];
  }

  /** 1/x for x &gt; 0. */
  Enclosure inverse() {
    if (low.signum() <= 0) {
      throw new ArithmeticException("division by an interval that holds zero");
    }
    BigInteger one = BigInteger.ONE.shiftLeft(2 * p);
    return new Enclosure(one.divide(high), one.divide(low).add(BigInteger.ONE), p);
  }

  Enclosure exp() {
    BigInteger least = Elementary.exp(low, p);
    return new Enclosure(
        least.subtract(BigInteger.ONE).max(BigInteger.ZERO),
        isNarrow() ? expOfHigh(least.add(TWO)) : Elementary.exp(high, p).add(TWO),
        p);
  }

  /** e^(x+d) ≤ e^x·(1 + d + d²) ≤ e^x·(1 + 2d) for 0 ≤ d ≤ 1, which saves a second series. */
  private BigInteger expOfHigh(BigInteger expOfLow) {
    return expOfLow.add(up(expOfLow.multiply(high.subtract(low).shiftLeft(1))));
  }

  private boolean isNarrow() {
    return high.subtract(low).bitLength() < p - 16;
  }

  /** ln(x+d) ≤ ln x + d/x. */
  Enclosure ln() {
    BigInteger least = Elementary.ln(low, p);
    BigInteger rise = floor(low.subtract(high).shiftLeft(p), low).negate();
    return new Enclosure(least.subtract(BigInteger.ONE), least.add(TWO).add(rise), p);
  }

  /** The same enclosure, outwards, with other digits. */
  Enclosure to(int digits) {
    return digits >= p
        ? new Enclosure(low.shiftLeft(digits - p), high.shiftLeft(digits - p), digits)
        : new Enclosure(
            low.shiftRight(p - digits), high.negate().shiftRight(p - digits).negate(), digits);
  }

  /** Certainly at most. */
  boolean atMost(Enclosure other) {
    return high.compareTo(other.low) <= 0;
  }

  boolean contains(Enclosure other) {
    return low.compareTo(other.low) <= 0 && other.high.compareTo(high) <= 0;
  }

  Rational lower() {
    return new Rational(low, BigInteger.ONE.shiftLeft(p));
  }

  Rational upper() {
    return new Rational(high, BigInteger.ONE.shiftLeft(p));
  }

  /** A decimal that is certainly not above x. */
  BigDecimal floor(int digits) {
    return lower().decimal(new MathContext(digits, RoundingMode.FLOOR));
  }

  private BigInteger down(BigInteger product) {
    return product.shiftRight(p);
  }

  private BigInteger up(BigInteger product) {
    return product.negate().shiftRight(p).negate();
  }
}
