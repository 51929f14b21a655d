package flexdp.gateway.render;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a statement computes of its rows before it sums or counts them, in derived tables one above
 * the other: what is read several times has a name, and stands one stage above all that it reads.
 */
final class Stages {
  private final Dialect dialect;
  private final List<Map<String, String>> stages = new ArrayList<>();
  private final List<Set<String>> reads = new ArrayList<>();
  private final Map<String, Integer> places = new HashMap<>();
  private final Map<String, String> names = new HashMap<>();
  private final Set<String> asked = new LinkedHashSet<>();
  private boolean repeated;

  Stages(Dialect dialect) {
    this.dialect = dialect;
  }

  /**
   * Computes a value.
   *
   * @param columns what it reads: columns of the rows, and names of what was computed before
   */
  void compute(String name, String sql, Collection<String> columns) {
    int place = 0;
    for (String column : columns) {
      place = Math.max(place, places.getOrDefault(column, -1) + 1);
    }
    if (place == stages.size()) {
      stages.add(new LinkedHashMap<>());
      reads.add(new LinkedHashSet<>());
    }
    stages.get(place).put(name, sql);
    reads.get(place).addAll(columns);
    places.put(name, place);
  }

  /** The same, for a value that is read several times; an equal one keeps its first name. */
  String once(String name, String sql, Collection<String> columns) {
    repeated = true;
    String known = names.putIfAbsent(sql, name);
    if (known != null) {
      return known;
    }
    compute(name, sql, columns);
    return name;
  }

  /** Says that the statement itself reads a column, or what was computed. */
  void ask(String column) {
    asked.add(column);
  }

  /** What stands in FROM. */
  String over(String from) {
    String rows = from;
    for (int i = 0; i < stages.size(); i++) {
      Map<String, String> columns = new LinkedHashMap<>();
      for (String column : readAbove(i)) {
        if (places.getOrDefault(column, -1) < i) {
          columns.put(column, column);
        }
      }
      columns.putAll(stages.get(i));
      rows =
          "(SELECT "
              + Relations.aliased(columns)
              + " FROM "
              + rows
              + dialect.fence(stages.get(i).values(), repeated)
              + (i == 0 ? ") AS r" : ") AS r" + i);
    }
    return rows;
  }

  private Set<String> readAbove(int stage) {
    Set<String> all = new LinkedHashSet<>(asked);
    for (int i = stage + 1; i < stages.size(); i++) {
      all.addAll(reads.get(i));
    }
    return all;
  }
}
