package flexdp.question;

import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import flexdp.policy.Type;
import java.util.List;

/**
 * Shows that an expression is never NULL, from what the database proves of its columns. Stricter
 * than {@link Nullability}, which believes declarations and takes functions to be defined
 * everywhere: the month of an infinite date is NULL, and so is a comparison that would overflow.
 */
final class NotNullProof {
  /** As many digits as every database compares without loss. */
  private static final int MOST_DIGITS = 38;

  private final NeverNull columns;

  NotNullProof(NeverNull columns) {
    this.columns = columns;
  }

  boolean holds(Expr expr, Relation over) {
    return switch (expr) {
      case Expr.Literal literal -> !literal.isNull();
      case Expr.Ref ref -> holds(Lineage.of(over, ref.column()));
      case Expr.Cast ignored -> false;
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
      case EQ, NE, LT, LE, GT, GE, IN_LIST ->
          arguments.stream()
              .allMatch(a -> holds(a, over) && isTotal(arguments.getFirst().type(), a.type()));
      default -> false;
    };
  }

  /** Whether every pair of such values can be compared. */
  private static boolean isTotal(Type one, Type two) {
    if (one.isExact() && two.isExact()) {
      int whole = Math.max(digits(one) - one.scale(), digits(two) - two.scale());
      return whole + Math.max(one.scale(), two.scale()) <= MOST_DIGITS;
    }
    return one.kind() == two.kind()
        || one.isNumeric() && two.isNumeric()
        || one.isDateTime() && two.isDateTime();
  }

  private static int digits(Type type) {
    return type.kind() == Type.Kind.DECIMAL ? type.precision() : 19;
  }
}
