package flexdp.plan;

import flexdp.failure.ConfigurationError;
import flexdp.metrics.Frequency;
import flexdp.metrics.Metrics;
import flexdp.metrics.TableMetrics;
import flexdp.noise.BitSource;
import flexdp.noise.Privacy;
import flexdp.noise.Rational;
import flexdp.noise.UpperBounds;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Releases metrics once, so that sensitivities computed from them are public (guarantee section 5).
 *
 * <p>Adding, removing or replacing one row of table t moves each max frequency and the row count of
 * t by at most 1, and nothing of other tables. With q of them chosen for t, noise of scale q/ε on
 * each makes the release ε-private; the margin makes all Q bounds hold together but for δ. What it
 * costs, (ε, δ), is charged to every table in it.
 */
public final class MetricRelease {
  private MetricRelease() {}

  /** What of a table is measured. */
  public enum Kind {
    ROWS,
    MAX_FREQUENCY,
    MAX_FREQUENCY_WITH_NULL
  }

  /** One metric, for the owner to choose; {@link Kind#ROWS} has no columns. */
  public record Metric(String table, Kind kind, Set<String> columns) {
    public Metric {
      columns = Set.copyOf(columns);
      if ((kind == Kind.ROWS) != columns.isEmpty()) {
        throw new IllegalArgumentException("row counts have no columns, frequencies have some");
      }
    }

    public static Metric rows(String table) {
      return new Metric(table, Kind.ROWS, Set.of());
    }

    @Override
    public String toString() {
      return switch (kind) {
        case ROWS -> "rows(" + table + ")";
        case MAX_FREQUENCY -> "maxFrequency(" + table + new TreeSet<>(columns) + ")";
        case MAX_FREQUENCY_WITH_NULL ->
            "maxFrequencyWithNull(" + table + new TreeSet<>(columns) + ")";
      };
    }
  }

  /** Everything measured of a table, in a fixed order. */
  public static List<Metric> measured(String table, TableMetrics metrics) {
    List<Metric> found = new ArrayList<>();
    metrics.rows().ifPresent(n -> found.add(Metric.rows(table)));
    metrics.frequencies().entrySet().stream()
        .sorted((a, b) -> name(a.getKey()).compareTo(name(b.getKey())))
        .forEach(
            entry -> {
              Set<String> columns = entry.getKey();
              Frequency frequency = entry.getValue();
              frequency
                  .max()
                  .ifPresent(n -> found.add(new Metric(table, Kind.MAX_FREQUENCY, columns)));
              frequency
                  .maxWithNull()
                  .ifPresent(
                      n -> found.add(new Metric(table, Kind.MAX_FREQUENCY_WITH_NULL, columns)));
            });
    return found;
  }

  /**
   * The metrics with a released part for every table in the choice; an older release of such a
   * table is replaced, and its cost stays spent.
   */
  public static Metrics release(
      Metrics metrics, List<Metric> choice, Privacy privacy, BitSource source) {
    Map<String, Set<Metric>> byTable = new LinkedHashMap<>();
    choice.forEach(m -> byTable.computeIfAbsent(m.table(), t -> new LinkedHashSet<>()).add(m));
    int together = byTable.values().stream().mapToInt(Set::size).sum();
    Map<String, Metrics.Release> released = new LinkedHashMap<>(metrics.released());
    byTable.forEach(
        (table, chosen) -> {
          List<Metric> order = List.copyOf(chosen);
          List<BigInteger> exact = order.stream().map(m -> value(m, metrics.table(table))).toList();
          Rational scale = Rational.of(order.size()).over(Rational.of(privacy.epsilon()));
          List<BigInteger> noisy =
              UpperBounds.publish(exact, scale, together, privacy.delta(), source);
          released.put(
              table, new Metrics.Release(table(order, noisy), privacy.epsilon(), privacy.delta()));
        });
    return new Metrics(metrics.tables(), released);
  }

  private static BigInteger value(Metric metric, TableMetrics table) {
    Optional<Frequency> frequency = Optional.ofNullable(table.frequencies().get(metric.columns()));
    Optional<BigInteger> value =
        switch (metric.kind()) {
          case ROWS -> table.rows();
          case MAX_FREQUENCY -> frequency.flatMap(Frequency::max);
          case MAX_FREQUENCY_WITH_NULL -> frequency.flatMap(Frequency::maxWithNull);
        };
    return value.orElseThrow(
        () ->
            ConfigurationError.of(
                ConfigurationError.Code.BAD_METRICS,
                "There is no " + metric + " among the metrics to release.",
                "Collect the metrics first, or leave this one out of the release."));
  }

  private static TableMetrics table(List<Metric> metrics, List<BigInteger> values) {
    Optional<BigInteger> rows = Optional.empty();
    Map<Set<String>, Frequency> frequencies = new LinkedHashMap<>();
    for (int i = 0; i < metrics.size(); i++) {
      Metric metric = metrics.get(i);
      Optional<BigInteger> value = Optional.of(values.get(i));
      Frequency known =
          frequencies.getOrDefault(
              metric.columns(), new Frequency(Optional.empty(), Optional.empty()));
      switch (metric.kind()) {
        case ROWS -> rows = value;
        case MAX_FREQUENCY ->
            frequencies.put(metric.columns(), new Frequency(value, known.maxWithNull()));
        case MAX_FREQUENCY_WITH_NULL ->
            frequencies.put(metric.columns(), new Frequency(known.max(), value));
      }
    }
    return new TableMetrics(rows, frequencies);
  }

  private static String name(Set<String> columns) {
    return String.join(",", new TreeSet<>(columns));
  }
}
