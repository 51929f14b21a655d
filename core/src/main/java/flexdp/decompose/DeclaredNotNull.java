package flexdp.decompose;

import flexdp.algebra.AggregateCall;
import flexdp.algebra.Expr;
import flexdp.algebra.NullRejection;
import flexdp.algebra.Relation;
import flexdp.failure.TimeBudget;
import flexdp.properties.ImpliedPredicates;
import flexdp.properties.Lineage;

/**
 * Which values are never NULL, from the structure of the question and declarations alone, for the
 * labels that are listed: a row that has NULL all the same is left out like any row whose label is
 * not listed. The least of a group is not NULL where no row of it is: a group has rows.
 */
final class DeclaredNotNull {
  private DeclaredNotNull() {}

  static boolean is(Expr expr, Relation over) {
    TimeBudget.step();
    return !NullRejection.possible(expr, id -> !isColumn(id, over));
  }

  private static boolean isColumn(int id, Relation over) {
    if (over.columns().stream().noneMatch(c -> c.id() == id)) {
      return false;
    }
    if (over.columns().stream().anyMatch(c -> c.id() == id && !c.nullable())
        || ImpliedPredicates.of(over).stream()
            .anyMatch(f -> NullRejection.refusedWhereTrue(f).get(id))) {
      return true;
    }
    Lineage lineage = Lineage.of(over, id);
    if (lineage.padded()) {
      return false;
    }
    if (lineage.relation() instanceof Relation.Project project) {
      return project.outputs().stream()
          .anyMatch(o -> o.column().id() == id && is(o.expr(), project.input()));
    }
    return lineage.relation() instanceof Relation.Aggregate aggregate
        && hasRows(aggregate)
        && lineage.chosen(aggregate).filter(call -> isOfAll(call, aggregate)).isPresent();
  }

  /** Every group is made of rows; without keys there is a group of none. */
  private static boolean hasRows(Relation.Aggregate aggregate) {
    return !aggregate.keys().isEmpty()
        && aggregate.groupingSets().stream().noneMatch(set -> set.isEmpty());
  }

  private static boolean isOfAll(AggregateCall call, Relation.Aggregate aggregate) {
    return call.filter().isEmpty()
        && call.argument().filter(argument -> is(argument, aggregate.input())).isPresent();
  }
}
