package flexdp.facts;

import flexdp.algebra.Conversions;
import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.algebra.Nulls;
import flexdp.algebra.Relation;

/**
 * Shows that an expression is never NULL, from what the database proves of its columns. Stricter
 * than {@link Nulls}, which believes declarations and takes days to be those of the calendar: the
 * labels that rest on this proof are said to be complete, whatever the rows hold. The month of an
 * infinite date is NULL, and so is a conversion that would overflow.
 */
public final class NotNullProof {
  private final NeverNull columns;

  public NotNullProof(NeverNull columns) {
    this.columns = columns;
  }

  public boolean holds(Expr expr, Relation over) {
    return switch (expr) {
      case Expr.Literal literal -> !literal.isNull();
      case Expr.Ref ref -> holds(Lineage.of(over, ref.column()));
      // A day beyond all timestamps has none; numbers have no such surprises.
      case Expr.Cast cast ->
          cast.type().isNumeric()
              && Conversions.isInjective(cast.operand().type(), cast.type())
              && holds(cast.operand(), over);
      case Expr.Case c ->
          c.otherwise().isPresent()
              && holds(c.otherwise().get(), over)
              && c.branches().stream().allMatch(b -> holds(b.value(), over));
      case Expr.Call call -> holds(call, over);
    };
  }

  private boolean holds(Lineage lineage) {
    if (lineage.padded()) {
      return false;
    }
    if (lineage.relation() instanceof Relation.Scan scan) {
      return lineage
          .spec()
          .filter(spec -> !spec.nullable() && columns.isProven(scan.table(), spec))
          .isPresent();
    }
    return lineage.relation() instanceof Relation.Project project
        && project.outputs().stream()
            .filter(o -> o.column().id() == lineage.column().id())
            .anyMatch(o -> holds(o.expr(), project.input()));
  }

  private boolean holds(Expr.Call call, Relation over) {
    return switch (call.function().nulls()) {
      case ASKED, AS_VALUE -> true;
      case LOGIC -> call.arguments().stream().allMatch(a -> holds(a, over));
      case STRICT, FIRST ->
          isComparison(call.function()) && call.arguments().stream().allMatch(a -> holds(a, over));
      case FALLBACK, PASSED_OVER, UNSTATED -> false;
    };
  }

  /** Defined for all values there are, also for those beyond every calendar. */
  private static boolean isComparison(Function function) {
    return function == Function.NOT
        || function == Function.IN_LIST
        || function.mirrored().isPresent();
  }
}
