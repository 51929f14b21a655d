package flexdp.noise;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * The discrete Laplace distribution: P(z) = (1−r)/(1+r)·r^|z| on the integers, r = e^(−1/b) with an
 * exact rational scale b. Sampling is exact.
 *
 * <p>A geometric G with P(g) ∝ r^g has independent binary digits, since r^g is the product of
 * r^(2^i) over the digits of g that are 1: digit i is 1 with probability 1/(1 + e^(2^i/b)). With N
 * the least number such that 2^N ≥ b, G = (its first N digits) + 2^N·V, V again geometric, with P(V
 * ≥ 1) = e^(−2^N/b) ≤ 1/e. A fair sign and a second try when it is minus zero make it two-sided.
 */
public final class DiscreteLaplace {
  private final List<Coins> digits = new ArrayList<>();
  private final int count;
  private final Coins more;

  public DiscreteLaplace(Rational scale) {
    if (scale.signum() <= 0) {
      throw new IllegalArgumentException("scale must be > 0. Provided value: " + scale);
    }
    this.count = scale.ceiling().subtract(BigInteger.ONE).bitLength();
    for (int from = 0; from < count; from += Coins.MOST - 1) {
      int to = Math.min(count, from + Coins.MOST - 1);
      digits.add(new Coins(IntStream.range(from, to).mapToObj(i -> ofDigit(i, scale)).toList()));
    }
    this.more = new Coins(List.of(p -> exponent(count, scale, p).negate().exp()));
  }

  /** Whether the first digits of a sample fit one word, as they do up to a scale of 2^62. */
  private boolean isSmall() {
    return digits.size() <= 1;
  }

  public BigInteger sample(BitSource source) {
    while (true) {
      BigInteger size = isSmall() ? small(source) : large(source);
      boolean negative = source.bit();
      if (!negative || size.signum() != 0) {
        return negative ? size.negate() : size;
      }
    }
  }

  private BigInteger small(BitSource source) {
    long low = digits.isEmpty() ? 0 : digits.getFirst().flip(source);
    long high = multiples(source);
    return high < 1L << (Long.SIZE - 2 - count)
        ? BigInteger.valueOf((high << count) | low)
        : BigInteger.valueOf(high).shiftLeft(count).or(BigInteger.valueOf(low));
  }

  private BigInteger large(BitSource source) {
    BigInteger size = BigInteger.valueOf(multiples(source));
    for (int i = digits.size() - 1; i >= 0; i--) {
      int width = Math.min(count - i * (Coins.MOST - 1), Coins.MOST - 1);
      size = size.shiftLeft(width).or(BigInteger.valueOf(digits.get(i).flip(source)));
    }
    return size;
  }

  private long multiples(BitSource source) {
    long multiples = 0;
    while (more.flip(source) != 0) {
      multiples++;
    }
    return multiples;
  }

  private static IntFunction<Enclosure> ofDigit(int i, Rational scale) {
    // 1/(1 + e^x) = e^(−x)/(1 + e^(−x)): the exponential stays small.
    return p -> {
      Enclosure odds = exponent(i, scale, p).negate().exp();
      return odds.times(odds.plus(Enclosure.of(1, p)).inverse());
    };
  }

  /** 2^i/b. */
  private static Enclosure exponent(int i, Rational scale, int p) {
    return Enclosure.of(new Rational(scale.denominator().shiftLeft(i), scale.numerator()), p);
  }
}
