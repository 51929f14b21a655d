package flexdp.plan;

import flexdp.failure.ConfigurationError;
import flexdp.metrics.MaxFrequency;
import flexdp.metrics.Metrics;
import flexdp.metrics.TableMetrics;
import flexdp.metrics.TruncatedTables;
import flexdp.noise.BitSource;
import flexdp.noise.NoisyUpperBounds;
import flexdp.noise.PrivacyParameters;
import flexdp.noise.Rational;
import flexdp.policy.Policy;
import flexdp.policy.PrivacyUnit;
import flexdp.policy.Table;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Releases metrics once, so that sensitivities computed from them are public (guarantee §5).
 *
 * <p>Adding, removing or replacing one row of table t moves each max frequency and the row count of
 * t by at most 1, and nothing of other tables. With q of them chosen for t, noise of scale q/ε on
 * each makes the release ε-private; the margin makes all Q bounds hold together but for δ. What it
 * costs, (ε, δ), is charged to every table in it.
 *
 * <p>A person moves what is measured of all tables of her kind at once, each number by as many rows
 * as are read of her there. With q numbers chosen for the kind, over all its tables, noise of scale
 * g·q/ε on each makes the release ε-private. It is charged to the kind.
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
              MaxFrequency frequency = entry.getValue();
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
   *
   * @param policy says whose the rows of each table are
   */
  public static Metrics release(
      Metrics metrics,
      List<Metric> choice,
      PrivacyParameters privacy,
      Policy policy,
      BitSource source) {
    return release(
        metrics, choice, privacy, (String table) -> MetricStep.of(table, policy), source);
  }

  /** Releases metrics of tables each row of which stands for itself. */
  public static Metrics release(
      Metrics metrics, List<Metric> choice, PrivacyParameters privacy, BitSource source) {
    return release(metrics, choice, privacy, MetricStep::row, source);
  }

  private static Metrics release(
      Metrics metrics,
      List<Metric> choice,
      PrivacyParameters privacy,
      Function<String, MetricStep> steps,
      BitSource source) {
    Map<String, Set<Metric>> byTable = new LinkedHashMap<>();
    choice.forEach(m -> byTable.computeIfAbsent(m.table(), t -> new LinkedHashSet<>()).add(m));
    int together = byTable.values().stream().mapToInt(Set::size).sum();
    Map<String, Rational> scales = scales(choice, privacy.epsilon(), steps);
    Map<String, Metrics.Release> released = new LinkedHashMap<>(metrics.released());
    byTable.forEach(
        (table, chosen) -> {
          List<Metric> order = List.copyOf(chosen);
          TableMetrics known = metrics.table(table);
          if (!known.rowsPerPerson().equals(steps.apply(table).rowsPerPerson())) {
            throw new IllegalArgumentException("other rows were measured than are read");
          }
          List<BigInteger> exact = order.stream().map(m -> value(m, known)).toList();
          List<BigInteger> noisy =
              NoisyUpperBounds.publish(exact, scales.get(table), together, privacy.delta(), source);
          TableMetrics values = table(order, noisy);
          released.put(
              table,
              new Metrics.Release(
                  new TableMetrics(values.rows(), values.frequencies(), known.rowsPerPerson()),
                  privacy.epsilon(),
                  privacy.delta()));
        });
    return new Metrics(metrics.tables(), released);
  }

  /**
   * The noise of each number of a table: how far one step moves it, times all that are chosen of
   * what that step moves, over ε.
   */
  public static Map<String, Rational> scales(
      List<Metric> choice, BigDecimal epsilon, Policy policy) {
    return scales(choice, epsilon, (String table) -> MetricStep.of(table, policy));
  }

  private static Map<String, Rational> scales(
      List<Metric> choice, BigDecimal epsilon, Function<String, MetricStep> steps) {
    Map<PrivacyUnit, Integer> moved = new HashMap<>();
    new LinkedHashSet<>(choice)
        .forEach(m -> moved.merge(steps.apply(m.table()).unit(), 1, Integer::sum));
    Map<String, Rational> scales = new LinkedHashMap<>();
    for (Metric metric : choice) {
      MetricStep step = steps.apply(metric.table());
      Rational all = Rational.of(step.rows().multiply(BigInteger.valueOf(moved.get(step.unit()))));
      scales.put(metric.table(), all.over(Rational.of(epsilon)));
    }
    return scales;
  }

  private static BigInteger value(Metric metric, TableMetrics table) {
    Optional<MaxFrequency> frequency =
        Optional.ofNullable(table.frequencies().get(metric.columns()));
    Optional<BigInteger> value =
        switch (metric.kind()) {
          case ROWS -> table.rows();
          case MAX_FREQUENCY -> frequency.flatMap(MaxFrequency::max);
          case MAX_FREQUENCY_WITH_NULL -> frequency.flatMap(MaxFrequency::maxWithNull);
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
    Map<Set<String>, MaxFrequency> frequencies = new LinkedHashMap<>();
    for (int i = 0; i < metrics.size(); i++) {
      Metric metric = metrics.get(i);
      Optional<BigInteger> value = Optional.of(values.get(i));
      MaxFrequency known =
          frequencies.getOrDefault(
              metric.columns(), new MaxFrequency(Optional.empty(), Optional.empty()));
      switch (metric.kind()) {
        case ROWS -> rows = value;
        case MAX_FREQUENCY ->
            frequencies.put(metric.columns(), new MaxFrequency(value, known.maxWithNull()));
        case MAX_FREQUENCY_WITH_NULL ->
            frequencies.put(metric.columns(), new MaxFrequency(known.max(), value));
      }
    }
    return new TableMetrics(rows, frequencies);
  }

  private static String name(Set<String> columns) {
    return String.join(",", new TreeSet<>(columns));
  }

  /**
   * What one step between neighbours does to what is measured of a table.
   *
   * @param unit of the step, which may move other tables, too
   * @param rows by how much it moves each number, at most
   * @param rowsPerPerson how many rows of each person are measured; absent where rows stand for
   *     themselves
   */
  public record MetricStep(PrivacyUnit unit, BigInteger rows, Optional<BigInteger> rowsPerPerson) {
    static MetricStep row(String table) {
      return new MetricStep(new PrivacyUnit.Row(table), BigInteger.ONE, Optional.empty());
    }

    /**
     * @throws ConfigurationError where nothing bounds what one person moves
     */
    public static MetricStep of(String name, Policy policy) {
      Optional<Table> table = policy.table(name);
      if (table.isEmpty() || table.get().ownership().owners().isEmpty()) {
        return row(name);
      }
      BigInteger rows =
          TruncatedTables.rows(table.get())
              .orElseThrow(
                  () ->
                      ConfigurationError.of(
                          ConfigurationError.Code.BAD_USAGE,
                          "one person may own any number of rows of '"
                              + name
                              + "': its metrics are not released",
                          "Leave it out, or say how many rows of one person are read where people"
                              + " are mixed: rowsPerPerson."));
      String kind = table.get().ownership().only().orElseThrow().kind();
      return new MetricStep(new PrivacyUnit.Person(kind), rows, Optional.of(rows));
    }
  }
}
