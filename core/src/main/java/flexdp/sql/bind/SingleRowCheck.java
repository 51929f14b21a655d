package flexdp.sql.bind;

import flexdp.algebra.Relation;

/** Which relations have one row at most, whatever the database holds. */
final class SingleRowCheck {
  private SingleRowCheck() {}

  static boolean atMost(Relation relation) {
    return switch (relation) {
      case Relation.Aggregate a -> isWhole(a);
      case Relation.Values v -> v.rows().size() <= 1;
      case Relation.Limit l ->
          l.count().isPresent() && l.count().getAsLong() <= 1 || atMost(l.input());
      case Relation.Project p -> atMost(p.input());
      case Relation.Join j -> j.kind() != Relation.JoinKind.FULL && both(j);
      case Relation.Selection s -> atMost(s.input());
      case Relation.Extension e -> atMost(e.input());
      case Relation.SetOperation ignored -> false;
      case Relation.Leaf ignored -> false;
    };
  }

  private static boolean both(Relation.Join join) {
    return atMost(join.left()) && atMost(join.right());
  }

  /** Exactly one row, always. */
  static boolean always(Relation relation) {
    return switch (relation) {
      case Relation.Aggregate a -> isWhole(a) && a.having().isEmpty();
      case Relation.Values v -> v.rows().size() == 1;
      case Relation.Project p -> always(p.input());
      case Relation.Distinct d -> always(d.input());
      case Relation.Extension e -> always(e.input());
      case Relation.Join j ->
          both(j)
              && always(j.left())
              && (j.kind() == Relation.JoinKind.LEFT
                  || j.condition().equals(flexdp.algebra.Expr.Literal.TRUE) && always(j.right()));
      case Relation.Limit l ->
          l.offset() == 0
              && (l.count().isEmpty() || l.count().getAsLong() > 0)
              && always(l.input());
      case Relation.Leaf ignored -> false;
      case Relation.Selection ignored -> false;
      case Relation.SetOperation ignored -> false;
    };
  }

  private static boolean isWhole(Relation.Aggregate aggregate) {
    return aggregate.keys().isEmpty() && aggregate.groupingSets().size() == 1;
  }
}
