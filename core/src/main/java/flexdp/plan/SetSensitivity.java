package flexdp.plan;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.metrics.Metrics;
import flexdp.policy.Neighbors;
import flexdp.question.ReleasePoint;
import flexdp.sensitivity.Rules;
import flexdp.sensitivity.Sensitivity;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;

/** How far the numbers of one grouping set move between neighbours, where that is public. */
public final class SetSensitivity {
  private SetSensitivity() {}

  /**
   * @param released by released metrics, else by the structure alone
   * @return in the measurement's own units
   */
  public static Optional<BigDecimal> of(
      Planned planned, List<Integer> set, boolean released, Neighbors neighbors, Metrics metrics) {
    ReleasePoint one = planned.release().by(List.of(set));
    try {
      Optional<BigInteger> bound =
          released
              ? Optional.of(
                  Sensitivity.released(one, planned.measurement(), metrics, neighbors, Rules.FLEXDP)
                      .atZero())
              : Sensitivity.of(one, planned.measurement(), metrics, neighbors, Rules.FLEXDP)
                  .ceiling();
      return bound.map(n -> new BigDecimal(n).multiply(planned.unit()));
    } catch (Rejection e) {
      if (e.code() == RejectionCode.MISSING_METRIC) {
        return Optional.empty();
      }
      throw e;
    }
  }
}
