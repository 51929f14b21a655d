package flexdp.gateway.sql;

import flexdp.algebra.Expr;
import flexdp.policy.Type;

/** An expression beside its rendered text. */
public record Operand(Expr expr, String sql) {
  public Type type() {
    return expr.type();
  }

  /** Whether the text may be repeated without repeating work. */
  public boolean isSimple() {
    return expr instanceof Expr.Ref || expr instanceof Expr.Literal;
  }
}
