package flexdp.noise;

import flexdp.noise.LaplaceCache.Draws;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * {@code laplace}: discrete Laplace noise of scale Δ/ε on the grid of the answer, for a public
 * sensitivity Δ in L1. Pure ε: the probabilities of an output under two inputs at L1 distance at
 * most Δ differ by a factor of at most e^(ε·distance/Δ).
 *
 * @param released Δ comes from released metrics, and the contract calls it {@code released}
 */
public record Laplace(BigDecimal epsilon, boolean released) implements Mechanism.Additive {
  public Laplace {
    PrivacyParameters.checkEpsilon(epsilon);
  }

  public static Laplace of(BigDecimal epsilon) {
    return new Laplace(epsilon, false);
  }

  static Optional<Laplace> read(Stored form) {
    return Stream.of(of(form.epsilon()), new Laplace(form.epsilon(), true))
        .filter(made -> made.name().equals(form.name()))
        .findFirst();
  }

  @Override
  public String name() {
    return released ? "released" : "laplace";
  }

  @Override
  public BigDecimal delta() {
    return BigDecimal.ZERO;
  }

  @Override
  public Optional<BigDecimal> rho() {
    return Optional.of(Mechanism.rhoOfPure(epsilon));
  }

  @Override
  public Optional<BigDecimal> smoothing() {
    return Optional.empty();
  }

  @Override
  public Rational exactScale(BigDecimal sensitivity) {
    return Calibration.sensitivity(sensitivity).over(Rational.of(epsilon));
  }

  /** The least w with P(|Z| > w) = 2·r^(w+1)/(1+r) ≤ 1 − confidence, r = e^(−1/b). */
  @Override
  public BigDecimal halfWidth(BigDecimal sensitivity, BigDecimal grid, BigDecimal confidence) {
    Rational tail = Calibration.tail(confidence);
    Rational b = exactScale(sensitivity).over(Rational.of(grid));
    if (b.signum() == 0) {
      return BigDecimal.ZERO;
    }
    int p = Calibration.PRECISION;
    Enclosure r = Enclosure.of(Rational.ONE.over(b), p).negate().exp();
    Enclosure odds = Enclosure.of(Rational.of(2).over(tail), p).times(one(p).plus(r).inverse());
    BigInteger steps = odds.ln().times(b).upper().ceiling().subtract(BigInteger.ONE);
    return grid.multiply(new BigDecimal(steps.max(BigInteger.ZERO)));
  }

  @Override
  public List<BigInteger> draw(
      List<BigInteger> exact, BigDecimal sensitivity, BigDecimal grid, Draws draws) {
    DiscreteLaplace z = draws.laplace(exactScale(sensitivity).over(Rational.of(grid)));
    return exact.stream().map(x -> x.add(z.sample(draws.bits()))).toList();
  }

  @Override
  public double beyond(double scales) {
    return Math.exp(-scales);
  }

  @Override
  public double quantile(double chance) {
    return -Math.log(chance);
  }

  /** Its draws are independent. */
  @Override
  public Optional<Sums> sums() {
    return Optional.of(
        (sensitivity, grid, confidence, draws) ->
            LaplaceSum.halfWidth(this, sensitivity, grid, confidence, draws));
  }

  @Override
  public Optional<BigDecimal> labelThreshold(
      BigDecimal sensitivity, BigDecimal touched, BigDecimal delta) {
    return Optional.of(
        LabelThreshold.of(touched, exactScale(sensitivity), touched, delta, BigDecimal.ONE));
  }

  private static Enclosure one(int p) {
    return Enclosure.of(1, p);
  }

  /**
   * How far a sum of independent discrete Laplace draws may be from zero. By Chernoff's bound P(|S|
   * ≥ w) ≤ 2·e^(−tw)·M(t)^n for every t below 1/b, with the generating function of one draw on the
   * integers M(t) = (1−r)²/((1−r·e^t)(1−r·e^(−t))), r = e^(−1/b). Wider than need be, never
   * narrower.
   */
  public static final class LaplaceSum {
    private static final int TRIES = 400;

    /** Covers the rounding of doubles many times over. */
    private static final double OUTWARD = 1 + 1e-9;

    private LaplaceSum() {}

    /**
     * The sum of so many noisy values is within this distance of the sum of the exact ones with at
     * least this probability.
     */
    public static BigDecimal halfWidth(
        Laplace mechanism,
        BigDecimal sensitivity,
        BigDecimal grid,
        BigDecimal confidence,
        int draws) {
      if (draws == 1) {
        return mechanism.halfWidth(sensitivity, grid, confidence);
      }
      double b =
          mechanism
              .exactScale(sensitivity)
              .over(Rational.of(grid))
              .decimal(new MathContext(17, RoundingMode.CEILING))
              .doubleValue();
      if (b == 0) {
        return BigDecimal.ZERO;
      }
      b = Math.nextUp(b);
      double tail = Math.nextDown(BigDecimal.ONE.subtract(confidence).doubleValue());
      double least = Double.POSITIVE_INFINITY;
      for (int i = 1; i < TRIES; i++) {
        double t = i / (TRIES * b);
        least = Math.min(least, (Math.log(2 / tail) + draws * logMoment(t, b)) / t);
      }
      // The bound is on reaching a distance; a sum of whole steps that does not is one step nearer.
      BigDecimal steps = new BigDecimal(least * OUTWARD).setScale(0, RoundingMode.CEILING);
      return grid.multiply(steps.subtract(BigDecimal.ONE).max(BigDecimal.ZERO));
    }

    private static double logMoment(double t, double b) {
      return 2 * Math.log(-Math.expm1(-1 / b))
          - Math.log(-Math.expm1(t - 1 / b))
          - Math.log(-Math.expm1(-t - 1 / b));
    }
  }

  /**
   * When a bin whose label comes from the data may be shown (guarantee §7).
   *
   * <p>At most T bins change between neighbours. One that exists in one of two neighbours only
   * holds at most Δ∞, and passes with probability P(Z &gt; x) = r^(x+1)/(1+r) ≤ ½·e^(−x/b) for
   * whole x, so x = b·ln(T/(2δ)) makes all of them together at most δ. The bound needs x whole:
   * hence up to the grid.
   */
  public static final class LabelThreshold {
    private LabelThreshold() {}

    /**
     * What a noisy count has to pass, strictly: Δ∞ + b·ln(T/(2δ)).
     *
     * @param largest Δ∞: what one bin can hold in one neighbour while it is absent in the other
     * @param scale b, public, of discrete Laplace noise on the grid
     * @param touched T: bins that change between neighbours (2T under replace-one)
     */
    public static BigDecimal of(
        BigDecimal largest, Rational scale, BigDecimal touched, BigDecimal delta, BigDecimal grid) {
      Rational odds =
          Rational.of(touched)
              .over(Rational.of(PrivacyParameters.checkDelta(delta)).times(Rational.of(2)));
      BigDecimal base = Calibration.upToGrid(Rational.of(largest), grid);
      if (odds.compareTo(Rational.ONE) <= 0) {
        return base;
      }
      Enclosure log = Enclosure.of(odds, Calibration.PRECISION).ln();
      return base.add(Calibration.upToGrid(log.times(scale).upper(), grid));
    }
  }
}
