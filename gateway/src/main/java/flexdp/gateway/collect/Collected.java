package flexdp.gateway.collect;

import flexdp.metrics.Metrics;
import flexdp.policy.Range;
import java.time.Instant;
import java.util.Map;

/**
 * Everything measured of one state of a database. Private.
 *
 * @param ranges by table and column: the smallest and largest value there is now
 * @param snapshot the name of that state
 * @param logs by table: names what notes its changes from then on, where something does
 */
public record Collected(
    Metrics metrics,
    Map<String, Map<String, Range>> ranges,
    Instant measuredAt,
    String snapshot,
    Map<String, String> logs) {
  public Collected {
    ranges = Map.copyOf(ranges);
    logs = Map.copyOf(logs);
  }

  public Collected(
      Metrics metrics,
      Map<String, Map<String, Range>> ranges,
      Instant measuredAt,
      String snapshot) {
    this(metrics, ranges, measuredAt, snapshot, Map.of());
  }

  /** The state that a table was measured at, and what notes its changes since. */
  String snapshot(String table) {
    return logs.containsKey(table) ? snapshot + LOG + logs.get(table) : snapshot;
  }

  /** Whether the database can prove later that the data are still these. */
  public boolean isOfFixedState() {
    return snapshot.contains(" file:");
  }

  /** Stands between the name of a state and that of a log. */
  static final String LOG = " log:";
}
