package flexdp.noise;

import flexdp.cache.LruCache;
import flexdp.noise.LaplaceCache.Draws;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.List;
import java.util.Optional;

/**
 * {@code lomax}: q + (S/c)·Z with Z of density ∝ (1+‖z‖₁)^(−a) in d dimensions, S a β-smooth bound
 * of the L1 sensitivity. Pure ε.
 *
 * <p>Why: let s and t ≤ e^β·s be the two smooth bounds and v the shift, ‖v‖ ≤ min(s, t). The log of
 * the ratio of densities at x is d·ln(t/s) + a·ln((1 + c‖x−v‖/t)/(1 + c‖x‖/s)) or its negative. It
 * is monotone along each piece, so its extremes lie at the shift alone (t = s, x = 0 or v:
 * a·ln(1+c)), at shift and stretch together (dβ + a·ln(1+c·e^(−β))), and at infinity ((a−d)·β). All
 * three at most ε is the condition (guarantee §5; the neighbour grid test walks over the ratio).
 *
 * @param tail a − d
 */
public record Lomax(BigDecimal epsilon, int outputs, BigDecimal beta, Rational tail, BigDecimal c)
    implements Mechanism.Additive {
  /** Share of ε/d that goes to β: near the least mean noise for ε about 1. */
  private static final Rational SHARE = Rational.of(15, 100);

  /** Beyond this the noise is worse than that of released metrics. */
  public static final int MOST_OUTPUTS = 64;

  public Lomax {
    PrivacyParameters.checkEpsilon(epsilon);
    if (outputs < 1 || outputs > MOST_OUTPUTS) {
      throw new IllegalArgumentException("from 1 to 64 outputs. Provided value: " + outputs);
    }
    if (beta.signum() <= 0 || tail.signum() <= 0 || c.signum() <= 0) {
      throw new IllegalArgumentException("beta, a - d and c must be > 0");
    }
    if (!isPrivate(epsilon, outputs, beta, tail, c)) {
      throw new IllegalArgumentException("this calibration does not give " + epsilon + "-privacy");
    }
  }

  public static Lomax of(BigDecimal epsilon) {
    return of(epsilon, 1);
  }

  private record Parameters(BigDecimal epsilon, int outputs) {}

  /** Calibrating is certain arithmetic with hundreds of digits, of public parameters only. */
  private static final LruCache<Parameters, Lomax> KNOWN = new LruCache<>(4_000);

  public static Lomax of(BigDecimal epsilon, int outputs) {
    Parameters parameters = new Parameters(epsilon, outputs);
    return KNOWN.of(parameters, () -> calibrated(parameters));
  }

  private static final String NAME = "lomax";

  static Optional<Lomax> read(Stored form) {
    return form.name().equals(NAME)
        ? Optional.of(of(form.epsilon(), form.outputs()))
        : Optional.empty();
  }

  /** β = 0.15·ε/d, a = d + ε/β, c = min(e^(ε/a) − 1, (e^((ε−dβ)/a) − 1)·e^β), rounded down. */
  private static Lomax calibrated(Parameters parameters) {
    BigDecimal epsilon = parameters.epsilon();
    int outputs = parameters.outputs();
    Rational e = Rational.of(PrivacyParameters.checkEpsilon(epsilon));
    Rational d = Rational.of(outputs);
    BigDecimal beta = Calibration.down(SHARE.times(e).over(d));
    Rational tail = d.over(SHARE);
    Rational a = tail.plus(d);
    int p = Calibration.PRECISION;
    Enclosure one = Enclosure.of(1, p);
    Enclosure b = Enclosure.of(Rational.of(beta), p);
    Enclosure shift = Enclosure.of(e.over(a), p).exp().minus(one);
    Rational rest = e.minus(d.times(Rational.of(beta))).over(a);
    Enclosure both = Enclosure.of(rest, p).exp().minus(one).times(b.exp());
    BigDecimal c = shift.floor(DIGITS).min(both.floor(DIGITS));
    return new Lomax(epsilon, outputs, beta, tail, c);
  }

  /** The three conditions, certain. */
  static boolean isPrivate(
      BigDecimal epsilon, int d, BigDecimal beta, Rational tail, BigDecimal c) {
    // e^(−β) has to be told from 0, also when it is multiplied by a c of the size of e^(ε/a).
    int p = 2 * Calibration.PRECISION + epsilon.intValue();
    Rational a = tail.plus(Rational.of(d));
    Enclosure e = Enclosure.of(Rational.of(epsilon), p);
    Enclosure one = Enclosure.of(1, p);
    Enclosure b = Enclosure.of(Rational.of(beta), p);
    Enclosure push = Enclosure.of(Rational.of(c), p);
    Enclosure shift = one.plus(push).ln().times(a);
    Enclosure both =
        b.times(Rational.of(d)).plus(one.plus(push.times(b.negate().exp())).ln().times(a));
    boolean far = tail.times(Rational.of(beta)).compareTo(Rational.of(epsilon)) <= 0;
    return far && shift.atMost(e) && both.atMost(e);
  }

  /** The exponent of the density. */
  public Rational a() {
    return tail.plus(Rational.of(outputs));
  }

  @Override
  public String name() {
    return NAME;
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
    return Optional.of(Calibration.smoothing(beta));
  }

  @Override
  public Rational exactScale(BigDecimal sensitivity) {
    return Calibration.sensitivity(sensitivity).over(Rational.of(c));
  }

  @Override
  public List<BigInteger> draw(
      List<BigInteger> exact, BigDecimal sensitivity, BigDecimal grid, Draws draws) {
    Calibration.checkOutputs(outputs, exact.size());
    return SmoothNoise.lomax(
        exact, tail, exactScale(sensitivity).over(Rational.of(grid)), draws.bits());
  }

  private double power() {
    return tail.decimal(MathContext.DECIMAL64).doubleValue();
  }

  @Override
  public double beyond(double scales) {
    return Math.pow(1 + scales, -power());
  }

  @Override
  public double quantile(double chance) {
    return Math.pow(chance, -1 / power()) - 1;
  }

  /**
   * One coordinate exceeds z in size with probability (1+z)^(−tail); the rounding adds its half.
   */
  @Override
  public BigDecimal halfWidth(BigDecimal sensitivity, BigDecimal grid, BigDecimal confidence) {
    int p = Calibration.PRECISION;
    Enclosure exceeded = Enclosure.of(Calibration.tail(confidence), p).ln().negate();
    Enclosure z = exceeded.times(Rational.ONE.over(tail)).exp().minus(Enclosure.of(1, p));
    Rational width = z.times(exactScale(sensitivity)).upper();
    return Calibration.upToGrid(width.plus(Rational.of(grid).over(Rational.of(2))), grid);
  }
}
