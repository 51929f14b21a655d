package flexdp.sql.bind;

import flexdp.algebra.Column;
import flexdp.algebra.Equalities;
import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.sql.join.FromTree;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Conditions that at most one row of a table can meet: equality with a declared unique key. */
final class UniqueRowCheck {
  private UniqueRowCheck() {}

  static boolean isPicked(FromTree tree, List<Expr> conditions) {
    if (!(tree instanceof FromTree.Leaf leaf) || !(leaf.relation() instanceof Relation.Scan scan)) {
      return false;
    }
    Set<String> bound = new HashSet<>();
    Set<Integer> mine = new HashSet<>();
    scan.columns().forEach(c -> mine.add(c.id()));
    for (Expr condition : conditions) {
      for (Column column : scan.columns()) {
        if (isEqualTo(condition, column.id(), mine) || isConstant(condition, column.id())) {
          bound.add(column.name());
        }
      }
    }
    return scan.table().uniqueKeys().stream().anyMatch(bound::containsAll);
  }

  private static boolean isConstant(Expr condition, int column) {
    return condition instanceof Expr.Call call
        && call.function() == Function.EQ
        && (isPair(call.arguments().get(0), call.arguments().get(1), column)
            || isPair(call.arguments().get(1), call.arguments().get(0), column));
  }

  private static boolean isPair(Expr one, Expr other, int column) {
    return one instanceof Expr.Ref ref && ref.column() == column && other instanceof Expr.Literal;
  }

  private static boolean isEqualTo(Expr condition, int column, Set<Integer> mine) {
    if (!(condition instanceof Expr.Call call) || call.function() != Function.EQ) {
      return false;
    }
    Set<Integer> others = new HashSet<>();
    Exprs.reads(condition).stream().filter(id -> !mine.contains(id)).forEach(others::add);
    return Equalities.of(condition, Set.of(column), others).size() == 1;
  }
}
