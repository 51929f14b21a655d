package flexdp.metrics;

import java.math.BigInteger;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What was measured of one table at one snapshot, or its released (noisy) counterpart.
 *
 * @param rowsPerPerson how many rows of each person were counted; all of them unless it is given
 */
public record TableMetrics(
    Optional<BigInteger> rows,
    Map<Set<String>, MaxFrequency> frequencies,
    Optional<BigInteger> rowsPerPerson) {
  public static final TableMetrics UNKNOWN = new TableMetrics(Optional.empty(), Map.of());

  public TableMetrics {
    frequencies = Map.copyOf(frequencies);
  }

  /** Of all rows of the table. */
  public TableMetrics(Optional<BigInteger> rows, Map<Set<String>, MaxFrequency> frequencies) {
    this(rows, frequencies, Optional.empty());
  }
}
