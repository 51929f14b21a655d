package flexdp.question;

import flexdp.algebra.Column;
import flexdp.algebra.Conversions;
import flexdp.algebra.Expr;
import java.util.List;

/** Whether an expression can be NULL on some row; "yes" when in doubt. */
final class Nullability {
  private Nullability() {}

  static boolean canBeNull(Expr expr, List<Column> columns) {
    return switch (expr) {
      case Expr.Ref ref -> columns.stream().noneMatch(c -> c.id() == ref.column() && !c.nullable());
      case Expr.Literal literal -> literal.isNull();
      case Expr.Call call ->
          switch (call.function()) {
            case IS_DISTINCT,
                IS_NOT_DISTINCT,
                IS_NULL,
                IS_NOT_NULL,
                IS_TRUE,
                IS_NOT_TRUE,
                IS_FALSE,
                IS_NOT_FALSE ->
                false;
            case EQ,
                NE,
                LT,
                LE,
                GT,
                GE,
                IN_LIST,
                AND,
                OR,
                NOT,
                SIGN,
                LOWER,
                UPPER,
                CHAR_LENGTH,
                EXTRACT,
                DATE_TRUNC ->
                call.arguments().stream().anyMatch(a -> canBeNull(a, columns));
            // The least integer has no opposite.
            case NEGATE, ABS ->
                call.type().isInteger()
                    || call.arguments().stream().anyMatch(a -> canBeNull(a, columns));
            case COALESCE -> call.arguments().stream().allMatch(a -> canBeNull(a, columns));
            default -> true;
          };
      case Expr.Case c ->
          c.otherwise().isEmpty()
              || canBeNull(c.otherwise().get(), columns)
              || c.branches().stream().anyMatch(b -> canBeNull(b.value(), columns));
      case Expr.Cast cast ->
          !Conversions.isInjective(cast.operand().type(), cast.type())
              || canBeNull(cast.operand(), columns);
    };
  }
}
