package flexdp.algebra;

import flexdp.policy.Type;
import java.util.List;

/** What holds of every node of the algebra: one that is built wrongly is not built at all. */
final class Checked {
  private Checked() {}

  static void that(boolean holds, String fault) {
    if (!holds) {
      throw new IllegalArgumentException(fault);
    }
  }

  static void condition(Expr expr) {
    that(expr.type().kind() == Type.Kind.BOOLEAN, "a condition that is neither true nor false");
  }

  /** That values can stand in a column. */
  static void held(Column column, Type type) {
    that(column.type().equals(type), "a column of " + column.type() + " for values of " + type);
  }

  static void different(List<Column> columns) {
    that(
        columns.stream().mapToInt(Column::id).distinct().count() == columns.size(),
        "two columns with one id");
  }
}
