package flexdp.noise;

import java.math.BigInteger;

/**
 * exp and ln in fixed point, with a proven error, so that an {@link Enclosure} can enclose them.
 *
 * <p>A number x is held as the integer x·2^p. Both functions return an integer y with y − 1 &lt;
 * f(x)·2^p &lt; y + 2. They work with so many more digits that the errors named in the comments
 * stay below 2⁻⁹ of the last digit returned; the rest is the final floor.
 */
final class Elementary {
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
    if (x.signum() < 0 && x.bitLength() > p + Integer.SIZE - Integer.numberOfLeadingZeros(p + 4)) {
      // x < −(p+4), so e^x < 2^−(p+4).
      return BigInteger.ZERO;
    }
    if (x.bitLength() > p + 24) {
      throw new ArithmeticException("the exponential is out of range");
    }
    int k = x.divide(ln2(p + 32).shiftRight(32)).intValueExact();
    int w =
        p + 40 + 2 * Integer.SIZE - Integer.numberOfLeadingZeros(Math.abs(k) + p) + Math.max(k, 0);
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
   * where |y| ≤ 1/5. In units of 2^-w: y errs by 1, its square by 1, each of at most w/4 + 2 terms
   * by 3, e·ln 2 by |e|.
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
