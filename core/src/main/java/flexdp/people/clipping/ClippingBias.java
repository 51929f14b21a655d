package flexdp.people.clipping;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/**
 * By how much a clipped value falls short, as far as the noisy histogram of people tells. Let n be
 * the number of people of the next bucket above the level, of which H̃ = n + noise is known: the
 * value is short of at most n·{@code person} + {@code apart}.
 *
 * <p>Nothing can be said that holds for all data: one person with a million rows hides in any
 * noise. So this holds where sizes tail off, each bucket beyond the level holding at most half as
 * many people as the one before and falling off no slower than the buckets below did, and for
 * people further up who stand out of the noise.
 *
 * @param person what one person of the next bucket may stand for: her own excess, and that of as
 *     many people of the buckets after it as come with her
 * @param people H̃
 * @param scale of the noise in H̃
 * @param apart of people who stand out of the noise further up
 * @param eitherWay whether values may be cut from below, too
 */
public record ClippingBias(
    BigDecimal person, BigDecimal people, BigDecimal scale, BigDecimal apart, boolean eitherWay) {
  private static final BigDecimal HALF = new BigDecimal("0.5");
  private static final MathContext UP = new MathContext(20, RoundingMode.CEILING);

  /** Nothing is cut off. */
  public static final ClippingBias NONE =
      new ClippingBias(BigDecimal.ZERO, BigDecimal.ZERO, BigDecimal.ZERO, BigDecimal.ZERO, false);

  /** Of so much and no more, whatever the noise. */
  public static ClippingBias of(BigDecimal amount) {
    return new ClippingBias(BigDecimal.ZERO, BigDecimal.ZERO, BigDecimal.ZERO, amount, true);
  }

  /** Of a measurement that moves by so much with each unit of size. */
  public ClippingBias times(BigDecimal unit, boolean ofEitherSign) {
    return new ClippingBias(
        person.multiply(unit), people, scale, apart.multiply(unit), ofEitherSign);
  }

  public boolean isNone() {
    return person.signum() == 0 && apart.signum() == 0;
  }

  /** The value is short of more than this with at most this probability. */
  public BigDecimal most(double tail) {
    return together(0, BigDecimal.ZERO, tail);
  }

  /**
   * The shortfall and Laplace noise together exceed this with at most this probability: less than
   * both by themselves, as they are independent.
   *
   * @param noise the scale of the noise; it is discrete, in steps of the grid
   */
  public BigDecimal together(double noise, BigDecimal grid, double tail) {
    // A discrete Laplace variable is stochastically below a continuous one and half a step.
    double drawn = person.multiply(scale).doubleValue();
    BigDecimal quantile = new BigDecimal(quantile(drawn, noise, tail), UP);
    return quantile
        .add(person.multiply(people.add(HALF)))
        .add(grid.multiply(HALF))
        .add(apart)
        .max(BigDecimal.ZERO);
  }

  /** What the sum of two Laplace variables of these scales exceeds with this probability. */
  private static double quantile(double one, double two, double tail) {
    double wide = Math.max(one, two);
    double narrow = Math.min(Math.min(one, two), wide * (1 - 1e-4));
    if (wide == 0) {
      return 0;
    }
    double low = 0;
    double high = wide * (2 - Math.log(tail)) * 2;
    while (high - low > wide * 1e-9) {
      double middle = (low + high) / 2;
      if (beyond(middle, wide, narrow) > tail) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  private static double beyond(double x, double wide, double narrow) {
    double rest = narrow == 0 ? 0 : narrow * narrow * Math.exp(-x / narrow);
    return (wide * wide * Math.exp(-x / wide) - rest) / (2 * (wide * wide - narrow * narrow));
  }
}
