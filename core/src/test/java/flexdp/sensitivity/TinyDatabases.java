package flexdp.sensitivity;

import flexdp.metrics.MaxFrequency;
import flexdp.metrics.Metrics;
import flexdp.metrics.TableMetrics;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Table;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** Tables with few values in them: NULLs, a keyed table, a compound key, a public table. */
final class TinyDatabases {
  static final Table T = Trees.table("t", "a", "b");
  static final Table U = Trees.table("u", "id!", "a");
  static final Table V = Trees.unique(Trees.table("v", "a+", "b"), "a", "b");
  static final Table P = Trees.publicTable("p", "x", "y");
  static final List<Table> TABLES = List.of(T, U, V, P);

  private TinyDatabases() {}

  static Map<String, List<Object[]>> random(Random random) {
    Map<String, List<Object[]>> database = new LinkedHashMap<>();
    for (Table table : TABLES) {
      List<Object[]> rows = new ArrayList<>();
      List<Object[]> possible = possible(table);
      int size = random.nextInt(table.isPublic() || random.nextInt(4) == 0 ? 7 : 4);
      boolean skewed = random.nextBoolean();
      Object[] favourite = possible.get(random.nextInt(possible.size()));
      for (int i = 0; i < size; i++) {
        Object[] row =
            skewed && random.nextBoolean()
                ? favourite
                : possible.get(random.nextInt(possible.size()));
        if (allows(table, rows, row)) {
          rows.add(row);
        }
      }
      database.put(table.name(), rows);
    }
    return database;
  }

  /** All rows that a table might hold. */
  static List<Object[]> possible(Table table) {
    List<Object[]> rows = new ArrayList<>(List.of(new Object[][] {{}}));
    for (ColumnSpec column : table.columns()) {
      List<Object[]> longer = new ArrayList<>();
      List<Long> values = new ArrayList<>(List.of(0L, 1L));
      if (column.name().equals("id") || column.name().equals("y")) {
        values.add(2L);
      }
      if (column.nullable()) {
        values.add(null);
      }
      for (Object[] row : rows) {
        for (Long value : values) {
          Object[] more = Arrays.copyOf(row, row.length + 1);
          more[row.length] = value;
          longer.add(more);
        }
      }
      rows = longer;
    }
    return rows;
  }

  /** Whether the declared keys allow one more row. */
  static boolean allows(Table table, List<Object[]> rows, Object[] row) {
    for (Set<String> key : table.uniqueKeys()) {
      List<Object> values = values(table, key, row);
      if (!values.contains(null)
          && rows.stream().anyMatch(other -> values(table, key, other).equals(values))) {
        return false;
      }
    }
    return true;
  }

  private static List<Object> values(Table table, Set<String> columns, Object[] row) {
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < row.length; i++) {
      if (columns.contains(table.columns().get(i).name())) {
        values.add(row[i]);
      }
    }
    return values;
  }

  static Map<String, List<Object[]>> plus(
      Map<String, List<Object[]>> database, Table table, Object[] row) {
    Map<String, List<Object[]>> more = new HashMap<>(database);
    List<Object[]> rows = new ArrayList<>(database.get(table.name()));
    rows.add(row);
    more.put(table.name(), rows);
    return more;
  }

  /** Measures every table by every set of its columns that is in the list. */
  static Metrics measure(Map<String, List<Object[]>> database, boolean compound) {
    Map<String, TableMetrics> tables = new HashMap<>();
    for (Table table : TABLES) {
      Map<Set<String>, MaxFrequency> frequencies = new HashMap<>();
      List<String> names = table.columns().stream().map(ColumnSpec::name).toList();
      for (int bits = 1; bits < 1 << names.size(); bits++) {
        Set<String> columns = new HashSet<>();
        for (int i = 0; i < names.size(); i++) {
          if ((bits & 1 << i) != 0) {
            columns.add(names.get(i));
          }
        }
        if (columns.size() == 1 || compound) {
          frequencies.put(columns, frequency(table, database.get(table.name()), columns));
        }
      }
      BigInteger rows = BigInteger.valueOf(database.get(table.name()).size());
      tables.put(table.name(), new TableMetrics(Optional.of(rows), frequencies));
    }
    return new Metrics(tables, Map.of());
  }

  static MaxFrequency frequency(Table table, List<Object[]> rows, Set<String> columns) {
    Map<List<Object>, Long> counts = new HashMap<>();
    rows.forEach(row -> counts.merge(values(table, columns, row), 1L, Long::sum));
    long max =
        counts.entrySet().stream()
            .filter(e -> !e.getKey().contains(null))
            .mapToLong(Map.Entry::getValue)
            .max()
            .orElse(0);
    long withNull = counts.values().stream().mapToLong(v -> v).max().orElse(0);
    return new MaxFrequency(
        Optional.of(BigInteger.valueOf(max)), Optional.of(BigInteger.valueOf(withNull)));
  }
}
