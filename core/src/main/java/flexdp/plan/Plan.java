package flexdp.plan;

import flexdp.noise.Gaussian;
import flexdp.policy.Neighbors;
import flexdp.query.DpQuery;
import flexdp.query.NoisyAggregate;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A question with the noise of each of its measurements.
 *
 * @param hint what to do about measurements without a usable mechanism; empty when there are none
 * @param routes how each release point is answered, by id
 */
public record Plan(
    DpQuery query,
    Neighbors neighbors,
    List<PlannedMeasurement> measurements,
    String hint,
    Map<Integer, ContributionBounding> routes) {
  public Plan {
    measurements = List.copyOf(measurements);
    routes = Map.copyOf(routes);
  }

  /** The rows that the database is to read for a release point: those that somebody owns. */
  public NoisyAggregate read(NoisyAggregate point) {
    return routes.get(point.id()).rewritten().map(point::over).orElse(point);
  }

  /** Whether noise follows from what people own, and not from rows. */
  public boolean isByPeople(NoisyAggregate point) {
    return routes.get(point.id()).isByPeople();
  }

  /** Whether keys of people are counted, not people alone. */
  public boolean countsKeys(NoisyAggregate point) {
    return routes.get(point.id()).countsKeys();
  }

  /** By what labels are voted for, of every release point where they are. */
  public List<Gaussian> votes() {
    Map<Integer, Gaussian> votes = new TreeMap<>();
    measurements.forEach(
        planned ->
            planned
                .noise()
                .flatMap(CalibratedMechanism::votes)
                .ifPresent(noise -> votes.put(planned.release().id(), noise)));
    return List.copyOf(votes.values());
  }

  /** What is decided of the measurements of a release point, in their order. */
  public List<PlannedMeasurement> of(NoisyAggregate point) {
    return measurements.stream().filter(m -> m.release().id() == point.id()).toList();
  }

  /** Whether every measurement has a mechanism, so that the question can be answered. */
  public boolean isAnswerable() {
    return measurements.stream().allMatch(m -> m.noise().isPresent());
  }
}
