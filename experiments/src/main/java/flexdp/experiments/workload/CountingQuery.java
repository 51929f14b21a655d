package flexdp.experiments.workload;

import java.util.Set;

/**
 * A counting query about trips.
 *
 * @param population a query for how many different trips it uses: the paper's population size. For
 *     the owner alone
 */
public record CountingQuery(String sql, String population, Set<Trait> traits) {
  public CountingQuery {
    traits = Set.copyOf(traits);
  }

  public boolean is(Trait trait) {
    return traits.contains(trait);
  }
}
