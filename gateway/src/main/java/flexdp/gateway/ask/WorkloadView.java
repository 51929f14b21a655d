package flexdp.gateway.ask;

import java.math.BigDecimal;
import java.util.List;

/**
 * The answers to a workload, in the order of its statements.
 *
 * @param epsilon what all of them cost together
 */
public record WorkloadView(List<AnalystView> answers, BigDecimal epsilon, BigDecimal delta) {
  public WorkloadView {
    answers = List.copyOf(answers);
  }
}
