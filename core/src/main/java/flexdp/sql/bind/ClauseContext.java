package flexdp.sql.bind;

import flexdp.algebra.Expr;
import flexdp.policy.InputDialect;
import flexdp.sql.function.BindTime;
import flexdp.sql.function.FunctionContext;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;

/** A place in the query with those who bind there. */
record ClauseContext(ExpressionContext place, BindingContext binder) implements FunctionContext {
  @Override
  public Expr bind(SqlNode node) {
    return binder.expressions.bind(node, place);
  }

  @Override
  public Expr condition(SqlNode node) {
    return binder.expressions.condition(node, place);
  }

  @Override
  public boolean isColumn(SqlIdentifier name) {
    return place.scope().find(name) != null;
  }

  @Override
  public boolean namesResults() {
    return place.selected().isPresent();
  }

  @Override
  public Expr result(SqlIdentifier name) {
    return place.selected().map(results -> results.find(name)).orElse(null);
  }

  @Override
  public String clause() {
    return place.clause();
  }

  @Override
  public BindTime now() {
    return binder.now;
  }

  @Override
  public InputDialect dialect() {
    return binder.dialect;
  }
}
