package flexdp.gateway.ask;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/**
 * The answers to a workload, in the order of its statements.
 *
 * @param epsilon what all of them cost together
 * @param rho the same where squares of ε add up
 */
public record WorkloadView(
    List<AnalystView> answers, BigDecimal epsilon, BigDecimal delta, Optional<BigDecimal> rho) {
  public WorkloadView {
    answers = List.copyOf(answers);
  }
}
