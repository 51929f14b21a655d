package flexdp.noise;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;

/** An exact fraction in lowest terms, the denominator positive. */
public record Rational(BigInteger numerator, BigInteger denominator)
    implements Comparable<Rational> {
  public static final Rational ZERO = of(0);
  public static final Rational ONE = of(1);

  public Rational {
    if (denominator.signum() == 0) {
      throw new ArithmeticException("division by zero");
    }
    if (!denominator.equals(BigInteger.ONE)) {
      BigInteger divisor = numerator.gcd(denominator);
      divisor = denominator.signum() < 0 ? divisor.negate() : divisor;
      numerator = numerator.divide(divisor);
      denominator = denominator.divide(divisor);
    }
  }

  public static Rational of(long value) {
    return new Rational(BigInteger.valueOf(value), BigInteger.ONE);
  }

  public static Rational of(long numerator, long denominator) {
    return new Rational(BigInteger.valueOf(numerator), BigInteger.valueOf(denominator));
  }

  public static Rational of(BigInteger value) {
    return new Rational(value, BigInteger.ONE);
  }

  public static Rational of(BigDecimal value) {
    return value.scale() <= 0
        ? of(value.toBigIntegerExact())
        : new Rational(value.unscaledValue(), BigInteger.TEN.pow(value.scale()));
  }

  public Rational plus(Rational other) {
    if (denominator.equals(other.denominator)) {
      return new Rational(numerator.add(other.numerator), denominator);
    }
    return new Rational(
        numerator.multiply(other.denominator).add(other.numerator.multiply(denominator)),
        denominator.multiply(other.denominator));
  }

  public Rational minus(Rational other) {
    return plus(other.negate());
  }

  public Rational times(Rational other) {
    return new Rational(
        numerator.multiply(other.numerator), denominator.multiply(other.denominator));
  }

  public Rational over(Rational other) {
    return new Rational(
        numerator.multiply(other.denominator), denominator.multiply(other.numerator));
  }

  public Rational negate() {
    return new Rational(numerator.negate(), denominator);
  }

  public int signum() {
    return numerator.signum();
  }

  public BigInteger floor() {
    BigInteger[] parts = numerator.divideAndRemainder(denominator);
    return parts[1].signum() < 0 ? parts[0].subtract(BigInteger.ONE) : parts[0];
  }

  public BigInteger ceiling() {
    return negate().floor().negate();
  }

  /** Rounded as the context says; the direction is the caller's duty. */
  public BigDecimal decimal(MathContext context) {
    return new BigDecimal(numerator).divide(new BigDecimal(denominator), context);
  }

  public double doubleValue() {
    return decimal(MathContext.DECIMAL64).doubleValue();
  }

  @Override
  public int compareTo(Rational other) {
    return denominator.equals(other.denominator)
        ? numerator.compareTo(other.numerator)
        : numerator.multiply(other.denominator).compareTo(other.numerator.multiply(denominator));
  }

  @Override
  public String toString() {
    return denominator.equals(BigInteger.ONE)
        ? numerator.toString()
        : numerator + "/" + denominator;
  }
}
