package flexdp.metrics;

import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;

/**
 * Everything measured: private values by table, and apart from those the released ones. Whoever
 * serves analysts may read {@link #released} only.
 */
public record Metrics(Map<String, TableMetrics> tables, Map<String, Release> released) {
  /** Noisy upper bounds that were paid for and are public for their snapshot. */
  public record Release(TableMetrics values, BigDecimal epsilon, BigDecimal delta) {}

  public static final Metrics NONE = new Metrics(Map.of(), Map.of());

  public Metrics {
    tables = Map.copyOf(tables);
    released = Map.copyOf(released);
  }

  public TableMetrics table(String name) {
    return tables.getOrDefault(name, TableMetrics.UNKNOWN);
  }

  public Optional<Release> released(String name) {
    return Optional.ofNullable(released.get(name));
  }
}
