package flexdp.sensitivity;

import flexdp.algebra.Expr;
import flexdp.hash.PortableHash;
import flexdp.sensitivity.Rows.Scope;
import java.math.BigDecimal;
import java.util.List;
import java.util.Objects;

/** Evaluates the expressions that random trees use, by SQL's three-valued logic. */
final class Values {
  private Values() {}

  static Object of(Expr expr, Scope scope) {
    return switch (expr) {
      case Expr.Ref ref -> scope.value(ref.column());
      case Expr.Literal literal ->
          literal.value() instanceof BigDecimal number
              ? (Object) number.longValueExact()
              : literal.value();
      case Expr.Cast cast -> of(cast.operand(), scope);
      case Expr.Case cases -> {
        for (Expr.Case.Branch branch : cases.branches()) {
          if (Boolean.TRUE.equals(of(branch.condition(), scope))) {
            yield of(branch.value(), scope);
          }
        }
        yield cases.otherwise().map(other -> of(other, scope)).orElse(null);
      }
      case Expr.Call call -> call(call, scope);
    };
  }

  private static Object call(Expr.Call call, Scope scope) {
    List<Expr> arguments = call.arguments();
    Object one = of(arguments.get(0), scope);
    return switch (call.function()) {
      case AND -> and(arguments, scope);
      case OR -> not(and(arguments.stream().map(Values::negated).toList(), scope));
      case NOT -> not(one);
      case IS_NULL -> one == null;
      case IS_NOT_NULL -> one != null;
      case NULLIF -> Objects.equals(one, of(arguments.get(1), scope)) ? null : one;
      case COALESCE -> one != null ? one : of(arguments.get(1), scope);
      case IS_NOT_DISTINCT -> Objects.equals(one, of(arguments.get(1), scope));
      case CONCAT -> together(arguments, scope);
      case HASH -> one == null ? null : (Object) PortableHash.of(String.valueOf(one));
      default -> strict(call, one, of(arguments.get(1), scope));
    };
  }

  private static Object together(List<Expr> arguments, Scope scope) {
    StringBuilder text = new StringBuilder();
    for (Expr argument : arguments) {
      Object value = of(argument, scope);
      if (value == null) {
        return null;
      }
      text.append(value);
    }
    return text.toString();
  }

  private static Expr negated(Expr expr) {
    return Trees.call(flexdp.algebra.Function.NOT, expr);
  }

  private static Object and(List<Expr> arguments, Scope scope) {
    Object result = true;
    for (Expr argument : arguments) {
      Object value = of(argument, scope);
      if (Boolean.FALSE.equals(value)) {
        return false;
      }
      result = value == null ? null : result;
    }
    return result;
  }

  private static Object not(Object value) {
    return value == null ? null : !(Boolean) value;
  }

  private static Object strict(Expr.Call call, Object one, Object two) {
    if (one == null || two == null) {
      return null;
    }
    return switch (call.function()) {
      case EQ -> one.equals(two);
      case NE -> !one.equals(two);
      case LT -> (Long) one < (Long) two;
      case LE -> (Long) one <= (Long) two;
      case GT -> (Long) one > (Long) two;
      case GE -> (Long) one >= (Long) two;
      case PLUS -> (Long) one + (Long) two;
      case TIMES -> (Long) one * (Long) two;
      case MOD -> (Long) two == 0 ? null : (Long) one % (Long) two;
      default -> throw new IllegalArgumentException("not used here: " + call.function());
    };
  }
}
