package flexdp.metrics;

import java.math.BigInteger;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What was measured of one table at one snapshot, or its released (noisy) counterpart. */
public record TableMetrics(Optional<BigInteger> rows, Map<Set<String>, Frequency> frequencies) {
  public static final TableMetrics UNKNOWN = new TableMetrics(Optional.empty(), Map.of());

  public TableMetrics {
    frequencies = Map.copyOf(frequencies);
  }
}
