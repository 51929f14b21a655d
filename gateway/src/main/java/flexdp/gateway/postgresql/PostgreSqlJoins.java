package flexdp.gateway.postgresql;

import flexdp.algebra.Column;
import flexdp.algebra.Equalities;
import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.algebra.Tree;
import java.util.Set;
import java.util.stream.Collectors;

/** Which joins PostgreSQL can do: a FULL JOIN finds partners by an equality between the sides. */
final class PostgreSqlJoins {
  private PostgreSqlJoins() {}

  /** IS NOT DISTINCT FROM is no equality to it, and neither are several of which one holds. */
  static boolean isByEquality(Relation.Join join) {
    Set<Integer> left = ids(join.left());
    Set<Integer> right = ids(join.right());
    return Equalities.conjuncts(join.condition()).stream()
        .anyMatch(
            c ->
                c instanceof Expr.Call call
                    && call.function() == Function.EQ
                    && (isBetween(call, left, right) || isBetween(call, right, left)));
  }

  private static boolean isBetween(Expr.Call call, Set<Integer> one, Set<Integer> other) {
    Set<Integer> first = Tree.references(call.arguments().get(0));
    Set<Integer> second = Tree.references(call.arguments().get(1));
    return !first.isEmpty()
        && !second.isEmpty()
        && one.containsAll(first)
        && other.containsAll(second);
  }

  private static Set<Integer> ids(Relation relation) {
    return relation.columns().stream().map(Column::id).collect(Collectors.toSet());
  }
}
