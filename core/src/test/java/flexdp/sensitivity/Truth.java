package flexdp.sensitivity;

import flexdp.algebra.Relation;
import flexdp.policy.PrivacyUnit;
import flexdp.policy.Table;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What really changes between neighbours, found by evaluating both. */
final class Truth {
  /** Rows that appear, disappear, and both together. */
  record Change(int added, int removed) {
    int both() {
      return added + removed;
    }
  }

  private Truth() {}

  static Change change(Rows before, Rows after) {
    int added = 0;
    int removed = 0;
    for (int difference : differences(before, after).values()) {
      added += Math.max(0, difference);
      removed += Math.max(0, -difference);
    }
    return new Change(added, removed);
  }

  static Map<List<Object>, Integer> differences(Rows before, Rows after) {
    Map<List<Object>, Integer> differences = new HashMap<>(after.counted());
    before.counted().forEach((row, count) -> differences.merge(row, -count, Integer::sum));
    differences.values().removeIf(difference -> difference == 0);
    return differences;
  }

  static int touched(Rows before, Rows after, Set<Integer> columns) {
    Set<List<Object>> values = new HashSet<>();
    differences(before, after).keySet().forEach(row -> values.add(after.values(columns, row)));
    return values.size();
  }

  static int frequency(Rows rows, FrequencyKey key) {
    Map<List<Object>, Integer> counts = new HashMap<>();
    rows.counted()
        .forEach(
            (row, count) -> {
              boolean counts0 = true;
              for (int id : key.columns()) {
                counts0 &= key.withNull().contains(id) || row.get(rows.positions().get(id)) != null;
              }
              if (counts0) {
                counts.merge(rows.values(key.columns(), row), count, Integer::sum);
              }
            });
    return counts.values().stream().mapToInt(c -> c).max().orElse(0);
  }

  /** The database with one more row of a protected table, in every way that is allowed. */
  static Map<PrivacyUnit, List<Map<String, List<Object[]>>>> neighbours(
      Map<String, List<Object[]>> database, Set<PrivacyUnit> units) {
    Map<PrivacyUnit, List<Map<String, List<Object[]>>>> all = new HashMap<>();
    for (Table table : TinyDatabases.TABLES) {
      PrivacyUnit unit = new PrivacyUnit.Row(table.name());
      if (!units.contains(unit)) {
        continue;
      }
      List<Map<String, List<Object[]>>> more = new ArrayList<>();
      for (Object[] row : TinyDatabases.possible(table)) {
        if (TinyDatabases.allows(table, database.get(table.name()), row)) {
          more.add(TinyDatabases.plus(database, table, row));
        }
      }
      all.put(unit, more);
    }
    return all;
  }

  /** The relation and everything below it. */
  static List<Relation> nodes(Relation relation) {
    List<Relation> nodes = new ArrayList<>(List.of(relation));
    relation.children().forEach(input -> nodes.addAll(nodes(input)));
    return nodes;
  }
}
