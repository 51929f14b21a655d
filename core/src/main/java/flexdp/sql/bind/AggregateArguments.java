package flexdp.sql.bind;

import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.failure.Position;
import flexdp.policy.Type;
import flexdp.sql.function.TypeRules;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;

/** What an aggregate function is given, as it is read. */
final class AggregateArguments {
  private AggregateArguments() {}

  /** WITHIN GROUP (ORDER BY x): what rows are ordered by, and whether the other way round. */
  record Order(SqlNode by, boolean descending) {
    static Order of(SqlNodeList within) {
      SqlNode order = within.get(0);
      boolean descending = order.getKind() == SqlKind.DESCENDING;
      return new Order(descending ? ((SqlCall) order).operand(0) : order, descending);
    }
  }

  /** A number; of a condition, 1 where it is true and 0 where it is false, as in MySQL. */
  static Expr asNumber(Expr expr, Position at) {
    if (expr.type().kind() != Type.Kind.BOOLEAN) {
      return TypeRules.requireNumber(expr, at);
    }
    return new Expr.Case(
        List.of(
            new Expr.Case.Branch(expr, Exprs.integer(1)),
            new Expr.Case.Branch(ExprBinder.negated(expr), Exprs.integer(0))),
        Optional.empty(),
        Type.INTEGER);
  }
}
