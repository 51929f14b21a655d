package flexdp.gateway.render;

import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Expr;
import flexdp.algebra.Function.NullRule;
import flexdp.algebra.Relation;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Whether a bound of a statement may rest on a column's never being NULL: where NULL is a value
 * like others (partitions, IS NOT DISTINCT FROM), where it takes part in an order that is to be
 * total, and where LEAST and GREATEST pass over it. Elsewhere NULL matches nothing, is dropped or
 * adds nothing, whatever was declared; NOT IN is asked as NOT EXISTS.
 */
final class NullSensitivity {
  private NullSensitivity() {}

  static boolean in(Relation root, List<Expr> read) {
    AtomicBoolean found = new AtomicBoolean();
    AlgebraWalker.visit(
        root,
        relation -> {
          boolean ordered =
              relation instanceof Relation.Window
                  || relation instanceof Relation.TopRows
                  || relation instanceof Relation.Limit;
          if (ordered) {
            found.set(true);
          }
          AlgebraWalker.expressions(relation, e -> look(e, found));
        });
    read.forEach(e -> look(e, found));
    return found.get();
  }

  private static void look(Expr expr, AtomicBoolean found) {
    AlgebraWalker.parts(
        expr,
        part -> {
          if (part instanceof Expr.Call call && counts(call.function().nulls())) {
            found.set(true);
          }
        });
  }

  private static boolean counts(NullRule rule) {
    return switch (rule) {
      case AS_VALUE, PASSED_OVER -> true;
      case STRICT, FIRST, LOGIC, FALLBACK, ASKED, UNSTATED -> false;
    };
  }
}
