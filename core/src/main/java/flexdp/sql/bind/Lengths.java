package flexdp.sql.bind;

import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Function;
import flexdp.failure.Position;
import flexdp.policy.Type;
import flexdp.sql.function.Operators;

/** Sums and averages of lengths of time: those of their seconds, made a length again. */
final class Lengths {
  private static final Expr.Literal SECOND = new Expr.Literal(1_000_000L, Type.INTERVAL_MICROS);

  private Lengths() {}

  static boolean is(Expr expr) {
    return expr.type().kind() == Type.Kind.INTERVAL_MICROS;
  }

  static Expr seconds(Expr length) {
    return Exprs.call(Function.EXTRACT, Type.BIGINT, Exprs.text("EPOCH"), length);
  }

  static Expr length(Expr seconds, Position at) {
    Expr whole =
        seconds.type().isInteger()
            ? seconds
            : Exprs.as(
                Exprs.call(Function.ROUND, seconds.type(), seconds, Exprs.integer(0)), Type.BIGINT);
    return Operators.times(SECOND, whole, at);
  }
}
