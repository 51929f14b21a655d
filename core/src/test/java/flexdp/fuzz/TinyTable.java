package flexdp.fuzz;

import flexdp.metrics.MaxFrequency;
import flexdp.metrics.TableMetrics;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Table;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Every row that a table may hold. Which of them it does hold is a bit mask, so that a neighbour is
 * one bit away and a replacement two.
 */
record TinyTable(Table table, List<List<Object>> rows) {
  int size() {
    return rows.size();
  }

  /** Whether the rows of a mask keep the declared keys. */
  boolean isValid(int mask) {
    for (Set<String> key : table.uniqueKeys()) {
      Set<List<Object>> seen = new HashSet<>();
      for (List<Object> row : alive(mask)) {
        List<Object> values = values(row, key);
        if (values.stream().allMatch(Objects::nonNull) && !seen.add(values)) {
          return false;
        }
      }
    }
    return true;
  }

  /** Exact frequencies of every set of columns. */
  TableMetrics metrics(int mask) {
    Map<Set<String>, MaxFrequency> frequencies = new HashMap<>();
    List<String> names = table.columns().stream().map(ColumnSpec::name).toList();
    for (int subset = 1; subset < 1 << names.size(); subset++) {
      Set<String> columns = new HashSet<>();
      for (int i = 0; i < names.size(); i++) {
        if ((subset >> i & 1) == 1) {
          columns.add(names.get(i));
        }
      }
      frequencies.put(columns, frequency(alive(mask), columns));
    }
    return new TableMetrics(Optional.of(BigInteger.valueOf(Integer.bitCount(mask))), frequencies);
  }

  private MaxFrequency frequency(List<List<Object>> alive, Set<String> columns) {
    Map<List<Object>, Integer> counts = new HashMap<>();
    int most = 0;
    int mostWithNull = 0;
    for (List<Object> row : alive) {
      List<Object> values = values(row, columns);
      int count = counts.merge(values, 1, Integer::sum);
      mostWithNull = Math.max(mostWithNull, count);
      most = values.contains(null) ? most : Math.max(most, count);
    }
    return new MaxFrequency(
        Optional.of(BigInteger.valueOf(most)), Optional.of(BigInteger.valueOf(mostWithNull)));
  }

  private List<List<Object>> alive(int mask) {
    List<List<Object>> alive = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      if ((mask >> i & 1) == 1) {
        alive.add(rows.get(i));
      }
    }
    return alive;
  }

  private List<Object> values(List<Object> row, Set<String> columns) {
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < table.columns().size(); i++) {
      if (columns.contains(table.columns().get(i).name())) {
        values.add(row.get(i));
      }
    }
    return values;
  }
}
