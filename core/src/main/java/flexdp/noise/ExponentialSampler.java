package flexdp.noise;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * Draws from the exponential mechanism, exactly.
 *
 * <p>Candidates of equal score that stand together form a segment. A lazy uniform number, times the
 * total weight, is located among the cumulated weights; weights are intervals, and more digits are
 * drawn and computed until it lies in one segment for certain. Within it every candidate is equally
 * likely.
 */
public final class ExponentialSampler {
  private static final int DIGITS = 96;

  private ExponentialSampler() {}

  /** Candidates that share a score, which is private. */
  public record Segment(BigInteger candidates, Rational score) {
    public Segment {
      if (candidates.signum() <= 0) {
        throw new IllegalArgumentException("a segment holds at least one candidate");
      }
    }
  }

  /** The candidate at this offset, from zero, of this segment. */
  public record Choice(int segment, BigInteger offset) {}

  /**
   * Chooses a candidate.
   *
   * @param sensitivity how far a score moves between neighbours, at most; public
   */
  public static Choice choose(
      ExponentialMechanism mechanism,
      BigDecimal sensitivity,
      List<Segment> segments,
      BitSource source) {
    if (sensitivity.signum() <= 0) {
      throw new IllegalArgumentException("the sensitivity of scores must be > 0");
    }
    Rational best = segments.stream().map(Segment::score).max(Rational::compareTo).orElseThrow();
    Rational rate =
        Rational.of(mechanism.epsilon()).over(Rational.of(sensitivity).times(Rational.of(2)));
    List<Rational> exponents =
        segments.stream().map(s -> s.score().minus(best).times(rate)).toList();
    int chosen = locate(segments, exponents, new LazyUniform(source));
    return new Choice(chosen, below(segments.get(chosen).candidates(), source));
  }

  private static int locate(List<Segment> segments, List<Rational> exponents, LazyUniform uniform) {
    BigInteger candidates =
        segments.stream().map(Segment::candidates).reduce(BigInteger.ZERO, BigInteger::add);
    for (int p = DIGITS + 2 * candidates.bitLength(); ; p *= 2) {
      List<Enclosure> cumulated = new ArrayList<>(segments.size() + 1);
      Enclosure sum = Enclosure.of(0, p);
      cumulated.add(sum);
      for (int i = 0; i < segments.size(); i++) {
        Enclosure weight = Enclosure.of(exponents.get(i), p).exp();
        sum = sum.plus(weight.times(Rational.of(segments.get(i).candidates())));
        cumulated.add(sum);
      }
      Enclosure point = uniform.enclosure(p).times(sum);
      int at = firstNotBelow(cumulated, point.high());
      if (at > 0 && cumulated.get(at - 1).atMost(point)) {
        return at - 1;
      }
    }
  }

  /** The least index whose lower end is at least this; 0 when there is none. */
  private static int firstNotBelow(List<Enclosure> cumulated, BigInteger value) {
    int low = 1;
    int high = cumulated.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (cumulated.get(middle).low().compareTo(value) >= 0) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low == cumulated.size() ? 0 : low;
  }

  /** Uniform from 0 to limit − 1: as many bits as the limit has, again when they are too large. */
  static BigInteger below(BigInteger limit, BitSource source) {
    int digits = limit.subtract(BigInteger.ONE).bitLength();
    if (digits == 0) {
      return BigInteger.ZERO;
    }
    while (true) {
      BigInteger value = BigInteger.ZERO;
      for (int left = digits; left > 0; left -= 32) {
        int count = Math.min(32, left);
        value = value.shiftLeft(count).or(BigInteger.valueOf(source.bits(count)));
      }
      if (value.compareTo(limit) < 0) {
        return value;
      }
    }
  }
}
