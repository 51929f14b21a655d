package flexdp.algebra;

import java.util.BitSet;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Where NULL can come from, and where it is refused. All of it follows from what each {@link
 * Function} states; when in doubt, NULL is possible and not refused.
 */
public final class NullRejection {
  private NullRejection() {}

  /** Whether an expression over these columns may be NULL. One that is not among them may be. */
  public static boolean possible(Expr expr, List<Column> columns) {
    return possible(
        expr, id -> columns.stream().noneMatch(column -> column.id() == id && !column.nullable()));
  }

  /** Whether an expression may be NULL, given which columns may be. */
  public static boolean possible(Expr expr, IntPredicate nullable) {
    return switch (expr) {
      case Expr.Ref ref -> nullable.test(ref.column());
      case Expr.Literal literal -> literal.isNull();
      case Expr.Cast cast ->
          !Conversions.isTotal(cast.operand().type(), cast.type())
              || possible(cast.operand(), nullable);
      case Expr.Call call -> possible(call, nullable);
      case Expr.Case choice ->
          choice.otherwise().isEmpty()
              || possible(choice.otherwise().get(), nullable)
              || choice.branches().stream().anyMatch(b -> possible(b.value(), nullable));
    };
  }

  private static boolean possible(Expr.Call call, IntPredicate nullable) {
    if (call.function().gaps().in(call.type())) {
      return true;
    }
    return switch (call.function().nulls()) {
      case AS_VALUE, ASKED -> false;
      case STRICT, FIRST, LOGIC ->
          call.arguments().stream().anyMatch(argument -> possible(argument, nullable));
      case FALLBACK, PASSED_OVER ->
          call.arguments().stream().allMatch(argument -> possible(argument, nullable));
      case UNSTATED -> true;
    };
  }

  /** The columns that are not NULL in any row for which the condition is true. */
  public static BitSet refusedWhereTrue(Expr condition) {
    BitSet columns = new BitSet();
    whereTrue(condition, columns);
    return columns;
  }

  /** The columns that are not NULL in any row in which the expression is not NULL. */
  public static BitSet refusedWhereNotNull(Expr expr) {
    BitSet columns = new BitSet();
    whereNotNull(expr, columns);
    return columns;
  }

  private static void whereTrue(Expr condition, BitSet into) {
    if (!(condition instanceof Expr.Call call)) {
      whereNotNull(condition, into);
      return;
    }
    Function function = call.function();
    if (function == Function.AND) {
      call.arguments().forEach(term -> whereTrue(term, into));
    } else if (function == Function.OR) {
      into.or(commonTo(call.arguments()));
    } else if (function == Function.IS_TRUE) {
      whereTrue(call.arguments().getFirst(), into);
    } else if (function == Function.IS_FALSE || function == Function.IS_NOT_NULL) {
      whereNotNull(call.arguments().getFirst(), into);
    } else if (function == Function.NOT
        && call.arguments().getFirst() instanceof Expr.Call inner
        && inner.function() == Function.IS_NULL) {
      whereNotNull(inner.arguments().getFirst(), into);
    } else {
      whereNotNull(call, into);
    }
  }

  /** What every one of some alternatives refuses. */
  private static BitSet commonTo(List<Expr> alternatives) {
    BitSet common = null;
    for (Expr alternative : alternatives) {
      BitSet here = refusedWhereTrue(alternative);
      if (common == null) {
        common = here;
      } else {
        common.and(here);
      }
      if (common.isEmpty()) {
        return common;
      }
    }
    return common == null ? new BitSet() : common;
  }

  private static void whereNotNull(Expr expr, BitSet into) {
    switch (expr) {
      case Expr.Ref ref -> into.set(ref.column());
      case Expr.Literal ignored -> {}
      case Expr.Cast cast -> whereNotNull(cast.operand(), into);
      case Expr.Case ignored -> {}
      case Expr.Call call -> {
        switch (call.function().nulls()) {
          case STRICT -> call.arguments().forEach(argument -> whereNotNull(argument, into));
          case FIRST -> whereNotNull(call.arguments().getFirst(), into);
          case LOGIC, FALLBACK, PASSED_OVER, AS_VALUE, ASKED, UNSTATED -> {}
        }
      }
    }
  }
}
