package flexdp.question;

import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/** Short spellings for the expressions that aggregates are put together from. */
final class Exprs {
  private Exprs() {}

  static Expr number(BigDecimal value, Type type) {
    return type.kind() == Type.Kind.DOUBLE
        ? new Expr.Literal(value.doubleValue(), type)
        : new Expr.Literal(value, type);
  }

  static Expr call(Function function, Type type, Expr... arguments) {
    return new Expr.Call(function, List.of(arguments), type);
  }

  /** The expression with parts replaced, outermost first; what is replaced is not entered. */
  static Expr map(Expr expr, java.util.function.Function<Expr, Optional<Expr>> rule) {
    Optional<Expr> replaced = rule.apply(expr);
    if (replaced.isPresent()) {
      return replaced.get();
    }
    return switch (expr) {
      case Expr.Ref ref -> ref;
      case Expr.Literal literal -> literal;
      case Expr.Cast cast -> new Expr.Cast(map(cast.operand(), rule), cast.type());
      case Expr.Call call ->
          new Expr.Call(
              call.function(),
              call.arguments().stream().map(a -> map(a, rule)).toList(),
              call.type());
      case Expr.Case c ->
          new Expr.Case(
              c.branches().stream()
                  .map(b -> new Expr.Case.Branch(map(b.condition(), rule), map(b.value(), rule)))
                  .toList(),
              c.otherwise().map(o -> map(o, rule)),
              c.type());
    };
  }

  static Expr as(Expr expr, Type type) {
    return expr.type().equals(type) ? expr : new Expr.Cast(expr, type);
  }
}
