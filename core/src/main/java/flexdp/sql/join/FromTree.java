package flexdp.sql.join;

import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import flexdp.failure.Position;
import java.util.List;

/**
 * FROM before the order of its inner joins is chosen: {@link JoinTreeBuilder} makes a relation of
 * it once the conditions of WHERE are known.
 */
public sealed interface FromTree {
  Position at();

  /** A table or subquery, whole. */
  record Leaf(Relation relation, Position at) implements FromTree {}

  /** Parts that are combined row by row, in any order, where all conjuncts are true. */
  record Inner(List<FromTree> parts, List<Expr> conjuncts, Position at) implements FromTree {}

  /** LEFT or FULL; the order of the sides matters. */
  record Outer(Relation.JoinKind kind, FromTree left, FromTree right, List<Expr> on, Position at)
      implements FromTree {}
}
