package flexdp.experiments.measure;

import flexdp.noise.Flex;
import flexdp.noise.Gaussian;
import flexdp.noise.Laplace;
import flexdp.noise.Lomax;
import flexdp.noise.Mechanism;
import flexdp.noise.Noise;
import java.math.BigDecimal;
import java.math.MathContext;

/**
 * The noise of one number: the mechanism that draws it, and its distribution.
 *
 * @param sensitivity what the mechanism is scaled to
 * @param shape the exponent of the tail, or infinite for an exponential one
 */
public record Law(
    Mechanism.Additive mechanism, BigDecimal sensitivity, double scale, double shape) {

  public static Law of(Mechanism.Additive mechanism, BigDecimal sensitivity) {
    double shape =
        switch (mechanism) {
          case Laplace m -> Double.POSITIVE_INFINITY;
          case Flex m -> Double.POSITIVE_INFINITY;
          case Lomax m -> m.tail().decimal(MathContext.DECIMAL64).doubleValue();
          case Gaussian m ->
              throw new IllegalArgumentException("no experiment adds Gaussian noise to a count");
        };
    return new Law(mechanism, sensitivity, mechanism.scale(sensitivity).doubleValue(), shape);
  }

  /** The chance that the noise is larger in size, up to the rounding to whole numbers. */
  public double exceeds(double size) {
    if (scale == 0) {
      return 0;
    }
    double z = size / scale;
    return Double.isInfinite(shape) ? Math.exp(-z) : Math.pow(1 + z, -shape);
  }

  /** The size that the noise exceeds with this chance. */
  public double quantile(double chance) {
    return scale
        * (Double.isInfinite(shape) ? -Math.log(chance) : Math.pow(chance, -1 / shape) - 1);
  }

  /** The middle size of the noise. */
  public double median() {
    return quantile(0.5);
  }

  /** One draw from the mechanism itself. */
  public double draw(Noise noise) {
    return noise.add(mechanism, sensitivity, BigDecimal.ZERO, BigDecimal.ONE).doubleValue();
  }
}
