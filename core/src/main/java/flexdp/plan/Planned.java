package flexdp.plan;

import flexdp.noise.Mechanism;
import flexdp.question.Measurement;
import flexdp.question.ReleasePoint;
import flexdp.sensitivity.Bound;
import flexdp.smooth.SmoothBound;
import java.math.BigDecimal;
import java.util.Optional;

/**
 * One measurement and the noise it will get.
 *
 * @param bound its elastic sensitivity, in units of {@code unit}; private
 * @param noise absent when no mechanism is usable yet
 */
public record Planned(
    ReleasePoint release,
    Measurement measurement,
    Bound bound,
    BigDecimal unit,
    Optional<Noise> noise) {
  /**
   * A calibrated mechanism.
   *
   * @param sensitivity what it is scaled to, in the measurement's own units
   * @param smooth how that came about, when it is private; absent: the sensitivity is public
   */
  public record Noise(Mechanism mechanism, BigDecimal sensitivity, Optional<SmoothBound> smooth) {
    /** Whether an analyst may see the scale. */
    public boolean isPublic() {
      return smooth.isEmpty();
    }
  }
}
