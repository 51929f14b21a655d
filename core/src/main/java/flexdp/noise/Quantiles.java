package flexdp.noise;

import flexdp.noise.Selection.Choice;
import flexdp.noise.Selection.Segment;
import java.math.BigDecimal;
import java.math.BigInteger;
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
 */
public final class Quantiles {
  private Quantiles() {}

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
      Exponential mechanism,
      BigDecimal fraction,
      BigDecimal moved,
      BigInteger row,
      BigInteger candidates,
      List<Bucket> buckets,
      BitSource source) {
    if (fraction.signum() < 0 || fraction.compareTo(BigDecimal.ONE) > 0) {
      throw new IllegalArgumentException("a fraction is from 0 to 1. Provided value: " + fraction);
    }
    Rational rows =
        Rational.of(buckets.stream().map(Bucket::rows).reduce(BigInteger.ZERO, BigInteger::add));
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
    BigDecimal perRow = fraction.max(BigDecimal.ONE.subtract(fraction));
    List<BigInteger> starts = new ArrayList<>();
    List<Segment> segments = segments(wanted, candidates, buckets, starts);
    segments.add(new Segment(BigInteger.ONE, least.minus(rows).times(Rational.of(perRow))));
    Choice choice = Selection.choose(mechanism, moved.multiply(perRow), segments, source);
    return choice.segment() == starts.size()
        ? Optional.empty()
        : Optional.of(starts.get(choice.segment()).add(choice.offset()));
  }

  /**
   * ⌈(2T/ε)·ln(100·candidates)⌉, T rows being moved; less than one row is rounded up to a
   * thousandth, and to half a row at least. All of it is public.
   */
  static Rational inside(
      Exponential mechanism, BigDecimal moved, BigInteger row, BigInteger candidates) {
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
