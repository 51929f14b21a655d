package flexdp.plan;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.metrics.Metrics;
import flexdp.policy.Neighbors;
import flexdp.query.Measurement;
import flexdp.query.NoisyAggregate;
import flexdp.sensitivity.Bound;
import flexdp.sensitivity.RuleSet;
import flexdp.sensitivity.Sensitivity;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;

/**
 * One measurement and the noise it will get.
 *
 * @param bound its elastic sensitivity, in units of {@code unit}; private
 * @param noise absent when no mechanism is usable yet
 */
public record PlannedMeasurement(
    NoisyAggregate release,
    Measurement measurement,
    Bound bound,
    BigDecimal unit,
    Optional<CalibratedMechanism> noise) {
  /** How far one step may move it: what the bound says, and what the noise is scaled to. */
  public BigDecimal claimed() {
    BigDecimal most = new BigDecimal(bound.elastic(0)).multiply(unit);
    return noise.map(n -> most.min(n.sensitivity())).orElse(most);
  }

  /**
   * How far the numbers of one grouping set move between neighbours, where that is public.
   *
   * @param released by released metrics, else by the structure alone
   * @return in the measurement's own units
   */
  public Optional<BigDecimal> ofSet(
      List<Integer> set, boolean released, Neighbors neighbors, Metrics metrics) {
    NoisyAggregate one = release.by(List.of(set));
    try {
      Optional<BigInteger> most =
          released
              ? Optional.of(
                  Sensitivity.released(one, measurement, metrics, neighbors, RuleSet.FLEXDP)
                      .atZero())
              : Sensitivity.of(one, measurement, metrics, neighbors, RuleSet.FLEXDP).ceiling();
      return most.map(n -> new BigDecimal(n).multiply(unit));
    } catch (Rejection e) {
      if (e.code() == RejectionCode.MISSING_METRIC) {
        return Optional.empty();
      }
      throw e;
    }
  }
}
