package flexdp.plan;

import flexdp.question.Measurement;
import flexdp.question.ReleasePoint;
import flexdp.sensitivity.Bound;
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
    Optional<Calibrated> noise) {
  /** How far one step may move it: what the bound says, and what the noise is scaled to. */
  public BigDecimal claimed() {
    BigDecimal most = new BigDecimal(bound.elastic(0)).multiply(unit);
    return noise.map(n -> most.min(n.sensitivity())).orElse(most);
  }
}
