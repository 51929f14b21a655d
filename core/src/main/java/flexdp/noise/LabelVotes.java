package flexdp.noise;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.function.Supplier;

/**
 * Labels of the data by Gaussian votes (guarantee §10): each person votes for K of her labels at
 * most, by 1/√k for each of k, so that her votes have length 1 at most. They are whole steps of
 * 2⁻²⁰, truncated, and so is the noise.
 *
 * <p>A label that she alone has is shown where 1/√k and noise pass the threshold. Each of the k
 * does so with δ/k at most, whatever k is: without a largest k there would be no threshold.
 *
 * @param noise by which all votes together are made private
 * @param most K
 * @param people D, of how many people a step of another unit changes the votes; 0 where there is
 *     none. Each of them had other votes before, so it moves them by √2·D
 */
public record LabelVotes(Gaussian noise, int most, BigInteger people) {
  /** Votes are whole multiples of 2^(−20). */
  public static final int DIGITS = 20;

  private static final int FINE = 16;
  private static final BigInteger UNIT = BigInteger.ONE.shiftLeft(DIGITS);
  private static final MathContext UP = new MathContext(40, RoundingMode.UP);

  /** Below 2π. */
  private static final Rational CIRCLE = Rational.of(62_831_853, 10_000_000);

  public LabelVotes {
    if (most < 1 || people.signum() < 0) {
      throw new IllegalArgumentException("people vote for one label or more");
    }
  }

  /** The vote for each of so many labels, in steps: 1/√k, rounded down. */
  public static BigInteger vote(int labels) {
    return BigInteger.ONE.shiftLeft(2 * DIGITS).divide(BigInteger.valueOf(labels)).sqrt();
  }

  /** The square of how far all votes move together, in steps. */
  public BigInteger movedSquared() {
    BigInteger others = people.multiply(people).shiftLeft(1);
    return others.max(BigInteger.ONE).shiftLeft(2 * DIGITS);
  }

  /** σ², in steps. */
  public Rational variance() {
    Rational twice = Rational.of(noise.concentration()).times(Rational.of(2));
    return Rational.of(movedSquared()).over(twice);
  }

  /** Noise for each label, in steps. */
  public Supplier<BigInteger> drawn(BitSource source) {
    DiscreteGaussian gaussian = new DiscreteGaussian(variance());
    return () -> gaussian.sample(source);
  }

  /**
   * What noisy votes have to pass, strictly, in steps.
   *
   * @param delta the chance that a label is shown which one step alone brought
   * @param atLeast how many people a label has to have, but for luck; 1 for any
   */
  public BigInteger threshold(BigDecimal delta, int atLeast) {
    PrivacyParameters.checkDelta(delta);
    BigInteger largest = BigInteger.ZERO;
    for (int labels = 1; labels <= most; labels++) {
      largest = largest.max(vote(labels).add(beyond(BigInteger.valueOf(labels), delta)));
    }
    BigInteger all = BigInteger.valueOf(most).multiply(people.max(BigInteger.ONE));
    largest = largest.max(people.shiftLeft(DIGITS).add(beyond(all, delta)));
    // As many as are too few may all have this label alone.
    BigInteger fewer = BigInteger.valueOf(atLeast - 1L).shiftLeft(DIGITS);
    largest = largest.max(fewer.add(beyond(all, delta)));
    // The tail of discrete noise is below that of continuous noise one step nearer.
    return largest.add(BigInteger.ONE);
  }

  /** How many people have to vote for a label, at least, for it to be shown but for luck. */
  public BigDecimal fewest(BigDecimal delta, int atLeast) {
    return new BigDecimal(threshold(delta, atLeast)).divide(new BigDecimal(UNIT), UP);
  }

  /** What one of so many draws passes with δ at most, in steps, as if they were continuous. */
  private BigInteger beyond(BigInteger draws, BigDecimal delta) {
    BigDecimal deviation = variance().decimal(UP).sqrt(UP);
    return Rational.of(deviation).times(deviations(draws, delta)).ceiling();
  }

  /**
   * The number of deviations that each of the draws passes with δ/n at most, which is no more than
   * 1 − (1 − δ)^(1/n). By Q(z) ≤ φ(z)/z·(1 − 1/z² + 3/z⁴), which intervals check.
   */
  static Rational deviations(BigInteger draws, BigDecimal delta) {
    double target = Math.log(delta.doubleValue()) - Math.log(draws.doubleValue());
    double low = 1;
    double high = 64;
    for (int i = 0; i < 60; i++) {
      double middle = (low + high) / 2;
      if (tail(middle) <= target) {
        high = middle;
      } else {
        low = middle;
      }
    }
    long steps = (long) Math.ceil(low * (1L << FINE));
    for (long more = 1; !isRare(Rational.of(steps, 1L << FINE), draws, delta); more *= 2) {
      steps += more;
    }
    return Rational.of(steps, 1L << FINE);
  }

  private static double tail(double z) {
    double z2 = z * z;
    return -z2 / 2 - Math.log(z * Math.sqrt(2 * Math.PI)) + Math.log1p(-1 / z2 + 3 / (z2 * z2));
  }

  private static boolean isRare(Rational z, BigInteger draws, BigDecimal delta) {
    int p = Calibration.precision(delta);
    Rational inverse = Rational.ONE.over(z.times(z));
    Rational series =
        Rational.ONE.minus(inverse).plus(inverse.times(inverse).times(Rational.of(3)));
    Rational odds = Rational.of(draws).times(series).over(Rational.of(delta).times(z));
    Enclosure density =
        Enclosure.of(CIRCLE, p).ln().plus(Enclosure.of(z.times(z), p)).times(Rational.of(1, 2));
    return Enclosure.of(odds, p).ln().atMost(density);
  }
}
