package flexdp.noise;

import java.math.BigInteger;
import java.util.function.IntFunction;

/**
 * A uniform real number in [0, 1] of which only the binary digits asked for have been drawn. It
 * stays the same number however many more are drawn, which is why decisions taken from an enclosure
 * of it are exact.
 */
final class LazyUniform {
  private final BitSource source;
  private BigInteger digits = BigInteger.ZERO;
  private int drawn;

  LazyUniform(BitSource source) {
    this.source = source;
  }

  /** A number whose first digits have been drawn elsewhere. */
  LazyUniform(BitSource source, long digits, int drawn) {
    this.source = source;
    this.digits = BigInteger.valueOf(digits);
    this.drawn = drawn;
  }

  /** The number to p digits. */
  Enclosure enclosure(int p) {
    while (drawn < p) {
      int count = Math.min(Long.SIZE - 1, p - drawn);
      digits = digits.shiftLeft(count).or(BigInteger.valueOf(source.bits(count)));
      drawn += count;
    }
    BigInteger low = digits.shiftRight(drawn - p);
    return new Enclosure(low, low.add(BigInteger.ONE), p);
  }

  /** True with exactly the probability whose enclosure at any precision is given. */
  boolean isBelow(IntFunction<Enclosure> probability) {
    for (int p = Math.max(64, 2 * drawn); ; p *= 2) {
      Enclosure u = enclosure(p);
      Enclosure bound = probability.apply(p);
      if (u.atMost(bound)) {
        return true;
      }
      if (bound.atMost(u)) {
        return false;
      }
    }
  }
}
