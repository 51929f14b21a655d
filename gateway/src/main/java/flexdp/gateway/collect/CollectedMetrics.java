package flexdp.gateway.collect;

import flexdp.metrics.Metrics;
import flexdp.metrics.TableMetrics;
import flexdp.policy.Range;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Everything measured of a database. Private.
 *
 * @param ranges by table and column: the smallest and largest value there is now
 * @param snapshot the name of the state that was measured
 * @param snapshots by table: the same with what notes its changes since, where something does; or
 *     that of an earlier state, which an interrupted run had measured
 * @param enforced by table: the declared keys that the database keeps unique by itself
 */
public record CollectedMetrics(
    Metrics metrics,
    Map<String, Map<String, Range>> ranges,
    Instant measuredAt,
    String snapshot,
    Map<String, String> snapshots,
    Map<String, Set<Set<String>>> enforced) {
  /** Stands between the name of a state and that of a log. */
  static final String LOG = " log:";

  public CollectedMetrics {
    ranges = Map.copyOf(ranges);
    snapshots = Map.copyOf(snapshots);
    enforced = Map.copyOf(enforced);
  }

  public CollectedMetrics(
      Metrics metrics,
      Map<String, Map<String, Range>> ranges,
      Instant measuredAt,
      String snapshot) {
    this(metrics, ranges, measuredAt, snapshot, Map.of(), Map.of());
  }

  /** Gathers what was measured of single tables. */
  static CollectedMetrics of(
      Map<String, MeasuredTable> parts, Instant measuredAt, String snapshot) {
    Map<String, TableMetrics> metrics = new HashMap<>();
    Map<String, Map<String, Range>> ranges = new HashMap<>();
    Map<String, String> snapshots = new HashMap<>();
    parts.forEach(
        (table, part) -> {
          metrics.put(table, part.metrics());
          ranges.put(table, part.ranges());
          snapshots.put(table, part.snapshot());
        });
    return new CollectedMetrics(
        new Metrics(metrics, Map.of()), ranges, measuredAt, snapshot, snapshots, Map.of());
  }

  /** These metrics, of a database that keeps these keys unique. */
  CollectedMetrics enforcing(Map<String, Set<Set<String>>> keys) {
    return new CollectedMetrics(metrics, ranges, measuredAt, snapshot, snapshots, keys);
  }

  /** These metrics with ranges that were found, by table and column. */
  public CollectedMetrics with(Map<String, Map<String, Metrics.FoundRange>> found) {
    return new CollectedMetrics(
        metrics.finding(found), ranges, measuredAt, snapshot, snapshots, enforced);
  }

  /** The state that a table was measured at, and what notes its changes since. */
  String snapshot(String table) {
    return snapshots.getOrDefault(table, snapshot);
  }

  /** When a table was measured: its snapshot begins with it. */
  String measuredAt(String table) {
    String name = snapshots.getOrDefault(table, measuredAt + " ");
    return name.substring(0, Math.max(0, name.indexOf(' ')));
  }

  /** Whether the database can prove later that the data are still these. */
  public boolean isOfFixedState() {
    return snapshot.contains(" file:") || snapshot.contains(" files:");
  }
}
