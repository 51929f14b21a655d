package flexdp.properties;

import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Equalities;
import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The predicates that are true of every row of a relation, whatever the data: conjuncts of filters
 * and inner joins below it that still speak of columns the relation has.
 */
public final class ImpliedPredicates {
  private ImpliedPredicates() {}

  public static List<Expr> of(Relation relation) {
    List<Expr> all = new ArrayList<>();
    collect(relation, all);
    Set<Integer> present = new HashSet<>();
    relation.columns().forEach(c -> present.add(c.id()));
    all.removeIf(e -> !present.containsAll(AlgebraWalker.references(e)));
    return all;
  }

  private static void collect(Relation relation, List<Expr> into) {
    switch (relation) {
      case Relation.Leaf ignored -> {}
      case Relation.Filter r -> {
        into.addAll(Equalities.conjuncts(r.predicate()));
        collect(r.input(), into);
      }
      case Relation.Project r -> collect(r.input(), into);
      case Relation.Join r -> {
        switch (r.kind()) {
          case INNER -> {
            into.addAll(Equalities.conjuncts(r.condition()));
            collect(r.left(), into);
            collect(r.right(), into);
          }
          case LEFT -> collect(r.left(), into);
          case FULL -> {}
        }
      }
      case Relation.Where r -> {
        into.addAll(Equalities.conjuncts(r.predicate()));
        collect(r.input(), into);
      }
      case Relation.Selection r -> collect(r.input(), into);
      case Relation.Extension r -> collect(r.input(), into);
      case Relation.Aggregate r -> {
        // A key is NULL in the rows of a grouping set that lacks it, and no rows make one row.
        if (r.groupingSets().size() == 1 && !r.keys().isEmpty()) {
          collect(r.input(), into);
          r.having().ifPresent(h -> into.addAll(Equalities.conjuncts(h)));
        }
      }
      case Relation.SetOperation ignored -> {}
    }
  }
}
