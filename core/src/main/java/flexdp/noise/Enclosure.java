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

  /** This enclosure with other digits, rounded outwards. */
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

  /**
   * exp and ln in fixed point, with a proven error, so that an {@link Enclosure} can enclose them.
   *
   * <p>A number x is held as the integer x·2^p. Both functions return an integer y with y − 1 &lt;
   * f(x)·2^p &lt; y + 2. They work with so many more digits that the errors named in the comments
   * stay below 2⁻⁹ of the last digit returned; the rest is the final floor.
   */
  private static final class Elementary {
    private static final int STORED = 2048;
    private static final BigInteger LN2_STORED = ln2ByMachin(STORED);
    private static final int HALVINGS = 8;

    private Elementary() {}

    /** ln 2 with an error below one unit of 2^-p. */
    static BigInteger ln2(int p) {
      return p <= STORED ? LN2_STORED.shiftRight(STORED - p) : ln2ByMachin(p);
    }

    /** ln 2 = 18·artanh(1/26) − 2·artanh(1/4801) + 8·artanh(1/8749), with 32 digits to spare. */
    private static BigInteger ln2ByMachin(int p) {
      int w = p + 32;
      return artanhOfInverse(26, w)
          .multiply(BigInteger.valueOf(18))
          .subtract(artanhOfInverse(4801, w).shiftLeft(1))
          .add(artanhOfInverse(8749, w).shiftLeft(3))
          .shiftRight(32);
    }

    private static BigInteger artanhOfInverse(long n, int w) {
      BigInteger square = BigInteger.valueOf(n * n);
      BigInteger power = BigInteger.ONE.shiftLeft(w).divide(BigInteger.valueOf(n));
      BigInteger sum = BigInteger.ZERO;
      for (long k = 1; power.signum() != 0; k += 2) {
        sum = sum.add(power.divide(BigInteger.valueOf(k)));
        power = power.divide(square);
      }
      return sum;
    }

    /**
     * e^x. With x = k·ln 2 + r, 0 ≤ r &lt; ln 2: Taylor's series at r/2⁸, squared eight times,
     * shifted by k. In units of 2^-w the reduction errs by |k|+1, the series by its number of terms
     * (under w/8 + 8), each squaring triples the error at most: under 3⁸·(w + |k|), and the shift
     * multiplies by 2^k.
     */
    static BigInteger exp(BigInteger x, int p) {
      if (x.signum() < 0
          && x.bitLength() > p + Integer.SIZE - Integer.numberOfLeadingZeros(p + 4)) {
        // x < −(p+4), so e^x < 2^−(p+4).
        return BigInteger.ZERO;
      }
      if (x.bitLength() > p + 24) {
        throw new ArithmeticException("the exponential is out of range");
      }
      int k = x.divide(ln2(p + 32).shiftRight(32)).intValueExact();
      int w =
          p
              + 40
              + 2 * Integer.SIZE
              - Integer.numberOfLeadingZeros(Math.abs(k) + p)
              + Math.max(k, 0);
      BigInteger ln2 = ln2(w);
      BigInteger scaled = x.shiftLeft(w - p);
      BigInteger r = scaled.subtract(ln2.multiply(BigInteger.valueOf(k)));
      while (r.signum() < 0) {
        r = r.add(ln2);
        k--;
      }
      r = r.shiftRight(HALVINGS);
      BigInteger term = BigInteger.ONE.shiftLeft(w);
      BigInteger sum = term;
      for (int n = 1; term.signum() != 0; n++) {
        term = term.multiply(r).shiftRight(w).divide(BigInteger.valueOf(n));
        sum = sum.add(term);
      }
      for (int i = 0; i < HALVINGS; i++) {
        sum = sum.multiply(sum).shiftRight(w);
      }
      int shift = w - p - k;
      return shift >= 0 ? sum.shiftRight(shift) : sum.shiftLeft(-shift);
    }

    /**
     * ln x for x &gt; 0. With x = m·2^e, 3/4 ≤ m &lt; 3/2, y = (m−1)/(m+1): e·ln 2 + 2·artanh y,
     * where |y| ≤ 1/5. In units of 2^-w: y errs by 1, its square by 1, each of at most w/4 + 2
     * terms by 3, e·ln 2 by |e|.
     */
    static BigInteger ln(BigInteger x, int p) {
      if (x.signum() <= 0) {
        throw new ArithmeticException("the logarithm of a number that is not positive");
      }
      int e = x.bitLength() - 1 - p;
      int w = p + 48 + Integer.SIZE - Integer.numberOfLeadingZeros(Math.abs(e) + p);
      // An x with more digits than w loses the rest; m then errs by one unit, y by less.
      BigInteger m = e + p <= w ? x.shiftLeft(w - e - p) : x.shiftRight(e + p - w);
      BigInteger one = BigInteger.ONE.shiftLeft(w);
      if (m.testBit(w - 1)) {
        m = m.shiftRight(1);
        e++;
      }
      BigInteger y = m.subtract(one).shiftLeft(w).divide(m.add(one));
      BigInteger square = y.multiply(y).shiftRight(w);
      BigInteger power = y;
      BigInteger sum = BigInteger.ZERO;
      for (long n = 1; power.bitLength() > 1; n += 2) {
        sum = sum.add(power.divide(BigInteger.valueOf(n)));
        power = power.multiply(square).shiftRight(w);
      }
      return ln2(w).multiply(BigInteger.valueOf(e)).add(sum.shiftLeft(1)).shiftRight(w - p);
    }
  }
}
