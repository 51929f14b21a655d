package flexdp.algebra;

import flexdp.policy.Type;
import java.math.BigDecimal;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/** Making and reading expressions. */
public final class Exprs {
  private Exprs() {}

  public static Expr call(Function function, Type type, Expr... arguments) {
    return new Expr.Call(function, List.of(arguments), type);
  }

  public static Expr test(Function function, Expr... arguments) {
    return new Expr.Call(function, List.of(arguments), Type.BOOLEAN);
  }

  public static Expr.Literal text(String value) {
    return new Expr.Literal(value, Type.VARCHAR);
  }

  public static Expr.Literal integer(long value) {
    Type type = (int) value == value ? Type.INTEGER : Type.BIGINT;
    return new Expr.Literal(BigDecimal.valueOf(value), type);
  }

  /** A number as a constant of a numeric type. */
  public static Expr.Literal number(BigDecimal value, Type type) {
    return type.kind() == Type.Kind.DOUBLE
        ? new Expr.Literal(value.doubleValue(), type)
        : new Expr.Literal(value, type);
  }

  /** Converted, unless it has the type already. */
  public static Expr as(Expr expr, Type type) {
    return expr.type().equals(type) ? expr : new Expr.Cast(expr, type);
  }

  public static Expr.Literal nullOf(Type type) {
    return new Expr.Literal(null, type);
  }

  public static Expr and(List<Expr> terms) {
    return terms.isEmpty()
        ? Expr.Literal.TRUE
        : terms.size() == 1 ? terms.get(0) : new Expr.Call(Function.AND, terms, Type.BOOLEAN);
  }

  public static Expr or(List<Expr> terms) {
    return terms.isEmpty()
        ? Expr.Literal.FALSE
        : terms.size() == 1 ? terms.get(0) : new Expr.Call(Function.OR, terms, Type.BOOLEAN);
  }

  /** NOT, written as the opposite comparison where there is one (NULL stays NULL). */
  public static Expr not(Expr expr) {
    if (expr instanceof Expr.Call call) {
      Optional<Function> opposite = call.function().opposite();
      if (opposite.isPresent()) {
        return new Expr.Call(opposite.get(), call.arguments(), Type.BOOLEAN);
      }
      if (call.function() == Function.NOT) {
        return call.arguments().get(0);
      }
    }
    return test(Function.NOT, expr);
  }

  /** Adds the columns that an expression reads. */
  public static void reads(Expr expr, BitSet into) {
    AlgebraWalker.refs(expr, ref -> into.set(ref.column()));
  }

  public static BitSet reads(Expr expr) {
    BitSet columns = new BitSet();
    reads(expr, columns);
    return columns;
  }
}
