package flexdp.noise;

import java.math.BigInteger;

/**
 * The discrete Gaussian: P(z) ∝ e^(−z²/(2σ²)) on the integers, with an exact rational σ².
 *
 * <p>Canonne, Kamath, Steinke (2020): draw y from the discrete Laplace of scale t = ⌊σ⌋+1 and
 * accept it with probability e^(−x), x = (|y| − σ²/t)²/(2σ²). The acceptance compares a uniform
 * number with e^(−x) lazily. A first look with doubles decides when the two are further apart than
 * 2⁻³², which is more than 2¹⁰ times the doubles' error; otherwise the same number is compared
 * exactly.
 */
public final class DiscreteGaussian {
  private static final double MARGIN = 0x1p-32;
  private static final int FIRST_DIGITS = 40;

  private final Rational variance;
  private final Rational centre;
  private final DiscreteLaplace proposal;
  private final double centreNear;
  private final double varianceNear;

  public DiscreteGaussian(Rational variance) {
    if (variance.signum() <= 0) {
      throw new IllegalArgumentException("variance must be > 0. Provided value: " + variance);
    }
    Rational t = Rational.of(variance.floor().sqrt().add(BigInteger.ONE));
    this.variance = variance;
    this.centre = variance.over(t);
    this.proposal = new DiscreteLaplace(t);
    this.centreNear = centre.doubleValue();
    this.varianceNear = variance.doubleValue();
  }

  public BigInteger sample(BitSource source) {
    while (true) {
      BigInteger y = proposal.sample(source);
      if (accepts(y.abs(), source)) {
        return y;
      }
    }
  }

  private boolean accepts(BigInteger size, BitSource source) {
    double off = size.doubleValue() - centreNear;
    double near = StrictMath.exp(-(off / varianceNear) * off / 2);
    long first = source.bits(FIRST_DIGITS);
    double u = first * 0x1p-40;
    if (u + 0x1p-40 <= near - MARGIN) {
      return true;
    }
    if (u >= near + MARGIN) {
      return false;
    }
    Rational exact = Rational.of(size).minus(centre);
    Rational x = exact.times(exact).over(variance.times(Rational.of(2)));
    return new LazyUniform(source, first, FIRST_DIGITS)
        .isBelow(p -> Enclosure.of(x, p).negate().exp());
  }
}
