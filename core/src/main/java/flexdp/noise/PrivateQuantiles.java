package flexdp.noise;

import flexdp.noise.ExponentialSampler.Choice;
import flexdp.noise.ExponentialSampler.Segment;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Quantiles by the exponential mechanism over a public grid of candidates 0, 1, … and "nothing".
 *
 * <p>With L rows below a candidate, E at it, n in all, and τ the rank that is wanted, the score is
 * −max(0, L − τ, τ − L − E): how many ranks the candidate is away. For τ = q·n + constant both
 * forms change by at most max(q, 1−q) when one row is added, so a change of T rows moves the score
 * by at most T·max(q, 1−q).
 *
 * <p>"Nothing" is one candidate more, of score max(q, 1−q)·(h − n) with a public h: it moves as far
 * as the others do, so that it costs nothing. Of no rows it weighs a hundred times as much as all
 * others together; it gives way where a value beyond the data does too.
 *
 * <p>MIN and MAX want a rank a little inside: ⌈(2T/ε)·ln(100·candidates)⌉ rows from the end. There,
 * all empty candidates beyond the data weigh together at most a hundredth of one good candidate;
 * asking for the very end would mostly return a point of the empty range. Where that is less than
 * one row the rank lies within the last row, in its middle at most: so the more ε there is, the
 * surer it is the end itself, and neither a point beyond it nor one before it.
 *
 * <p>N-ENDS: an interval costs two more choices. A third of ε chooses the value, a third each end,
 * at the ranks q·n ∓ t, whose scores move as those of q·n do: t is public. A choice is off by s =
 * ⌈(2T·max(q, 1−q)/ε′)·ln(40·(candidates + 1))⌉ ranks with probability 1/40 at most, so with t = s
 * and a row each end lies on its own side of the quantile. Where that rank may be outside of the
 * rows, fewer than t/min(q, 1−q), "nothing" is as good as certain: then the end is that of the
 * range.
 */
public final class PrivateQuantiles {
  private static final BigDecimal THREE = BigDecimal.valueOf(3);
  private static final MathContext DOWN = new MathContext(30, RoundingMode.FLOOR);

  /** One in so many ends lies on the wrong side, at most. */
  private static final BigInteger MISSED = BigInteger.valueOf(40);

  private PrivateQuantiles() {}

  /** The rows at one candidate. */
  public record Bucket(BigInteger candidate, BigInteger rows) {}

  /**
   * The candidate chosen; empty where it is "nothing".
   *
   * @param fraction 0 for MIN, 1 for MAX, ½ for the median
   * @param moved how many rows come and go between neighbours, at most; public
   * @param row what a whole row counts for; public
   * @param candidates how many there are
   * @param buckets in ascending order; candidates without rows may be absent
   */
  public static Optional<BigInteger> choose(
      ExponentialMechanism mechanism,
      BigDecimal fraction,
      BigDecimal moved,
      BigInteger row,
      BigInteger candidates,
      List<Bucket> buckets,
      BitSource source) {
    if (fraction.signum() < 0 || fraction.compareTo(BigDecimal.ONE) > 0) {
      throw new IllegalArgumentException("a fraction is from 0 to 1. Provided value: " + fraction);
    }
    Rational rows = rows(buckets);
    Rational inside = inside(mechanism, moved, row, candidates);
    Rational wanted = Rational.of(fraction).times(rows);
    // Of no rows the other scores are −inside for MIN and MAX, and 0 else.
    Rational least = inside;
    if (fraction.signum() == 0) {
      wanted = inside;
      least = Rational.ZERO;
    } else if (fraction.compareTo(BigDecimal.ONE) == 0) {
      wanted = wanted.minus(inside);
      least = Rational.ZERO;
    }
    return chosen(mechanism, wanted, least, moved, perRow(fraction), candidates, buckets, source);
  }

  /**
   * @param wanted the rank
   * @param least of so many rows "nothing" is as good as the best candidate
   */
  private static Optional<BigInteger> chosen(
      ExponentialMechanism mechanism,
      Rational wanted,
      Rational least,
      BigDecimal moved,
      BigDecimal perRow,
      BigInteger candidates,
      List<Bucket> buckets,
      BitSource source) {
    List<BigInteger> starts = new ArrayList<>();
    List<Segment> segments = segments(wanted, candidates, buckets, starts);
    Rational missing = least.minus(rows(buckets));
    segments.add(new Segment(BigInteger.ONE, missing.times(Rational.of(perRow))));
    Choice choice = ExponentialSampler.choose(mechanism, moved.multiply(perRow), segments, source);
    return choice.segment() == starts.size()
        ? Optional.empty()
        : Optional.of(starts.get(choice.segment()).add(choice.offset()));
  }

  private static Rational rows(List<Bucket> buckets) {
    return Rational.of(buckets.stream().map(Bucket::rows).reduce(BigInteger.ZERO, BigInteger::add));
  }

  private static BigDecimal perRow(BigDecimal fraction) {
    return fraction.max(BigDecimal.ONE.subtract(fraction));
  }

  /**
   * A value and what lies around it.
   *
   * @param low the candidate that the quantile is not below, and {@code high} not above, with
   *     probability 95 %
   */
  public record Between(Optional<BigInteger> value, BigInteger low, BigInteger high) {}

  /**
   * The candidate chosen and an interval around it, all for ε.
   *
   * @param fraction between 0 and 1
   */
  public static Between between(
      ExponentialMechanism whole,
      BigDecimal fraction,
      BigDecimal moved,
      BigInteger row,
      BigInteger candidates,
      List<Bucket> buckets,
      BitSource source) {
    ExponentialMechanism third = new ExponentialMechanism(whole.epsilon().divide(THREE, DOWN));
    BigDecimal perRow = perRow(fraction);
    BigDecimal nearest = BigDecimal.ONE.subtract(perRow);
    Rational apart = apart(third, fraction, moved, candidates).plus(Rational.of(row));
    Rational least = apart.over(Rational.of(nearest)).plus(inside(third, moved, row, candidates));
    Rational wanted = Rational.of(fraction).times(rows(buckets));
    BigInteger low =
        chosen(third, wanted.minus(apart), least, moved, perRow, candidates, buckets, source)
            .orElse(BigInteger.ZERO);
    BigInteger high =
        chosen(third, wanted.plus(apart), least, moved, perRow, candidates, buckets, source)
            .orElse(candidates.subtract(BigInteger.ONE));
    Optional<BigInteger> value = choose(third, fraction, moved, row, candidates, buckets, source);
    BigInteger shown = value.orElse(low);
    return new Between(value, low.min(shown), high.max(shown));
  }

  /** How many ranks a choice is off, with probability 1/40 at most. */
  public static Rational apart(
      ExponentialMechanism mechanism,
      BigDecimal fraction,
      BigDecimal moved,
      BigInteger candidates) {
    Rational rate =
        Rational.of(moved.multiply(perRow(fraction)))
            .times(Rational.of(2))
            .over(Rational.of(mechanism.epsilon()));
    Rational odds = Rational.of(candidates.add(BigInteger.ONE).multiply(MISSED));
    Enclosure log = Enclosure.of(odds, Calibration.PRECISION).ln();
    return Rational.of(log.times(rate).upper().ceiling());
  }

  /**
   * ⌈(2T/ε)·ln(100·candidates)⌉, T rows being moved; less than one row is rounded up to a
   * thousandth, and to half a row at least. All of it is public.
   */
  static Rational inside(
      ExponentialMechanism mechanism, BigDecimal moved, BigInteger row, BigInteger candidates) {
    Rational rate = Rational.of(moved).times(Rational.of(2)).over(Rational.of(mechanism.epsilon()));
    Rational odds = Rational.of(candidates.multiply(BigInteger.valueOf(100)));
    Enclosure log = Enclosure.of(odds, Calibration.PRECISION).ln();
    Rational units = log.times(rate).upper();
    Rational thousandth = Rational.of(row).over(Rational.of(1000));
    BigInteger thousandths = units.over(thousandth).ceiling();
    return thousandths.compareTo(BigInteger.valueOf(1000)) >= 0
        ? Rational.of(units.ceiling())
        : thousandth.times(Rational.of(Math.max(500, thousandths.longValueExact())));
  }

  private static List<Segment> segments(
      Rational wanted, BigInteger candidates, List<Bucket> buckets, List<BigInteger> starts) {
    List<Segment> segments = new ArrayList<>(2 * buckets.size() + 1);
    BigInteger next = BigInteger.ZERO;
    BigInteger below = BigInteger.ZERO;
    for (Bucket bucket : buckets) {
      BigInteger gap = bucket.candidate().subtract(next);
      if (gap.signum() < 0 || bucket.candidate().compareTo(candidates) >= 0) {
        throw new IllegalArgumentException("buckets must ascend within the candidates");
      }
      if (gap.signum() > 0) {
        starts.add(next);
        segments.add(new Segment(gap, score(wanted, below, below)));
      }
      BigInteger upTo = below.add(bucket.rows());
      starts.add(bucket.candidate());
      segments.add(new Segment(BigInteger.ONE, score(wanted, below, upTo)));
      next = bucket.candidate().add(BigInteger.ONE);
      below = upTo;
    }
    if (next.compareTo(candidates) < 0) {
      starts.add(next);
      segments.add(new Segment(candidates.subtract(next), score(wanted, below, below)));
    }
    return segments;
  }

  private static Rational score(Rational wanted, BigInteger below, BigInteger upTo) {
    Rational over = Rational.of(below).minus(wanted);
    Rational under = wanted.minus(Rational.of(upTo));
    Rational away = over.compareTo(under) > 0 ? over : under;
    return away.signum() > 0 ? away.negate() : Rational.ZERO;
  }
}
