package flexdp.metrics;

import flexdp.policy.Range;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything measured: private values by table, and apart from those the released ones. Whoever
 * serves analysts may read {@link #released}, {@link #profiles} and {@link #found} only.
 *
 * @param profiles how much people have, with noise; what is foretold of answers rests on them
 * @param found ranges for clamping, by table and column
 */
public record Metrics(
    Map<String, TableMetrics> tables,
    Map<String, Release> released,
    List<ContributionProfile> profiles,
    Map<String, Map<String, FoundRange>> found) {
  /** Noisy upper bounds that were paid for and are public for their snapshot. */
  public record Release(TableMetrics values, BigDecimal epsilon, BigDecimal delta) {}

  /**
   * A range that values of a column are clamped to where none is declared. It was found from noisy
   * counts and need not be true, so that it is of no state of the data.
   *
   * @param epsilon what it cost
   * @param at when it was found
   */
  public record FoundRange(Range range, BigDecimal epsilon, String at) {}

  public static final Metrics NONE = new Metrics(Map.of(), Map.of());

  public Metrics {
    tables = Map.copyOf(tables);
    released = Map.copyOf(released);
    profiles = List.copyOf(profiles);
    found = Map.copyOf(found);
  }

  /** Without profiles of people. */
  public Metrics(Map<String, TableMetrics> tables, Map<String, Release> released) {
    this(tables, released, List.of(), Map.of());
  }

  /** These metrics with these profiles. */
  public Metrics with(List<ContributionProfile> some) {
    return new Metrics(tables, released, some, found);
  }

  /** These metrics with these ranges that were found. */
  public Metrics finding(Map<String, Map<String, FoundRange>> some) {
    return new Metrics(tables, released, profiles, some);
  }

  /** The ranges that were found, by table and column. */
  public Map<String, Map<String, Range>> foundRanges() {
    Map<String, Map<String, Range>> ranges = new HashMap<>();
    found.forEach(
        (table, columns) -> {
          Map<String, Range> each = new HashMap<>();
          columns.forEach((column, one) -> each.put(column, one.range()));
          ranges.put(table, each);
        });
    return ranges;
  }

  /** How people's rows of a table, or the values of one of its columns, are spread. */
  public Optional<ContributionProfile> profile(String table, Optional<String> column) {
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
