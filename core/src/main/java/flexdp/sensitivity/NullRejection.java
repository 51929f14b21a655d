package flexdp.sensitivity;

import flexdp.algebra.Equalities;
import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import java.util.EnumSet;
import java.util.Set;
import java.util.TreeSet;

/** Which columns cannot be NULL in a row for which a condition is true. */
final class NullRejection {
  /** NULL whenever one of their arguments is. What a database may treat otherwise is left out. */
  private static final Set<Function> STRICT =
      EnumSet.of(
          Function.EQ,
          Function.NE,
          Function.LT,
          Function.LE,
          Function.GT,
          Function.GE,
          Function.NOT,
          Function.PLUS,
          Function.MINUS,
          Function.TIMES,
          Function.DIVIDE,
          Function.MOD,
          Function.NEGATE,
          Function.ABS,
          Function.LIKE);

  private NullRejection() {}

  /** The columns that are not NULL where the condition is true. */
  static Set<Integer> whenTrue(Expr condition) {
    Set<Integer> columns = new TreeSet<>();
    for (Expr conjunct : Equalities.conjuncts(condition)) {
      if (conjunct instanceof Expr.Call call) {
        columns.addAll(ofCall(call));
      } else {
        columns.addAll(whenNotNull(conjunct));
      }
    }
    return columns;
  }

  private static Set<Integer> ofCall(Expr.Call call) {
    if (call.function() == Function.OR) {
      Set<Integer> common = null;
      for (Expr disjunct : Equalities.disjuncts(call)) {
        Set<Integer> some = whenTrue(disjunct);
        if (common == null) {
          common = new TreeSet<>(some);
        } else {
          common.retainAll(some);
        }
      }
      return common;
    }
    if (call.function() == Function.IS_TRUE) {
      return whenTrue(call.arguments().get(0));
    }
    if (call.function() == Function.IS_NOT_NULL
        || call.function() == Function.IS_FALSE
        || call.function() == Function.IN_LIST) {
      return whenNotNull(call.arguments().get(0));
    }
    if (call.function() == Function.NOT
        && call.arguments().get(0) instanceof Expr.Call inner
        && inner.function() == Function.IS_NULL) {
      return whenNotNull(inner.arguments().get(0));
    }
    return whenNotNull(call);
  }

  /** The columns that are not NULL where the expression is not. */
  static Set<Integer> whenNotNull(Expr expr) {
    return switch (expr) {
      case Expr.Ref ref -> Set.of(ref.column());
      case Expr.Cast cast -> whenNotNull(cast.operand());
      case Expr.Call call -> {
        Set<Integer> columns = new TreeSet<>();
        if (STRICT.contains(call.function())) {
          call.arguments().forEach(argument -> columns.addAll(whenNotNull(argument)));
        } else if (call.function() == Function.IN_LIST || call.function() == Function.NULLIF) {
          columns.addAll(whenNotNull(call.arguments().get(0)));
        }
        yield columns;
      }
      case Expr.Literal ignored -> Set.of();
      case Expr.Case ignored -> Set.of();
    };
  }
}
