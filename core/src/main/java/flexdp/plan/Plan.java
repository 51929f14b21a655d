package flexdp.plan;

import flexdp.policy.Neighbors;
import flexdp.question.Question;
import java.util.List;

/**
 * A question with the noise of each of its measurements.
 *
 * @param hint what to do about measurements without a usable mechanism; empty when there are none
 */
public record Plan(
    Question question, Neighbors neighbors, List<Planned> measurements, String hint) {
  public Plan {
    measurements = List.copyOf(measurements);
  }

  /** Whether every measurement has a mechanism, so that the question can be answered. */
  public boolean isAnswerable() {
    return measurements.stream().allMatch(m -> m.noise().isPresent());
  }
}
