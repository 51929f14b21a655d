package flexdp.plan;

import flexdp.policy.Neighbors;
import flexdp.question.Question;
import flexdp.question.ReleasePoint;
import java.util.List;
import java.util.Map;

/**
 * A question with the noise of each of its measurements.
 *
 * @param hint what to do about measurements without a usable mechanism; empty when there are none
 * @param read by id, what the database is to compute in place of a release point
 */
public record Plan(
    Question question,
    Neighbors neighbors,
    List<Planned> measurements,
    String hint,
    Map<Integer, ReleasePoint> read) {
  public Plan {
    measurements = List.copyOf(measurements);
    read = Map.copyOf(read);
  }

  /** The rows that the database is to read for a release point: those that somebody owns. */
  public ReleasePoint read(ReleasePoint point) {
    return read.getOrDefault(point.id(), point);
  }

  /** Whether every measurement has a mechanism, so that the question can be answered. */
  public boolean isAnswerable() {
    return measurements.stream().allMatch(m -> m.noise().isPresent());
  }
}
