package flexdp.sensitivity;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The rows of a relation, and where each column stands in them. */
record Rows(Map<Integer, Integer> positions, List<Object[]> rows) {
  static Rows of(List<Column> columns, List<Object[]> rows) {
    Map<Integer, Integer> positions = new HashMap<>();
    for (int i = columns.size() - 1; i >= 0; i--) {
      positions.put(columns.get(i).id(), i);
    }
    return new Rows(positions, rows);
  }

  static Rows of(Relation relation, List<Object[]> rows) {
    return of(relation.columns(), rows);
  }

  Scope scope(Object[] row) {
    return id -> row[positions.get(id)];
  }

  Object value(Expr expr, Object[] row) {
    return Values.of(expr, scope(row));
  }

  boolean isTrue(Expr expr, Object[] row) {
    return Boolean.TRUE.equals(value(expr, row));
  }

  /** How often each row occurs. */
  Map<List<Object>, Integer> counted() {
    Map<List<Object>, Integer> counts = new HashMap<>();
    for (Object[] row : rows) {
      counts.merge(java.util.Arrays.asList(row), 1, Integer::sum);
    }
    return counts;
  }

  List<Object> values(Iterable<Integer> columns, List<Object> row) {
    List<Object> values = new ArrayList<>();
    columns.forEach(id -> values.add(row.get(positions.get(id))));
    return values;
  }

  /** Where an expression finds the value of a column. */
  interface Scope {
    Object value(int column);

    default Scope or(Map<Integer, Object> more) {
      return id -> more.containsKey(id) ? more.get(id) : value(id);
    }
  }
}
