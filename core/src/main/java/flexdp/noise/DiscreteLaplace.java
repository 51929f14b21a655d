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

  /**
   * Up to 63 independent coins of given irrational probabilities, flipped together.
   *
   * <p>Coin i shows 1 when a uniform number, drawn digit by digit, is below its probability: at the
   * first digit where the two differ, the coin shows the probability's digit. The digits are held
   * across the coins, so one word operation advances all that are undecided, and about log₂(number
   * of coins) + 1 rounds, two random bits per coin, decide them all. The first digits of the
   * probabilities are computed once, further ones when a flip needs them (once in 2⁵⁸ flips), so
   * every flip is exact.
   */
  static final class Coins {
    static final int MOST = 63;
    private static final int READY = 64;

    private final List<IntFunction<Enclosure>> probabilities;
    private final long[] ready;
    private final long all;

    /** Each probability is irrational, or at least no fraction of a power of two. */
    Coins(List<IntFunction<Enclosure>> probabilities) {
      this(probabilities, READY);
    }

    Coins(List<IntFunction<Enclosure>> probabilities, int ready) {
      if (probabilities.size() > MOST) {
        throw new IllegalArgumentException("at most 63 coins: " + probabilities.size());
      }
      this.probabilities = List.copyOf(probabilities);
      this.all = (1L << probabilities.size()) - 1;
      this.ready = words(ready);
    }

    /** One flip of every coin, coin i in bit i. */
    long flip(BitSource source) {
      long undecided = all;
      long shown = 0;
      for (int round = 0; undecided != 0; round++) {
        long probability = round < ready.length ? ready[round] : words(round + 1)[round];
        long digits = Long.expand(source.bits(Long.bitCount(undecided)), undecided);
        long different = (digits ^ probability) & undecided;
        shown |= different & probability;
        undecided &= ~different;
      }
      return shown;
    }

    /** Word j holds digit j of every probability. */
    private long[] words(int count) {
      long[] words = new long[count];
      for (int i = 0; i < probabilities.size(); i++) {
        BigInteger digits = digits(probabilities.get(i), count);
        for (int j = 0; j < count; j++) {
          if (digits.testBit(count - 1 - j)) {
            words[j] |= 1L << i;
          }
        }
      }
      return words;
    }

    private static BigInteger digits(IntFunction<Enclosure> probability, int count) {
      for (int p = count + 32; ; p *= 2) {
        Enclosure enclosure = probability.apply(p);
        BigInteger low = enclosure.low().shiftRight(p - count);
        if (low.equals(enclosure.high().shiftRight(p - count))) {
          return low;
        }
      }
    }
  }
}
