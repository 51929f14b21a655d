package flexdp.gateway.collect;

import flexdp.gateway.catalog.Connector;
import flexdp.gateway.catalog.PhysicalCatalog;
import flexdp.gateway.catalog.PhysicalTable;
import flexdp.gateway.catalog.StatementRunner;
import flexdp.metrics.MaxFrequency;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Table;
import java.math.BigInteger;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * How the max frequencies of one table are measured: keys that the database enforces need no
 * reading, the other column sets are grouped in batches.
 */
final class FrequencyPlan {
  /** More sets at once would need many hash tables at once. */
  private static final int BATCH = 12;

  private final Table table;
  private final List<Set<String>> enforced = new ArrayList<>();
  private final List<List<Set<String>>> batches = new ArrayList<>();
  private final PhysicalCatalog catalog;

  private FrequencyPlan(Table table, PhysicalCatalog catalog) {
    this.table = table;
    this.catalog = catalog;
  }

  static FrequencyPlan of(
      Table table, Set<Set<String>> wanted, Connector connector, PhysicalCatalog catalog) {
    FrequencyPlan plan = new FrequencyPlan(table, catalog);
    List<Set<String>> open = new ArrayList<>();
    for (Set<String> set : wanted) {
      (plan.isEnforced(set) ? plan.enforced : open).add(set);
    }
    int size = connector.groupsTogether() ? BATCH : 1;
    for (int from = 0; from < open.size(); from += size) {
      plan.batches.add(List.copyOf(open.subList(from, Math.min(open.size(), from + size))));
    }
    return plan;
  }

  /** The columns that need reading, as the database spells them. */
  List<String> columns() {
    Set<String> names = new TreeSet<>();
    batches.forEach(batch -> batch.forEach(names::addAll));
    return names.stream()
        .map(name -> catalog.physical(table).column(name).orElseThrow().name())
        .toList();
  }

  /** How many column sets need reading. */
  long sets() {
    return batches.stream().mapToInt(List::size).sum();
  }

  /**
   * Measures.
   *
   * @param rows how many the table has, or one when that is not known
   */
  Map<Set<String>, MaxFrequency> measure(StatementRunner statements, long rows, Progress progress)
      throws SQLException {
    return measure(statements, catalog.table(table), rows, progress);
  }

  /** Measures what else stands in FROM with the table's columns. */
  Map<Set<String>, MaxFrequency> measure(
      StatementRunner statements, String from, long rows, Progress progress) throws SQLException {
    Map<Set<String>, MaxFrequency> frequencies = new LinkedHashMap<>();
    Optional<BigInteger> one = Optional.of(BigInteger.valueOf(Math.min(1, rows)));
    enforced.forEach(set -> frequencies.put(Set.copyOf(set), new MaxFrequency(one, one)));
    for (List<Set<String>> batch : batches) {
      progress.reading(table.name(), rows * batch.size());
      frequencies.putAll(new FrequencyQuery(table, batch, catalog, from).run(statements));
      progress.read(table.name(), rows * batch.size());
    }
    return frequencies;
  }

  /**
   * Whether the database itself sees to it that no two rows share the values: it has a key within
   * the set, without NULL, on columns whose values reading does not change.
   */
  private boolean isEnforced(Set<String> set) {
    PhysicalTable physical = catalog.physical(table);
    for (List<String> key : physical.keys()) {
      boolean within =
          key.stream()
              .allMatch(
                  name ->
                      set.stream()
                          .anyMatch(
                              c ->
                                  physical.column(c).orElseThrow().name().equals(name)
                                      && isPlain(c)));
      if (within) {
        return true;
      }
    }
    return false;
  }

  private boolean isPlain(String name) {
    ColumnSpec column = table.column(name).orElseThrow();
    return catalog.physical(table, column).notNull()
        && catalog.unchanged(table, column).isPresent();
  }

  /**
   * Max frequencies of several column sets from one reading. GROUP BY groups what {@code =} calls
   * equal, so the database counts by the same equality as its joins do.
   */
  static final class FrequencyQuery {
    private final List<Set<String>> sets;
    private final List<String> columns;
    private final UnaryOperator<String> spelled;
    private final String from;

    /**
     * @param from what is read: the table, or another with the same columns
     */
    FrequencyQuery(Table table, List<Set<String>> sets, PhysicalCatalog catalog, String from) {
      this(sets, name -> catalog.grouped(table, table.column(name).orElseThrow()), from);
    }

    /**
     * @param spelled how the value of a column is read there
     */
    FrequencyQuery(List<Set<String>> sets, UnaryOperator<String> spelled, String from) {
      this.sets = sets;
      this.spelled = spelled;
      this.from = from;
      Set<String> names = new TreeSet<>();
      sets.forEach(names::addAll);
      this.columns = List.copyOf(names);
    }

    Map<Set<String>, MaxFrequency> run(StatementRunner statements) throws SQLException {
      Map<Set<String>, MaxFrequency> frequencies = new LinkedHashMap<>();
      // A table without rows has no groups and gives no line.
      sets.forEach(set -> frequencies.put(Set.copyOf(set), frequency(0, 0)));
      statements.run(
          sql(),
          row -> {
            Set<String> set = sets.get(row.getInt(1));
            frequencies.put(Set.copyOf(set), frequency(row.getLong(2), row.getLong(3)));
          });
      return frequencies;
    }

    private static MaxFrequency frequency(long max, long withNull) {
      return new MaxFrequency(
          Optional.of(BigInteger.valueOf(max)), Optional.of(BigInteger.valueOf(withNull)));
    }

    private String sql() {
      List<String> read = new ArrayList<>();
      for (String column : columns) {
        read.add(spelled.apply(column) + " AS " + alias(column));
      }
      String source = "(SELECT " + String.join(", ", read) + " FROM " + from + ") AS source";
      String all = columns.stream().map(this::alias).collect(Collectors.joining(", "));
      if (sets.size() == 1) {
        return "SELECT 0, MAX(CASE WHEN "
            + present(sets.getFirst())
            + " THEN n ELSE 0 END), MAX(n) FROM (SELECT "
            + (all + ", COUNT(*) AS n FROM " + source + " GROUP BY " + all + ") AS counted");
      }
      String groups =
          "SELECT "
              + picked()
              + " AS picked, "
              + all
              + ", COUNT(*) AS n FROM "
              + source
              + " GROUP BY GROUPING SETS ("
              + sets.stream().map(this::grouping).collect(Collectors.joining(", "))
              + ")";
      return "SELECT picked, MAX(CASE WHEN "
          + withoutNull()
          + " THEN n ELSE 0 END), MAX(n) FROM ("
          + groups
          + ") AS counted GROUP BY picked";
    }

    /** Which set a line belongs to: the one whose columns, and no others, are grouped by. */
    private String picked() {
      StringBuilder sql = new StringBuilder("CASE");
      for (int i = 0; i < sets.size(); i++) {
        Set<String> set = sets.get(i);
        String match =
            columns.stream()
                .map(c -> "GROUPING(" + alias(c) + ") = " + (set.contains(c) ? 0 : 1))
                .collect(Collectors.joining(" AND "));
        sql.append(" WHEN ").append(match).append(" THEN ").append(i);
      }
      return sql.append(" END").toString();
    }

    private String withoutNull() {
      List<String> cases = new ArrayList<>();
      for (int i = 0; i < sets.size(); i++) {
        cases.add("picked = " + i + " AND " + present(sets.get(i)));
      }
      return String.join(" OR ", cases);
    }

    private String present(Set<String> set) {
      return set.stream().map(c -> alias(c) + " IS NOT NULL").collect(Collectors.joining(" AND "));
    }

    private String grouping(Set<String> set) {
      return set.stream().map(this::alias).collect(Collectors.joining(", ", "(", ")"));
    }

    private String alias(String column) {
      return "c" + columns.indexOf(column);
    }
  }
}
