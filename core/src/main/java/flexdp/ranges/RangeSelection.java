package flexdp.ranges;

import flexdp.policy.Range;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleBinaryOperator;

/**
 * From noisy counts of buckets to a range. It reads noisy counts and public numbers alone, so that
 * what it says costs nothing beyond the counts: any other rule would be as private, and its
 * constants are a matter of accuracy only.
 *
 * @param scale of the noise of the counts
 * @param standing how far counts have to stand out
 */
public record RangeSelection(RangeBuckets buckets, double scale, Standing standing) {
  /**
   * How far counts have to stand out, in scales of the noise, beside the logarithm of how many
   * buckets there are.
   *
   * @param found the largest of all
   * @param larger a bucket of larger values than those of the largest count
   * @param smaller one of smaller values
   * @param next one beside a bucket that is filled, without the logarithm
   */
  record Standing(double found, double larger, double smaller, double next) {
    static final Standing USUAL = new Standing(6, 0, 2, 3);
  }

  /** A comparison of sums of doubles. */
  private static final double ROUNDED = 1e-12;

  private static final double SLACK = 3;

  public RangeSelection(RangeBuckets buckets, double scale) {
    this(buckets, scale, Standing.USUAL);
  }

  /** Places of the first and the last of some buckets. */
  private record Stretch(int first, int last) {}

  /** A range, and how many values there are by the noisy counts. */
  public record Found(Range range, BigDecimal values) {}

  /**
   * For a sum: wide enough on both sides of zero, where that costs nothing.
   *
   * @param noisy counts in the order of the buckets
   * @param perUnit how much noise all answers have for a range whose larger end is 1
   * @param either whether the noise follows from the larger end alone
   */
  public Optional<Found> sum(List<BigDecimal> noisy, double perUnit, boolean either) {
    return least(noisy, (low, high) -> perUnit * Math.max(Math.abs(low), Math.abs(high)))
        .map(found -> new Found(aroundZero(found.range(), either), found.values()));
  }

  private Range aroundZero(Range range, boolean either) {
    BigDecimal most = range.low().abs().max(range.high().abs());
    BigDecimal low = range.low().min(BigDecimal.ZERO);
    BigDecimal high = range.high().max(BigDecimal.ZERO);
    if (either) {
      low = buckets.below().isEmpty() ? low : most.negate().max(buckets.widest().low());
      high = buckets.above().isEmpty() ? high : most.min(buckets.widest().high());
    }
    return new Range(low, high);
  }

  /**
   * For averages and their kin, which are summed from the middle of the range.
   *
   * @param perUnit how much noise all answers have for a range of width 2
   */
  public Optional<Found> centred(List<BigDecimal> noisy, double perUnit) {
    return least(noisy, (low, high) -> perUnit * (high - low) / 2);
  }

  /** For least and greatest values: all that is there. */
  public Optional<Found> extremes(List<BigDecimal> noisy) {
    double[] counts = counts(noisy);
    return filled(counts).map(all -> found(counts, all, all));
  }

  /** For a quantile: where it is, by the noisy ranks. */
  public Optional<Found> rank(List<BigDecimal> noisy, double fraction) {
    double[] counts = counts(noisy);
    return filled(counts).map(all -> found(counts, window(counts, all, fraction), all));
  }

  private Stretch window(double[] counts, Stretch all, double fraction) {
    int buckets = all.last() - all.first() + 1;
    double[] rank = new double[buckets + 1];
    for (int i = 0; i < buckets; i++) {
      rank[i + 1] = rank[i] + Math.max(0, counts[all.first() + i]);
    }
    double sought = fraction * rank[buckets];
    double slack = SLACK * scale * Math.sqrt(2.0 * buckets);
    int first = 0;
    while (first + 1 < buckets && rank[first + 1] <= Math.max(sought - slack, 0)) {
      first++;
    }
    int last = first;
    while (last + 1 < buckets && rank[last + 1] < Math.min(sought + slack, rank[buckets])) {
      last++;
    }
    return new Stretch(all.first() + first, all.first() + last);
  }

  private Optional<Found> least(List<BigDecimal> noisy, DoubleBinaryOperator noise) {
    double[] counts = counts(noisy);
    return filled(counts).map(all -> found(counts, least(counts, all, noise), all));
  }

  private double[] counts(List<BigDecimal> noisy) {
    if (noisy.size() != buckets.size()) {
      throw new IllegalArgumentException("counts of other buckets");
    }
    return noisy.stream().mapToDouble(BigDecimal::doubleValue).toArray();
  }

  private Found found(double[] counts, Stretch chosen, Stretch all) {
    double values = 0;
    for (int i = all.first(); i <= all.last(); i++) {
      values += counts[i];
    }
    Range range = new Range(buckets.low(id(chosen.first())), buckets.high(id(chosen.last())));
    BigDecimal rounded = BigDecimal.valueOf(Math.max(0, values)).setScale(0, RoundingMode.HALF_UP);
    return new Found(range, rounded);
  }

  private int id(int place) {
    return buckets.first() + place;
  }

  /** The buckets that stand out of the noise, and all between them; none where none does. */
  private Optional<Stretch> filled(double[] counts) {
    double logarithm = Math.log(buckets.notZero());
    int mode = -1;
    for (int i = 0; i < counts.length; i++) {
      if (id(i) != 0 && (mode < 0 || counts[i] > counts[mode])) {
        mode = i;
      }
    }
    if (counts[mode] <= scale * (logarithm + standing.found()) || buckets.isBeyond(id(mode))) {
      return Optional.empty();
    }
    List<Integer> full = new ArrayList<>();
    for (int i = 0; i < counts.length; i++) {
      double ratio = buckets.size(id(i)) / buckets.size(id(mode));
      double needed = ratio > 1 ? standing.larger() + Math.log(ratio) : standing.smaller();
      if (i == mode || counts[i] > scale * (logarithm + needed)) {
        full.add(i);
      }
    }
    int first = full.getFirst();
    int last = full.getLast();
    while (last + 1 < counts.length && counts[last + 1] > standing.next() * scale) {
      last++;
    }
    while (first > 0 && counts[first - 1] > standing.next() * scale) {
      first--;
    }
    return buckets.isBeyond(id(first)) || buckets.isBeyond(id(last))
        ? Optional.empty()
        : Optional.of(new Stretch(first, last));
  }

  /** The stretch of least estimated error: noise, and what is cut off. */
  private Stretch least(double[] counts, Stretch within, DoubleBinaryOperator noise) {
    Stretch best = within;
    double error = Double.POSITIVE_INFINITY;
    for (int i = within.first(); i <= within.last(); i++) {
      double low = buckets.low(id(i)).doubleValue();
      double below = 0;
      for (int b = within.first(); b < i; b++) {
        below += Math.max(0, counts[b]) * (low - buckets.middle(id(b)));
      }
      for (int k = i; k <= within.last(); k++) {
        if (i == k && id(i) == 0) {
          continue; // nothing but zero has no noise, and would always win
        }
        double high = buckets.high(id(k)).doubleValue();
        double above = 0;
        for (int b = k + 1; b <= within.last(); b++) {
          above += Math.max(0, counts[b]) * (buckets.middle(id(b)) - high);
        }
        double estimated = noise.applyAsDouble(low, high) + below + above;
        if (estimated < error - ROUNDED * Math.abs(error) || Double.isInfinite(error)) {
          error = estimated;
          best = new Stretch(i, k);
        }
      }
    }
    return best;
  }
}
