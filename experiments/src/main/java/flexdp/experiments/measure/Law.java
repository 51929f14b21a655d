package flexdp.experiments.measure;

import flexdp.noise.Mechanism;
import flexdp.noise.Noise;
import flexdp.plan.CalibratedMechanism;
import java.math.BigDecimal;

/**
 * The noise of one number: the mechanism that draws it, and its distribution.
 *
 * @param sensitivity what the mechanism is scaled to
 */
public record Law(Mechanism.Additive mechanism, BigDecimal sensitivity, double scale) {

  public static Law of(Mechanism.Additive mechanism, BigDecimal sensitivity) {
    return new Law(mechanism, sensitivity, mechanism.scale(sensitivity).doubleValue());
  }

  public static Law of(CalibratedMechanism noise) {
    CalibratedMechanism.Additive added =
        noise
            .added()
            .orElseThrow(
                () -> new IllegalArgumentException("experiments measure noise that is added"));
    return of(added.mechanism(), added.sensitivity());
  }

  /** The chance that the noise is larger in size, up to the rounding to whole numbers. */
  public double exceeds(double size) {
    return scale == 0 ? 0 : mechanism.beyond(size / scale);
  }

  /** The size that the noise exceeds with this chance. */
  public double quantile(double chance) {
    return scale * mechanism.quantile(chance);
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
