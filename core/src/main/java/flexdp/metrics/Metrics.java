package flexdp.metrics;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything measured: private values by table, and apart from those the released ones. Whoever
 * serves analysts may read {@link #released} and {@link #profiles} only.
 *
 * @param profiles how much people have, with noise; what is foretold of answers rests on them
 */
public record Metrics(
    Map<String, TableMetrics> tables, Map<String, Release> released, List<Profile> profiles) {
  /** Noisy upper bounds that were paid for and are public for their snapshot. */
  public record Release(TableMetrics values, BigDecimal epsilon, BigDecimal delta) {}

  public static final Metrics NONE = new Metrics(Map.of(), Map.of());

  public Metrics {
    tables = Map.copyOf(tables);
    released = Map.copyOf(released);
    profiles = List.copyOf(profiles);
  }

  /** Without profiles of people. */
  public Metrics(Map<String, TableMetrics> tables, Map<String, Release> released) {
    this(tables, released, List.of());
  }

  /** The same beside these profiles. */
  public Metrics with(List<Profile> some) {
    return new Metrics(tables, released, some);
  }

  /** How people's rows of a table, or the values of one of its columns, are spread. */
  public Optional<Profile> profile(String table, Optional<String> column) {
    return profiles.stream()
        .filter(p -> p.table().equals(table) && p.column().equals(column))
        .findFirst();
  }

  public TableMetrics table(String name) {
    return tables.getOrDefault(name, TableMetrics.UNKNOWN);
  }

  public Optional<Release> released(String name) {
    return Optional.ofNullable(released.get(name));
  }
}
