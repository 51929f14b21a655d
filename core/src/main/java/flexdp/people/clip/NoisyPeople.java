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

  /** One answer in so many shows people far up who are none. */
  private static final double MISTAKEN = 0.01;

  private static final double TAIL = 0.025;
  private static final double HALF = 0.5;

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

  private double value(int bucket) {
    return buckets.get(bucket).doubleValue();
  }

  /**
   * Above the next bucket, people who stand out of the noise: more rarely taken for noise the
   * further up, for the more they would weigh.
   */
  private BigInteger apart(int level, int bucket) {
    double b = scale.doubleValue();
    double needed = b * (Math.log(1 / (2 * MISTAKEN)) + (bucket - level) * Math.log(2));
    return bucket > level + 1 && value(bucket) > needed ? buckets.get(bucket) : BigInteger.ZERO;
  }

  /** About how many people seem to weigh much more than this level. */
  public BigInteger beyond(int level) {
    BigInteger sum = BigInteger.ZERO;
    for (int bucket = level + 1; bucket < levels.buckets(); bucket++) {
      sum = sum.add(apart(level, bucket));
    }
    return sum;
  }

  /** What clipping at this level may take away, in units of sizes. */
  public Shortfall shortfall(int level) {
    BigInteger far = BigInteger.ZERO;
    for (int bucket = level + 2; bucket < levels.buckets(); bucket++) {
      BigInteger above = levels.at(bucket).subtract(levels.at(level));
      far = far.add(apart(level, bucket).multiply(above));
    }
    BigDecimal person =
        new BigDecimal(levels.at(level)).multiply(BigDecimal.valueOf(levelsOfOne(level)));
    return new Shortfall(
        person,
        new BigDecimal(buckets.get(level + 1)),
        BigDecimal.valueOf(scale.doubleValue()),
        new BigDecimal(far),
        false);
  }

  /**
   * What everybody beyond a level has beyond it, in levels, for each of the next bucket: r people
   * of the second for one of the first, r² of the third, as long as half a person may be expected
   * there. Those beyond the last level count as twice its size.
   */
  private double levelsOfOne(int level) {
    double most = Math.max(1, value(level + 1) - scale.doubleValue() * Math.log(2 * TAIL));
    double ratio = ratio(level, most);
    double sum = 1;
    double people = ratio;
    for (int k = 2; level + k < levels.buckets() && most * people >= HALF; k++) {
      sum += people * (Math.pow(2, k) - 1);
      people *= ratio;
    }
    return sum;
  }

  /** How fast people get fewer from bucket to bucket: by no less than on the way up to here. */
  private double ratio(int level, double most) {
    double ratio = HALF;
    for (int below = 0; below <= level; below++) {
      if (value(level - below) > most) {
        ratio = Math.min(ratio, Math.pow(most / value(level - below), 1.0 / (below + 1)));
      }
    }
    return ratio;
  }
}
