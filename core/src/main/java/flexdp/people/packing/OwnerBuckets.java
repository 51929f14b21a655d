package flexdp.people.packing;

import flexdp.people.clipping.ClipLevels;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Results with at most one owner of each of two kinds, of which nothing is kept but how many people
 * fall between two levels, and what theirs weigh together. As long as only one kind has heavy
 * people no result has two of them, and each counts τ. Else whoever knows more is asked.
 */
public final class OwnerBuckets extends OwnedWeights {
  private static final int KINDS = 2;

  private final ClipLevels levels;
  private final Supplier<? extends OwnedWeights> more;
  private final int[][] people;
  private final BigInteger[][] weights;
  private BigInteger total = BigInteger.ZERO;
  private Optional<OwnedWeights> known = Optional.empty();

  /**
   * @param more what is asked where both kinds have heavy people
   */
  public OwnerBuckets(ClipLevels levels, Supplier<? extends OwnedWeights> more) {
    this.levels = levels;
    this.more = more;
    this.people = new int[KINDS][levels.buckets()];
    this.weights = new BigInteger[KINDS][levels.buckets()];
    for (BigInteger[] each : weights) {
      Arrays.fill(each, BigInteger.ZERO);
    }
  }

  /** Results that nobody of a kind owns. Every result is told once for each kind. */
  public void nobodys(int kind, BigInteger weight) {
    if (kind == 0) {
      total = total.add(weight);
    }
  }

  /**
   * People of a kind whose results weigh more than the level before this bucket.
   *
   * @param weight of all their results
   */
  public void add(int kind, int bucket, int count, BigInteger weight) {
    nobodys(kind, weight);
    people[kind][bucket] += count;
    weights[kind][bucket] = weights[kind][bucket].add(weight);
  }

  @Override
  long most() {
    return levels.at(levels.last()).longValueExact();
  }

  @Override
  long heaviest() {
    for (int bucket = levels.last() + 1; bucket > 0; bucket--) {
      if (people[0][bucket] + people[1][bucket] > 0) {
        return levels.at(bucket).longValueExact();
      }
    }
    return levels.at(0).longValueExact();
  }

  @Override
  ResidualPacking touched(long level) {
    int from = levels.bucket(BigInteger.valueOf(level)) + 1;
    int[] heavy = new int[KINDS];
    BigInteger untouched = total;
    for (int kind = 0; kind < KINDS; kind++) {
      for (int bucket = from; bucket < levels.buckets(); bucket++) {
        heavy[kind] += people[kind][bucket];
        untouched = untouched.subtract(weights[kind][bucket]);
      }
    }
    if (heavy[0] > 0 && heavy[1] > 0) {
      if (known.isEmpty()) {
        known = Optional.of(more.get());
      }
      return known.get().touched(level);
    }
    int[] kinds = new int[heavy[0] + heavy[1]];
    Arrays.fill(kinds, heavy[0] > 0 ? 0 : 1);
    int[][] sets = new int[kinds.length][];
    Arrays.setAll(sets, person -> new int[] {person});
    long[] each = new long[kinds.length];
    Arrays.fill(each, level);
    return new ResidualPacking(level, untouched, each, sets, kinds);
  }
}
