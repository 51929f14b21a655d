package flexdp.sql.bind;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import flexdp.policy.Type;
import flexdp.sql.function.Rejections;
import flexdp.sql.function.TypeRules;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;

/** VALUES: rows of constants. */
final class ValuesBinder {
  private ValuesBinder() {}

  static Relation bind(SqlCall values, TableExpressions ctes, BindingContext binder) {
    ExpressionContext place =
        ExpressionContext.of(Scope.EMPTY, ctes, "VALUES", new ExpressionInputs());
    List<List<Expr>> byColumn = new ArrayList<>();
    int rows = values.operandCount();
    for (SqlNode row : values.getOperandList()) {
      List<SqlNode> cells =
          row.getKind() == SqlKind.ROW ? ((SqlCall) row).getOperandList() : List.of(row);
      for (int i = 0; i < cells.size(); i++) {
        if (byColumn.size() <= i) {
          byColumn.add(new ArrayList<>());
        }
        Expr cell = binder.expressions.bind(cells.get(i), place);
        if (!(cell instanceof Expr.Literal)) {
          throw Rejections.unsupported(
              "A computed value in VALUES", "Write constants.", cells.get(i));
        }
        byColumn.get(i).add(cell);
      }
    }
    List<Column> columns = new ArrayList<>();
    List<List<Expr.Literal>> tuples = new ArrayList<>();
    for (int r = 0; r < rows; r++) {
      tuples.add(new ArrayList<>());
    }
    for (int i = 0; i < byColumn.size(); i++) {
      if (byColumn.get(i).size() != rows) {
        throw Rejections.types(
            "The rows of VALUES have different lengths.",
            "Give each row as many values.",
            Rejections.at(values));
      }
      List<Expr> fitted = TypeRules.unify(byColumn.get(i), Rejections.at(values));
      Type type = TypeRules.typeOf(fitted);
      boolean nullable = false;
      for (int r = 0; r < rows; r++) {
        Expr.Literal cell = (Expr.Literal) fitted.get(r);
        nullable |= cell.isNull();
        tuples.get(r).add(cell);
      }
      columns.add(binder.ids.column("column" + (i + 1), type, nullable));
    }
    return new Relation.Values(columns, tuples);
  }
}
