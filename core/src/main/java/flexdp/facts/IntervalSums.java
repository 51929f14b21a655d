package flexdp.facts;

import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.algebra.Tree;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;

/**
 * Refuses lengths of time made of months and days. Databases hold a month to be equal to 30 days,
 * but a date moved by one differs from a date moved by the other: equal values would not be the
 * same (guarantee §12).
 */
public final class IntervalSums {
  private IntervalSums() {}

  public static void check(Relation root) {
    Tree.visit(root, r -> Tree.expressions(r, e -> Tree.parts(e, IntervalSums::check)));
  }

  private static void check(Expr expr) {
    if (expr instanceof Expr.Call call
        && call.function() == Function.PLUS
        && call.type().isInterval()
        && call.arguments().stream().anyMatch(a -> !a.type().equals(call.type()))) {
      throw Rejection.of(
          RejectionCode.TYPE_MISMATCH,
          "Months and days do not add up to one length of time.",
          "Add them to a date one after the other, as in d + interval '1 month' + interval '1"
              + " day'.");
    }
  }
}
