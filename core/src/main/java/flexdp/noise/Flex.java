package flexdp.noise;

import flexdp.cache.LruCache;
import flexdp.noise.LaplaceCache.Draws;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;

/**
 * {@code flex}, the paper's mechanism: q + Lap(2S/ε), S a β-smooth bound. (ε, δ), and never part of
 * concentrated accounting.
 *
 * @param outputs how many numbers share the L1 bound S
 * @param literal the paper's own β = ε/(2 ln(2/δ)), for reproduction only
 */
public record Flex(
    BigDecimal epsilon, BigDecimal delta, int outputs, BigDecimal beta, boolean literal)
    implements Mechanism.Additive {
  public static final int MOST_OUTPUTS = 512;

  public Flex {
    PrivacyParameters.checkEpsilon(epsilon);
    PrivacyParameters.checkDelta(delta);
    if (outputs < 1 || outputs > MOST_OUTPUTS) {
      throw new IllegalArgumentException("from 1 to 512 outputs. Provided value: " + outputs);
    }
    if (beta.signum() <= 0) {
      throw new IllegalArgumentException("beta must be > 0");
    }
    if (!literal && !FlexDelta.isAtMost(epsilon, delta, outputs, beta)) {
      throw new IllegalArgumentException("this beta does not give delta " + delta);
    }
  }

  private record Parameters(BigDecimal epsilon, BigDecimal delta, int outputs) {}

  private static final LruCache<Parameters, Flex> KNOWN = new LruCache<>(4_000);
  private static final LruCache<Parameters, Flex> PAPER = new LruCache<>(4_000);

  public static Flex of(BigDecimal epsilon, BigDecimal delta, int outputs) {
    Parameters parameters = new Parameters(epsilon, delta, outputs);
    return KNOWN.of(parameters, () -> calibrated(parameters));
  }

  private static final String NAME = "flex";

  static Optional<Flex> read(Stored form) {
    return form.name().equals(NAME)
        ? Optional.of(of(form.epsilon(), form.delta(), form.outputs()))
        : Optional.empty();
  }

  /** Exactly calibrated: the largest β (to about 15 digits) that meets δ at scale 2S/ε. */
  private static Flex calibrated(Parameters parameters) {
    BigDecimal epsilon = parameters.epsilon();
    BigDecimal delta = parameters.delta();
    int outputs = parameters.outputs();
    double e = PrivacyParameters.checkEpsilon(epsilon).doubleValue();
    double target = PrivacyParameters.checkDelta(delta).doubleValue();
    BigDecimal beta =
        Calibration.largest(
            e,
            b -> FlexDelta.isAtMostNearly(e, target, outputs, b),
            b -> FlexDelta.isAtMost(epsilon, delta, outputs, b));
    return new Flex(epsilon, delta, outputs, beta, false);
  }

  /** The paper to the letter. Its δ holds for one output only. */
  public static Flex paper(BigDecimal epsilon, BigDecimal delta) {
    Parameters parameters = new Parameters(epsilon, delta, 1);
    return PAPER.of(parameters, () -> literal(parameters));
  }

  private static Flex literal(Parameters parameters) {
    BigDecimal epsilon = parameters.epsilon();
    BigDecimal delta = parameters.delta();
    int p = Calibration.PRECISION;
    PrivacyParameters.checkEpsilon(epsilon);
    Rational odds = Rational.of(2).over(Rational.of(PrivacyParameters.checkDelta(delta)));
    Enclosure share = Enclosure.of(odds, p).ln().times(Rational.of(2)).inverse();
    return new Flex(epsilon, delta, 1, share.times(Rational.of(epsilon)).floor(DIGITS), true);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Optional<BigDecimal> rho() {
    return Optional.empty();
  }

  @Override
  public Optional<BigDecimal> smoothing() {
    return Optional.of(literal ? beta : Calibration.smoothing(beta));
  }

  /** 2S/ε. */
  @Override
  public Rational exactScale(BigDecimal sensitivity) {
    return Calibration.sensitivity(sensitivity)
        .times(Rational.of(BigInteger.TWO))
        .over(Rational.of(epsilon));
  }

  @Override
  public List<BigInteger> draw(
      List<BigInteger> exact, BigDecimal sensitivity, BigDecimal grid, Draws draws) {
    Calibration.checkOutputs(outputs, exact.size());
    Rational scale = exactScale(sensitivity).over(Rational.of(grid));
    return exact.stream().map(x -> SmoothNoise.laplace(x, scale, draws.bits())).toList();
  }

  @Override
  public double beyond(double scales) {
    return Math.exp(-scales);
  }

  @Override
  public double quantile(double chance) {
    return -Math.log(chance);
  }

  /** |Lap(b)| exceeds b·ln(1/t) with probability t; the rounding adds its half. */
  @Override
  public BigDecimal halfWidth(BigDecimal sensitivity, BigDecimal grid, BigDecimal confidence) {
    int p = Calibration.PRECISION;
    Enclosure size = Enclosure.of(Calibration.tail(confidence), p).ln().negate();
    Rational width = size.times(exactScale(sensitivity)).upper();
    return Calibration.upToGrid(width.plus(Rational.of(grid).over(Rational.of(2))), grid);
  }

  /**
   * The δ that Laplace noise of scale S/α, α = ε/2, really has for a β-smooth S (guarantee section
   * 5).
   *
   * <p>One output: δ = ½(1−e^(−β))·[e^(−(ε+β−α)/(e^β−1)) + e^(−(ε+β+α)/(e^β−1))], valid while β +
   * α·e^(−β) ≤ ε. The density with the smaller scale exceeds e^ε times the other only near its
   * centre, the one with the larger scale only in the two tails, and those tails are the two terms.
   *
   * <p>d outputs: the shift costs α of ε; for the stretch the loss exceeds the other half where the
   * Gamma(d) norm passes g₀ = (ε/2 + dβ)/(e^β−1). Valid while dβ ≤ ε/2: δ = Q(d, g₀) − e^(ε/2)·Q(d,
   * e^β·g₀), with Q(d, x) = e^(−x)·Σ_{j&lt;d} x^j/j! for whole d.
   */
  static final class FlexDelta {
    private FlexDelta() {}

    /** Certain, by intervals. */
    static boolean isAtMost(BigDecimal epsilon, BigDecimal delta, int d, BigDecimal beta) {
      int p = Calibration.precision(delta) + 8 * d;
      Enclosure e = Enclosure.of(Rational.of(epsilon), p);
      Enclosure b = Enclosure.of(Rational.of(beta), p);
      Enclosure limit = Enclosure.of(Rational.of(delta), p);
      Enclosure half = e.times(Rational.of(1, 2));
      Enclosure one = Enclosure.of(1, p);
      Enclosure inverse = b.exp().minus(one).inverse();
      if (d == 1) {
        if (!b.plus(half.times(b.negate().exp())).atMost(e)) {
          return false;
        }
        Enclosure near = e.plus(b).minus(half).times(inverse).negate().exp();
        Enclosure far = e.plus(b).plus(half).times(inverse).negate().exp();
        Enclosure share = one.minus(b.negate().exp()).times(Rational.of(1, 2));
        return share.times(near.plus(far)).atMost(limit);
      }
      Enclosure stretch = b.times(Rational.of(d));
      if (!stretch.atMost(half)) {
        return false;
      }
      Enclosure from = half.plus(stretch).times(inverse);
      Enclosure smaller = half.exp().times(gammaTail(d, from.times(b.exp())));
      return gammaTail(d, from).minus(smaller).atMost(limit);
    }

    /** P(Gamma(d) > x). */
    private static Enclosure gammaTail(int d, Enclosure x) {
      Enclosure term = Enclosure.of(1, x.p());
      Enclosure sum = term;
      for (int j = 1; j < d; j++) {
        term = term.times(x).times(Rational.of(1, j));
        sum = sum.plus(term);
      }
      return x.negate().exp().times(sum);
    }

    /** The condition in doubles, as a first guess. */
    static boolean isAtMostNearly(double e, double delta, int d, double b) {
      double half = e / 2;
      double growth = Math.expm1(b);
      if (d == 1) {
        double sum = Math.exp(-(e + b - half) / growth) + Math.exp(-(e + b + half) / growth);
        return b + half * Math.exp(-b) <= e && -Math.expm1(-b) / 2 * sum <= delta;
      }
      double from = (half + d * b) / growth;
      double both = gammaTail(d, from) - Math.exp(half) * gammaTail(d, Math.exp(b) * from);
      return d * b <= half && both <= delta;
    }

    private static double gammaTail(int d, double x) {
      double logTerm = -x;
      double sum = Math.exp(logTerm);
      for (int j = 1; j < d; j++) {
        logTerm += Math.log(x / j);
        sum += Math.exp(logTerm);
      }
      return sum;
    }
  }
}
