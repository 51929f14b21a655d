package flexdp.people.clipping;

import flexdp.noise.BitSource;
import flexdp.noise.DiscreteGaussian;
import flexdp.noise.DiscreteLaplace;
import flexdp.noise.Rational;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;

/**
 * H̃: how many people fall into each bucket of sizes, with noise, every bucket, empty ones too. A
 * person is in one bucket, so it moves by 1 in L1 when she comes or goes. Everything computed from
 * it is public.
 *
 * @param scale of the noise, 1/ε₁, or more where other ancestors move people between buckets; the
 *     deviation of Gaussian noise
 * @param normal whether it is Gaussian, and sizes are L2 norms
 */
public record NoisySizeHistogram(
    ClipLevels levels, List<BigInteger> buckets, Rational scale, boolean normal) {
  private static final MathContext ROOT = new MathContext(30, RoundingMode.UP);

  /** The number of deviations above which there are people for certain. */
  private static final double CERTAIN = 5.3;

  private static final double LIKELY = 2.2;
  private static final double FARTHER = 0.3;

  /** One bucket in so many looks filled by noise alone. */
  private static final double RARE = 1e5;

  /** One answer in so many shows people far up who are none. */
  private static final double MISTAKEN = 0.01;

  private static final double TAIL = 0.025;
  private static final double HALF = 0.5;

  /** The number of deviations that noise exceeds with 5 %. */
  private static final double SURE = 1.65;

  public NoisySizeHistogram {
    buckets = List.copyOf(buckets);
    if (buckets.size() != levels.buckets()) {
      throw new IllegalArgumentException("every bucket is published");
    }
  }

  /** With Laplace noise. */
  public NoisySizeHistogram(ClipLevels levels, List<BigInteger> buckets, Rational scale) {
    this(levels, buckets, scale, false);
  }

  /** The deviation of Gaussian noise of a variance, for show and for choosing. */
  public static Rational deviation(Rational variance) {
    return Rational.of(variance.decimal(ROOT).sqrt(ROOT));
  }

  /**
   * Publishes the histogram with Gaussian noise.
   *
   * @param variance (the square of how far it moves in L2)/(2ρ₁)
   */
  public static <C> NoisySizeHistogram publish(
      Contributions<C> exact, Rational variance, BitSource source) {
    DiscreteGaussian noise = new DiscreteGaussian(variance);
    List<BigInteger> noisy = new ArrayList<>();
    for (int bucket = 0; bucket < exact.levels().buckets(); bucket++) {
      noisy.add(exact.people(bucket).add(noise.sample(source)));
    }
    return new NoisySizeHistogram(exact.levels(), noisy, deviation(variance), true);
  }

  /**
   * Publishes the histogram.
   *
   * @param moved how far it moves in L1 between neighbours: 1, or 2·min(T, D) beside other
   *     ancestors
   */
  public static <C> NoisySizeHistogram publish(
      Contributions<C> exact, BigDecimal epsilon, BigInteger moved, BitSource source) {
    Rational scale = Rational.of(moved.max(BigInteger.ONE)).over(Rational.of(epsilon));
    DiscreteLaplace noise = new DiscreteLaplace(scale);
    List<BigInteger> noisy = new ArrayList<>();
    for (int bucket = 0; bucket < exact.levels().buckets(); bucket++) {
      noisy.add(exact.people(bucket).add(noise.sample(source)));
    }
    return new NoisySizeHistogram(exact.levels(), noisy, scale);
  }

  /**
   * The level to clip at. It starts at the larger of the best filled bucket (each next one has to
   * hold about as many as half its noise more) and the highest that noise alone does not fill, and
   * goes up while the next bucket seems to hold somebody.
   */
  public int level() {
    double b = scale.doubleValue();
    double certain = normal ? CERTAIN * b : Math.ceil(b * Math.log(levels.count() * RARE / 2));
    int best = 0;
    int highest = 0;
    for (int level = 0; level <= levels.last(); level++) {
      if (value(level) - level * farther() * b > value(best) - best * farther() * b) {
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

  /**
   * The level to clip many cells at: of those up to {@link #level} the one with the least error of
   * a cell, its noise and its part of what people beyond the level seem to lose.
   *
   * @param cells that are listed, or whose labels were released; never those that have rows
   * @param noise of a cell, its mean absolute size, for each step of the level
   */
  public int level(long cells, double noise) {
    int top = level();
    int best = top;
    double least = Double.POSITIVE_INFINITY;
    for (int level = top; level >= 0; level--) {
      double error = noise * at(level) + lost(level, top, cells) / cells;
      if (error < least) {
        least = error;
        best = level;
      }
    }
    return best;
  }

  /** About how much people beyond a level lose of all cells together, up to another level. */
  private double lost(int level, int top, long cells) {
    double lost = 0;
    for (int bucket = level + 1; bucket <= top; bucket++) {
      double middle = (at(bucket - 1) + at(bucket)) / 2;
      double each = Math.max(0, middle - at(level)) * Math.sqrt(spread(middle, cells));
      lost += Math.max(0, value(bucket)) * each;
    }
    return lost;
  }

  /**
   * By how much the sum of what somebody has in all cells exceeds the L2 norm of it, at most:
   * whoever has a norm of n units is in n² cells at most.
   */
  private double spread(double size, long cells) {
    return normal ? Math.min(Math.sqrt(cells), size / levels.unit().doubleValue()) : 1;
  }

  /** About how much clipping at a level takes away from all cells together, in units of sizes. */
  public BigDecimal lost(int level, long cells) {
    return BigDecimal.valueOf(lost(level, Math.max(level, level()), cells));
  }

  private double at(int level) {
    return levels.at(level).doubleValue();
  }

  /** What noise alone reaches in about one bucket of all. */
  private double likely() {
    return normal
        ? LIKELY * scale.doubleValue()
        : Math.ceil(scale.doubleValue() * Math.log(levels.count()));
  }

  /** How much more people each next level has to hold. */
  private double farther() {
    return normal ? FARTHER : step();
  }

  /** From level to level, of the logarithm of sizes. */
  private double step() {
    return levels.fine() ? Math.log(2) / 2 : Math.log(2);
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
    double needed = b * (Math.log(1 / (2 * MISTAKEN)) + (bucket - level) * step());
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

  /**
   * What clipping at this level may take away, in units of sizes. Up to the highest level that has
   * people for certain the histogram says how many there are, beyond it they tail off.
   */
  public ClippingBias shortfall(int level, long cells) {
    return levels.fine() ? known(level, Math.max(level, level()), cells) : tail(level);
  }

  /** Of sizes that are L1 norms, to which it is the same in how many cells people are. */
  public ClippingBias shortfall(int level) {
    return shortfall(level, 1);
  }

  private ClippingBias known(int level, int top, long cells) {
    double known = 0;
    double squares = 0;
    for (int bucket = level + 1; bucket <= top; bucket++) {
      double each = (at(bucket) - at(level)) * spread(at(bucket), cells);
      known += Math.max(0, value(bucket)) * each;
      squares += each * each;
    }
    // The noise of each bucket has a variance of 2b², and their sum is nearly normal.
    double drawn = SURE * Math.sqrt(2 * squares) * scale.doubleValue();
    double far = 0;
    for (int bucket = top + 2; bucket < levels.buckets(); bucket++) {
      double each = (at(bucket) - at(level)) * spread(at(bucket), cells);
      far += apart(top, bucket).doubleValue() * each;
    }
    double most = Math.max(1, value(top + 1) - scale.doubleValue() * Math.log(2 * TAIL));
    double ratio = ratio(top, most);
    double person = 0;
    double people = 1;
    for (int k = 1; top + k < levels.buckets() && (k == 1 || most * people >= HALF); k++) {
      person += people * (at(top + k) - at(level)) * spread(at(top + k), cells);
      people *= ratio;
    }
    return new ClippingBias(
        BigDecimal.valueOf(person),
        new BigDecimal(buckets.get(top + 1)),
        BigDecimal.valueOf(scale.doubleValue()),
        BigDecimal.valueOf(known + drawn + far),
        false);
  }

  private ClippingBias tail(int level) {
    BigInteger far = BigInteger.ZERO;
    for (int bucket = level + 2; bucket < levels.buckets(); bucket++) {
      BigInteger above = levels.at(bucket).subtract(levels.at(level));
      far = far.add(apart(level, bucket).multiply(above));
    }
    BigDecimal person =
        new BigDecimal(levels.at(level)).multiply(BigDecimal.valueOf(levelsOfOne(level)));
    return new ClippingBias(
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
    double ratio = Math.exp(-step());
    for (int below = 0; below <= level; below++) {
      if (value(level - below) > most) {
        ratio = Math.min(ratio, Math.pow(most / value(level - below), 1.0 / (below + 1)));
      }
    }
    return ratio;
  }
}
