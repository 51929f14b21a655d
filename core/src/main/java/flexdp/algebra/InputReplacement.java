package flexdp.algebra;

import java.util.function.UnaryOperator;

/** An operator over other inputs, subqueries included. */
public final class InputReplacement {
  private InputReplacement() {}

  public static Relation replaced(Relation relation, UnaryOperator<Relation> by) {
    return switch (relation) {
      case Relation.Leaf leaf -> leaf;
      case Relation.Filter r -> new Relation.Filter(by.apply(r.input()), r.predicate());
      case Relation.Project r -> new Relation.Project(by.apply(r.input()), r.outputs());
      case Relation.Join r ->
          new Relation.Join(
              r.kind(), by.apply(r.left()), by.apply(r.right()), r.condition(), r.at());
      case Relation.Where r ->
          new Relation.Where(
              by.apply(r.input()),
              r.subqueries().stream().map(s -> subquery(s, by)).toList(),
              r.predicate());
      case Relation.Attach r ->
          new Relation.Attach(
              by.apply(r.input()),
              r.subqueries().stream().map(s -> (Subquery.Scalar) subquery(s, by)).toList());
      case Relation.Distinct r -> new Relation.Distinct(by.apply(r.input()));
      case Relation.Aggregate r ->
          new Relation.Aggregate(
              by.apply(r.input()),
              r.keys(),
              r.groupingSets(),
              r.calls(),
              r.groupingIds(),
              r.having(),
              r.visible(),
              r.at());
      case Relation.SetOperation r ->
          new Relation.SetOperation(
              r.kind(), r.all(), by.apply(r.left()), by.apply(r.right()), r.columns(), r.at());
      case Relation.Limit r ->
          new Relation.Limit(by.apply(r.input()), r.order(), r.offset(), r.count(), r.at());
      case Relation.TopRows r -> r.over(by.apply(r.input()));
      case Relation.Window r -> new Relation.Window(by.apply(r.input()), r.calls(), r.traces());
    };
  }

  private static Subquery subquery(Subquery subquery, UnaryOperator<Relation> by) {
    return switch (subquery) {
      case Subquery.Exists e ->
          new Subquery.Exists(
              e.output(), e.negated(), by.apply(e.relation()), e.condition(), e.at());
      case Subquery.Scalar s ->
          new Subquery.Scalar(
              s.output(), by.apply(s.relation()), s.condition(), s.calls(), s.value(), s.at());
    };
  }
}
