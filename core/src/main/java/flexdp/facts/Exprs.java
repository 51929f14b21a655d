package flexdp.facts;

import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.util.List;

/** Short spellings for the expressions that aggregates are put together from. */
public final class Exprs {
  private Exprs() {}

  public static Expr number(BigDecimal value, Type type) {
    return type.kind() == Type.Kind.DOUBLE
        ? new Expr.Literal(value.doubleValue(), type)
        : new Expr.Literal(value, type);
  }

  public static Expr call(Function function, Type type, Expr... arguments) {
    return new Expr.Call(function, List.of(arguments), type);
  }

  public static Expr as(Expr expr, Type type) {
    return expr.type().equals(type) ? expr : new Expr.Cast(expr, type);
  }
}
