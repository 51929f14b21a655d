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
 */
public record Collected(
    Metrics metrics, Map<String, Map<String, Range>> ranges, Instant measuredAt, String snapshot) {
  public Collected {
    ranges = Map.copyOf(ranges);
  }
}
