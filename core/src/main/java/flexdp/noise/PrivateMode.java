package flexdp.noise;

import flexdp.noise.ExponentialSampler.Choice;
import flexdp.noise.ExponentialSampler.Segment;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The most frequent of candidates 0, 1, … by the exponential mechanism: the score of a candidate is
 * how many rows have it. Weights are e^(ε·u/T), twice the rate that the mechanism needs for scores
 * of which each may move by T: here a change moves all scores by at most T together. When that of
 * the chosen candidate moves by t, others that move the opposite way do so by at most T − t, and by
 * so much in the exponent the normalising sum does; those that move the same way make up for it. So
 * no probability changes by more than e^ε, and neither does that of one choice for each group,
 * since the groups share T. It is the greatest of counts with Gumbel noise of scale T/ε. "Nothing"
 * is one candidate more, of a public score that never moves: of no rows it weighs a hundred times
 * as much as all others together.
 */
public final class PrivateMode {
  private PrivateMode() {}

  /**
   * The candidate chosen; empty where it is "nothing".
   *
   * @param sensitivity how far all scores move together between neighbours, in L1; public
   * @param row what a whole row counts for; public
   * @param candidates how many there are
   * @param buckets in ascending order; candidates without rows may be absent
   */
  public static Optional<BigInteger> choose(
      ExponentialMechanism mechanism,
      BigDecimal sensitivity,
      BigInteger row,
      BigInteger candidates,
      List<PrivateQuantiles.Bucket> buckets,
      BitSource source) {
    List<BigInteger> starts = new ArrayList<>();
    List<Segment> segments = new ArrayList<>();
    BigInteger next = BigInteger.ZERO;
    for (PrivateQuantiles.Bucket bucket : buckets) {
      BigInteger gap = bucket.candidate().subtract(next);
      if (gap.signum() < 0 || bucket.candidate().compareTo(candidates) >= 0) {
        throw new IllegalArgumentException("buckets must ascend within the candidates");
      }
      if (gap.signum() > 0) {
        starts.add(next);
        segments.add(new Segment(gap, Rational.ZERO));
      }
      starts.add(bucket.candidate());
      segments.add(new Segment(BigInteger.ONE, Rational.of(bucket.rows())));
      next = bucket.candidate().add(BigInteger.ONE);
    }
    if (next.compareTo(candidates) < 0) {
      starts.add(next);
      segments.add(new Segment(candidates.subtract(next), Rational.ZERO));
    }
    BigDecimal half = sensitivity.divide(BigDecimal.TWO);
    segments.add(
        new Segment(BigInteger.ONE, PrivateQuantiles.inside(mechanism, half, row, candidates)));
    Choice choice = ExponentialSampler.choose(mechanism, half, segments, source);
    return choice.segment() == starts.size()
        ? Optional.empty()
        : Optional.of(starts.get(choice.segment()).add(choice.offset()));
  }
}
