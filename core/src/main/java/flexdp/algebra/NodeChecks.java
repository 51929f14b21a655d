package flexdp.algebra;

import flexdp.failure.TimeBudget;
import flexdp.policy.Type;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** What holds of every node of the algebra: one that is built wrongly is not built at all. */
final class NodeChecks {
  private NodeChecks() {}

  static void that(boolean holds, String fault) {
    TimeBudget.step();
    if (!holds) {
      throw new IllegalArgumentException(fault);
    }
  }

  static void condition(Expr expr) {
    that(expr.type().kind() == Type.Kind.BOOLEAN, "a condition that is neither true nor false");
  }

  /** Requires that values can stand in a column. */
  static void held(Column column, Type type) {
    if (!column.type().equals(type)) {
      throw new IllegalArgumentException("a column of " + column.type() + " for values of " + type);
    }
  }

  static List<List<Integer>> copied(List<List<Integer>> sets) {
    List<List<Integer>> copies = new ArrayList<>(sets.size());
    for (List<Integer> set : sets) {
      copies.add(List.copyOf(set));
    }
    return List.copyOf(copies);
  }

  static void different(List<Column> columns) {
    BitSet seen = new BitSet();
    for (Column column : columns) {
      that(!seen.get(column.id()), "two columns with one id");
      seen.set(column.id());
    }
  }
}
