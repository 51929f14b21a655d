package flexdp.gateway.collect;

import flexdp.metrics.TableMetrics;
import flexdp.policy.Range;
import java.util.Map;

/**
 * What was measured of one table.
 *
 * @param snapshot the state it was measured at
 */
public record MeasuredTable(TableMetrics metrics, Map<String, Range> ranges, String snapshot) {
  public MeasuredTable {
    ranges = Map.copyOf(ranges);
  }
}
