package flexdp.people.clip;

import flexdp.noise.BitSource;
import flexdp.noise.DiscreteLaplace;
import flexdp.noise.Rational;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * H̃: how many people fall into each bucket of sizes, with noise, every bucket, empty ones too. A
 * person is in one bucket, so it moves by 1 in L1 when she comes or goes. Everything computed from
 * it is public.
 *
 * @param scale of the noise, 1/ε₁, or more where other ancestors move people between buckets
 */
public record NoisyPeople(Levels levels, List<BigInteger> buckets, Rational scale) {
  /** One bucket in so many looks filled by noise alone. */
  private static final double RARE = 1e5;

  public NoisyPeople {
    buckets = List.copyOf(buckets);
    if (buckets.size() != levels.buckets()) {
      throw new IllegalArgumentException("every bucket is published");
    }
  }

  /**
   * Publishes the histogram.
   *
   * @param moved how far it moves in L1 between neighbours: 1, or 2·min(T, D) beside other
   *     ancestors
   */
  public static <C> NoisyPeople publish(
      Contributions<C> exact, BigDecimal epsilon, BigInteger moved, BitSource source) {
    Rational scale = Rational.of(moved.max(BigInteger.ONE)).over(Rational.of(epsilon));
    DiscreteLaplace noise = new DiscreteLaplace(scale);
    List<BigInteger> noisy = new ArrayList<>();
    for (int bucket = 0; bucket < exact.levels().buckets(); bucket++) {
      noisy.add(exact.people(bucket).add(noise.sample(source)));
    }
    return new NoisyPeople(exact.levels(), noisy, scale);
  }

  /**
   * The level to clip at. It starts at the larger of the best filled bucket (each next one has to
   * hold about as many as half its noise more) and the highest that noise alone does not fill, and
   * goes up while the next bucket seems to hold somebody.
   */
  public int level() {
    double b = scale.doubleValue();
    double certain = Math.ceil(b * Math.log(levels.count() * RARE / 2));
    int best = 0;
    int highest = 0;
    for (int level = 0; level <= levels.last(); level++) {
      if (value(level) - level * Math.log(2) * b > value(best) - best * Math.log(2) * b) {
        best = level;
      }
      if (value(level) > certain) {
        highest = level;
      }
    }
    int level = Math.max(best, highest);
    while (level < levels.last() && value(level + 1) > likely()) {
      level++;
    }
    return level;
  }

  /** What noise alone reaches in about one bucket of all. */
  private double likely() {
    return Math.ceil(scale.doubleValue() * Math.log(levels.count()));
  }

  /** What a bucket seems to hold: nothing, unless it stands out of the noise. */
  private BigInteger seeming(int bucket) {
    return value(bucket) > likely() ? buckets.get(bucket) : BigInteger.ZERO;
  }

  private double value(int bucket) {
    return buckets.get(bucket).doubleValue();
  }

  /** About how many people seem to weigh more than this level. */
  public BigInteger beyond(int level) {
    BigInteger sum = BigInteger.ZERO;
    for (int bucket = level + 1; bucket < levels.buckets(); bucket++) {
      sum = sum.add(seeming(bucket));
    }
    return sum;
  }

  /**
   * About how much clipping at this level takes away at most, Σ H̃_b·(τ_b − τ) over the buckets
   * that stand out of the noise, in units of sizes: of all others the sum would be noise times the
   * largest sizes. Those beyond the last level count as twice its size.
   */
  public BigInteger bias(int level) {
    BigInteger sum = BigInteger.ZERO;
    for (int bucket = level + 1; bucket < levels.buckets(); bucket++) {
      BigInteger above = levels.at(bucket).subtract(levels.at(level));
      sum = sum.add(seeming(bucket).multiply(above));
    }
    return sum;
  }
}
