package flexdp.question;

import flexdp.algebra.Conversions;
import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import java.util.List;

/**
 * Shows that an expression is never NULL, from what the database proves of its columns. Stricter
 * than {@link Nullability}, which believes declarations and takes functions to be defined
 * everywhere: the month of an infinite date is NULL, and so is a conversion that would overflow.
 */
final class NotNullProof {
  private final NeverNull columns;

  NotNullProof(NeverNull columns) {
    this.columns = columns;
  }

  boolean holds(Expr expr, Relation over) {
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
    List<Expr> arguments = call.arguments();
    return switch (call.function()) {
      case IS_DISTINCT,
          IS_NOT_DISTINCT,
          IS_NULL,
          IS_NOT_NULL,
          IS_TRUE,
          IS_NOT_TRUE,
          IS_FALSE,
          IS_NOT_FALSE ->
          true;
      case AND, OR, NOT -> arguments.stream().allMatch(a -> holds(a, over));
      case EQ, NE, LT, LE, GT, GE, IN_LIST -> arguments.stream().allMatch(a -> holds(a, over));
      default -> false;
    };
  }
}
