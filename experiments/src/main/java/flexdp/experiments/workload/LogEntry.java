package flexdp.experiments.workload;

import java.util.Set;

/**
 * One query of a log.
 *
 * @param rows how many rows it returned, as a log of results would have it
 */
public record LogEntry(String backend, String sql, long rows, Set<Trait> traits) {
  public LogEntry {
    traits = Set.copyOf(traits);
  }
}
