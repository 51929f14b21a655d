package flexdp.noise;

import java.math.BigInteger;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Up to 63 independent coins of given irrational probabilities, flipped together.
 *
 * <p>Coin i shows 1 when a uniform number, drawn digit by digit, is below its probability: at the
 * first digit where the two differ, the coin shows the probability's digit. The digits are held
 * across the coins, so one word operation advances all that are undecided, and about log₂(number of
 * coins) + 1 rounds, two random bits per coin, decide them all. The first digits of the
 * probabilities are computed once, further ones when a flip needs them (once in 2⁵⁸ flips), so
 * every flip is exact.
 */
final class Coins {
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
