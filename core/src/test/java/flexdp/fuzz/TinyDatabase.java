package flexdp.fuzz;

import flexdp.metrics.Metrics;
import flexdp.metrics.TableMetrics;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Neighbors;
import flexdp.policy.Policy;
import flexdp.policy.Range;
import flexdp.policy.Table;
import flexdp.policy.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * Three protected tables and a public one, each of a few rows. A state says which rows of the
 * protected tables exist: a mask of {@link #BITS} bits for each of them.
 */
final class TinyDatabase {
  static final int BITS = 6;
  static final List<String> PROTECTED = List.of("t", "u", "v");
  static final Policy POLICY = policy();

  private final Map<String, TinyTable> tables = new LinkedHashMap<>();
  private final int state;

  TinyDatabase(Random random) {
    int masks = 0;
    for (Table table : POLICY.tables().values()) {
      List<List<Object>> rows = new ArrayList<>();
      int count = table.isPublic() ? 3 : BITS;
      for (int i = 0; i < count; i++) {
        rows.add(row(table, table.isPublic() ? i : random.nextInt(i < 3 ? 3 : 5), random));
      }
      TinyTable tiny = new TinyTable(table, rows);
      tables.put(table.name(), tiny);
      if (table.isProtected()) {
        int mask = 0;
        int wanted = random.nextInt(8) == 0 ? 0 : 1 + random.nextInt(4);
        for (int i = 0; i < wanted; i++) {
          mask = tiny.isValid(mask | 1 << i) ? mask | 1 << i : mask;
        }
        masks |= mask << BITS * PROTECTED.indexOf(table.name());
      }
    }
    this.state = masks;
  }

  private static Policy policy() {
    Map<String, Table> tables = new LinkedHashMap<>();
    ColumnSpec id = column("id", Type.INTEGER, false, Range.of(0, 9));
    ColumnSpec a = column("a", Type.INTEGER, true, Range.of(-1, 2));
    ColumnSpec b = column("b", Type.INTEGER, false, Range.of(0, 2));
    ColumnSpec s =
        new ColumnSpec(
            "s",
            Type.VARCHAR,
            true,
            Optional.empty(),
            Optional.of(Arrays.asList("x", "y", null)),
            Optional.empty());
    List<Set<String>> unique = List.of(Set.of("id"));
    tables.put("t", new Table("t", false, List.of(id, a, b, s), unique, List.of()));
    tables.put("u", new Table("u", false, List.of(id, a, b), unique, List.of()));
    tables.put("v", new Table("v", false, List.of(a, b, s), List.of(), List.of()));
    tables.put("p", new Table("p", true, List.of(id, a, s), unique, List.of()));
    return new Policy(
        Optional.empty(),
        new Policy.Privacy(
            Neighbors.ADD_REMOVE_ONE,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            1000),
        tables);
  }

  private static ColumnSpec column(String name, Type type, boolean nullable, Range range) {
    return new ColumnSpec(
        name, type, nullable, Optional.of(range), Optional.empty(), Optional.empty());
  }

  private static List<Object> row(Table table, int id, Random random) {
    List<Object> row = new ArrayList<>();
    for (ColumnSpec column : table.columns()) {
      row.add(
          switch (column.name()) {
            case "id" -> id;
            case "a" ->
                random.nextInt(5) == 0 ? null : random.nextInt(4) == 0 ? -1 : random.nextInt(2);
            case "b" -> random.nextInt(5) == 0 ? 2 : random.nextInt(2);
            default -> random.nextInt(6) == 0 ? null : random.nextInt(3) == 0 ? "y" : "x";
          });
    }
    return row;
  }

  Map<String, TinyTable> tables() {
    return tables;
  }

  /** The database itself; all others are reached from it. */
  int state() {
    return state;
  }

  int mask(int state, String table) {
    return state >> BITS * PROTECTED.indexOf(table) & (1 << BITS) - 1;
  }

  /** What {@code collect} would measure, exactly. */
  Metrics metrics() {
    Map<String, TableMetrics> metrics = new HashMap<>();
    tables.forEach(
        (name, tiny) ->
            metrics.put(
                name,
                tiny.metrics(
                    tiny.table().isPublic() ? (1 << tiny.size()) - 1 : mask(state, name))));
    return new Metrics(metrics, Map.of());
  }

  /** The states next to a state, among those that change the given tables only. */
  List<Integer> neighbors(int from, Set<String> changing, Neighbors model) {
    List<Integer> found = new ArrayList<>();
    for (String table : changing) {
      int shift = BITS * PROTECTED.indexOf(table);
      for (int one = 0; one < BITS; one++) {
        if (model == Neighbors.ADD_REMOVE_ONE) {
          add(found, from ^ 1 << shift + one, table);
          continue;
        }
        for (int two = 0; two < one; two++) {
          boolean swaps = (from >> shift + one & 1) != (from >> shift + two & 1);
          if (swaps) {
            add(found, from ^ 1 << shift + one ^ 1 << shift + two, table);
          }
        }
      }
    }
    return found;
  }

  private void add(List<Integer> found, int next, String table) {
    if (tables.get(table).isValid(mask(next, table))) {
      found.add(next);
    }
  }
}
