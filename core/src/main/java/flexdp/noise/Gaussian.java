package flexdp.noise;

import flexdp.noise.LaplaceCache.Draws;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.Optional;

/**
 * {@code gaussian}: discrete Gaussian noise with σ² = Δ²/(2ρ) on the grid of the answer, for a
 * public sensitivity Δ in L2. It is ρ-zCDP (Canonne, Kamath, Steinke 2020; it adds up over
 * coordinates), and (ε, δ) by their conversion, see {@link GaussianDelta}.
 */
public record Gaussian(BigDecimal epsilon, BigDecimal delta, BigDecimal concentration)
    implements Mechanism.Additive {
  public Gaussian {
    PrivacyParameters.checkEpsilon(epsilon);
    PrivacyParameters.checkDelta(delta);
    if (concentration.signum() <= 0) {
      throw new IllegalArgumentException("rho must be > 0. Provided value: " + concentration);
    }
    if (!GaussianDelta.isAtMost(epsilon, delta, concentration)) {
      throw new IllegalArgumentException("this rho does not give delta " + delta);
    }
  }

  /** The largest ρ (to about 15 digits) that gives (ε, δ). */
  public static Gaussian of(BigDecimal epsilon, BigDecimal delta) {
    double e = PrivacyParameters.checkEpsilon(epsilon).doubleValue();
    double target = Math.log(PrivacyParameters.checkDelta(delta).doubleValue());
    // ρ-zCDP implies no better than ε = ρ, so ρ is at most ε, and a little more where δ is large.
    BigDecimal rho =
        Calibration.largest(
            2 * e + 2,
            r -> GaussianDelta.log(e, r) <= target,
            r -> GaussianDelta.isAtMost(epsilon, delta, r));
    return new Gaussian(epsilon, delta, rho);
  }

  /** ρ given, and the ε that it means at this δ: ρ + 2·√(ρ·ln(1/δ)), rounded up. */
  public static Gaussian ofZcdp(BigDecimal rho, BigDecimal delta) {
    return new Gaussian(epsilon(rho, delta), delta, rho);
  }

  /** Whether ρ at this δ is what noise is made for. */
  public static boolean isWithin(BigDecimal rho, BigDecimal delta) {
    return PrivacyParameters.isDelta(delta) && PrivacyParameters.isEpsilon(epsilon(rho, delta));
  }

  /** The ε that ρ means at a δ, of one answer or of many, however large. */
  public static BigDecimal epsilon(BigDecimal rho, BigDecimal delta) {
    int p = Calibration.PRECISION;
    Rational r = Rational.of(rho);
    Enclosure log = Enclosure.of(Rational.of(PrivacyParameters.checkDelta(delta)), p).ln().negate();
    BigDecimal root =
        log.times(r).upper().decimal(UP).sqrt(new MathContext(DIGITS, RoundingMode.UP));
    return root.multiply(BigDecimal.TWO).add(rho).round(UP);
  }

  private static final MathContext UP = new MathContext(DIGITS, RoundingMode.CEILING);

  private static final String NAME = "gaussian";

  static Optional<Gaussian> read(Stored form) {
    return form.name().equals(NAME)
        ? form.rho().map(rho -> new Gaussian(form.epsilon(), form.delta(), rho))
        : Optional.empty();
  }

  @Override
  public Stored stored() {
    return new Stored(NAME, epsilon, delta, outputs(), Optional.of(concentration));
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<BigInteger> draw(
      List<BigInteger> exact, BigDecimal sensitivity, BigDecimal grid, Draws draws) {
    Rational unit = Rational.of(grid);
    DiscreteGaussian z = new DiscreteGaussian(variance(sensitivity).over(unit.times(unit)));
    return exact.stream().map(x -> x.add(z.sample(draws.bits()))).toList();
  }

  @Override
  public double beyond(double scales) {
    return 1 - GaussianDelta.within(scales);
  }

  @Override
  public double quantile(double chance) {
    return GaussianDelta.quantile(1 - chance);
  }

  @Override
  public Optional<BigDecimal> rho() {
    return Optional.of(concentration);
  }

  @Override
  public Optional<BigDecimal> smoothing() {
    return Optional.empty();
  }

  /** σ², exact. */
  public Rational variance(BigDecimal sensitivity) {
    Rational delta = Calibration.sensitivity(sensitivity);
    return delta.times(delta).over(Rational.of(concentration).times(Rational.of(BigInteger.TWO)));
  }

  /** σ, rounded up; the sampler uses the exact {@link #variance}. */
  @Override
  public Rational exactScale(BigDecimal sensitivity) {
    return Rational.of(
        variance(sensitivity).decimal(UP).sqrt(new MathContext(DIGITS, RoundingMode.UP)));
  }

  /**
   * The tail of the discrete Gaussian beyond m is below that of the continuous one beyond m − 1, so
   * its quantile plus one step of the grid.
   */
  @Override
  public BigDecimal halfWidth(BigDecimal sensitivity, BigDecimal grid, BigDecimal confidence) {
    Calibration.tail(confidence);
    BigDecimal deviations =
        new BigDecimal(GaussianDelta.quantile(confidence.doubleValue()) * (1 + 1e-12));
    Rational width = exactScale(sensitivity).times(Rational.of(deviations));
    return Calibration.upToGrid(width.plus(Rational.of(grid)), grid);
  }

  /** Its draws are independent, and a sum of n of them is as near to normal as one is. */
  @Override
  public Optional<Sums> sums() {
    return Optional.of(
        (sensitivity, grid, confidence, draws) -> {
          BigDecimal root =
              BigDecimal.valueOf(draws).sqrt(new MathContext(DIGITS, RoundingMode.UP));
          return halfWidth(sensitivity.multiply(root), grid, confidence);
        });
  }

  /**
   * Δ∞ + σ·√(2·ln(T/δ)): a draw exceeds x with probability e^(−x²/(2σ²)) at most, since the moments
   * of the discrete Gaussian are no larger than those of the continuous one.
   */
  @Override
  public Optional<BigDecimal> labelThreshold(
      BigDecimal sensitivity, BigDecimal touched, BigDecimal delta) {
    Rational odds = Rational.of(touched).over(Rational.of(PrivacyParameters.checkDelta(delta)));
    BigDecimal base = Calibration.upToGrid(Rational.of(touched), BigDecimal.ONE);
    if (odds.compareTo(Rational.ONE) <= 0) {
      return Optional.of(base);
    }
    Enclosure log = Enclosure.of(odds, Calibration.PRECISION).ln();
    BigDecimal deviations =
        log.upper()
            .decimal(UP)
            .multiply(BigDecimal.TWO)
            .sqrt(new MathContext(DIGITS, RoundingMode.UP));
    Rational beyond = exactScale(sensitivity).times(Rational.of(deviations));
    return Optional.of(base.add(Calibration.upToGrid(beyond, BigDecimal.ONE)));
  }

  /**
   * The δ of ρ-zCDP at ε: for every α &gt; 1, δ ≤ e^((α−1)(αρ−ε))·(1−1/α)^α/(α−1) (Canonne, Kamath,
   * Steinke 2020). Any α is sound; a search in doubles picks a good one.
   */
  static final class GaussianDelta {
    private GaussianDelta() {}

    /** Certain, by intervals, at the α that the search picks. */
    static boolean isAtMost(BigDecimal epsilon, BigDecimal delta, BigDecimal rho) {
      int p = Calibration.PRECISION;
      double excess = bestExcess(epsilon.doubleValue(), rho.doubleValue());
      Rational x = Rational.of(new BigDecimal(excess));
      Rational a = x.plus(Rational.ONE);
      Rational exponent = x.times(a.times(Rational.of(rho)).minus(Rational.of(epsilon)));
      Enclosure share = Enclosure.of(x.over(a), p).ln().times(a);
      Enclosure log = Enclosure.of(exponent, p).plus(share).minus(Enclosure.of(x, p).ln());
      return log.atMost(Enclosure.of(Rational.of(delta), Calibration.precision(delta)).ln().to(p));
    }

    /** ln δ in doubles. */
    static double log(double e, double rho) {
      return log(e, rho, bestExcess(e, rho));
    }

    private static double log(double e, double rho, double x) {
      return x * ((x + 1) * rho - e) - Math.log(x) - (x + 1) * Math.log1p(1 / x);
    }

    /** The α − 1 of the least δ: ln δ has one valley along the logarithm of α − 1. */
    private static double bestExcess(double e, double rho) {
      double low = -20;
      double high = 60;
      for (int i = 0; i < 120; i++) {
        double left = low + (high - low) / 3;
        double right = high - (high - low) / 3;
        if (log(e, rho, Math.exp(left)) < log(e, rho, Math.exp(right))) {
          high = right;
        } else {
          low = left;
        }
      }
      return Math.exp((low + high) / 2);
    }

    /** z with P(|N(0,1)| ≤ z) = confidence; for error bars only. */
    static double quantile(double confidence) {
      double low = 0;
      double high = 40;
      for (int i = 0; i < 100; i++) {
        double middle = (low + high) / 2;
        if (within(middle) < confidence) {
          low = middle;
        } else {
          high = middle;
        }
      }
      return high;
    }

    /** P(|N(0,1)| ≤ z) = 2φ(z)·Σ z^(2n+1)/(1·3·5⋯(2n+1)). */
    static double within(double z) {
      double term = z;
      double sum = z;
      for (int n = 1; term > sum * 1e-17; n++) {
        term *= z * z / (2 * n + 1);
        sum += term;
      }
      return Math.sqrt(2 / Math.PI) * Math.exp(-z * z / 2) * sum;
    }
  }
}
