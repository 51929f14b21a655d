package flexdp.sql;

import flexdp.algebra.Conversions;
import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import java.util.BitSet;

/** Where NULL can come from, and where it is refused. */
final class Nulls {
  private static final int MOST_DIGITS = 38;

  private Nulls() {}

  /** Whether an expression may be NULL; when in doubt, yes. */
  static boolean possible(Expr expr, Ids ids) {
    return switch (expr) {
      case Expr.Ref ref -> ids.isNullable(ref.column());
      case Expr.Literal literal -> literal.isNull();
      case Expr.Cast cast ->
          !Conversions.isTotal(cast.operand().type(), cast.type()) || possible(cast.operand(), ids);
      case Expr.Call call -> possible(call, ids);
      case Expr.Case choice -> {
        if (choice.otherwise().isEmpty() || possible(choice.otherwise().get(), ids)) {
          yield true;
        }
        for (Expr.Case.Branch branch : choice.branches()) {
          if (possible(branch.value(), ids)) {
            yield true;
          }
        }
        yield false;
      }
    };
  }

  private static boolean possible(Expr.Call call, Ids ids) {
    return switch (call.function()) {
      case IS_NULL,
          IS_NOT_NULL,
          IS_TRUE,
          IS_NOT_TRUE,
          IS_FALSE,
          IS_NOT_FALSE,
          IS_DISTINCT,
          IS_NOT_DISTINCT ->
          false;
      case COALESCE, LEAST, GREATEST -> {
        for (Expr argument : call.arguments()) {
          if (!possible(argument, ids)) {
            yield false;
          }
        }
        yield true;
      }
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
          LIKE,
          ILIKE,
          STARTS_WITH,
          CONCAT,
          LOWER,
          UPPER,
          TRIM,
          LTRIM,
          RTRIM,
          CHAR_LENGTH,
          POSITION,
          SIGN ->
          anyPossible(call, ids);
      // The least integer has no opposite; what is rounded up may have one digit too many.
      case ABS -> call.type().isInteger() || anyPossible(call, ids);
      case FLOOR, CEIL -> call.type().precision() == MOST_DIGITS || anyPossible(call, ids);
      default -> true;
    };
  }

  private static boolean anyPossible(Expr.Call call, Ids ids) {
    for (Expr argument : call.arguments()) {
      if (possible(argument, ids)) {
        return true;
      }
    }
    return false;
  }

  /** The columns that are not NULL in any row for which the condition is true. */
  static BitSet refused(Expr condition) {
    BitSet columns = new BitSet();
    refused(condition, columns);
    return columns;
  }

  private static void refused(Expr condition, BitSet into) {
    if (!(condition instanceof Expr.Call call)) {
      strict(condition, into);
      return;
    }
    switch (call.function()) {
      case AND -> {
        for (Expr term : call.arguments()) {
          refused(term, into);
        }
      }
      case OR -> {
        BitSet common = null;
        for (Expr term : call.arguments()) {
          BitSet here = refused(term);
          if (common == null) {
            common = here;
          } else {
            common.and(here);
          }
          if (common.isEmpty()) {
            return;
          }
        }
        if (common != null) {
          into.or(common);
        }
      }
      case IS_TRUE -> refused(call.arguments().get(0), into);
      case IS_FALSE, IS_NOT_NULL -> strict(call.arguments().get(0), into);
      default -> strict(condition, into);
    }
  }

  /** The columns that, being NULL, make the expression NULL. */
  private static void strict(Expr expr, BitSet into) {
    switch (expr) {
      case Expr.Ref ref -> into.set(ref.column());
      case Expr.Literal ignored -> {}
      case Expr.Cast cast -> strict(cast.operand(), into);
      case Expr.Case ignored -> {}
      case Expr.Call call -> {
        if (call.function() == Function.IN_LIST || call.function() == Function.NULLIF) {
          strict(call.arguments().get(0), into);
        } else if (isStrict(call.function())) {
          for (Expr argument : call.arguments()) {
            strict(argument, into);
          }
        }
      }
    }
  }

  /** Whether a NULL argument always makes the value NULL. What is not listed is taken not to. */
  private static boolean isStrict(Function function) {
    return switch (function) {
      case EQ,
          NE,
          LT,
          LE,
          GT,
          GE,
          NOT,
          PLUS,
          MINUS,
          TIMES,
          DIVIDE,
          MOD,
          NEGATE,
          ABS,
          SIGN,
          FLOOR,
          CEIL,
          ROUND,
          SQRT,
          LN,
          LOG10,
          EXP,
          POWER,
          CONCAT,
          LOWER,
          UPPER,
          TRIM,
          LTRIM,
          RTRIM,
          SUBSTRING,
          CHAR_LENGTH,
          POSITION,
          REPLACE,
          LEFT,
          RIGHT,
          REVERSE,
          LIKE,
          ILIKE,
          STARTS_WITH,
          EXTRACT,
          DATE_TRUNC,
          DATE_ADD,
          DATE_DIFF ->
          true;
      default -> false;
    };
  }
}
