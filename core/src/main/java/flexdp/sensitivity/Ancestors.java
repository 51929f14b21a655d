package flexdp.sensitivity;

import flexdp.algebra.Relation;
import flexdp.algebra.Subquery;
import java.util.ArrayList;
import java.util.List;

/** What a relation is made of. */
final class Ancestors {
  private Ancestors() {}

  /** The relations an operator reads, subqueries included. */
  static List<Relation> inputs(Relation relation) {
    return switch (relation) {
      case Relation.Scan ignored -> List.of();
      case Relation.Values ignored -> List.of();
      case Relation.Released ignored -> List.of();
      case Relation.Filter filter -> List.of(filter.input());
      case Relation.Project project -> List.of(project.input());
      case Relation.Join join -> List.of(join.left(), join.right());
      case Relation.Where where -> with(where.input(), where.subqueries());
      case Relation.Attach attach -> with(attach.input(), attach.subqueries());
      case Relation.Distinct distinct -> List.of(distinct.input());
      case Relation.Aggregate aggregate -> List.of(aggregate.input());
      case Relation.SetOperation set -> List.of(set.left(), set.right());
      case Relation.Limit limit -> List.of(limit.input());
      case Relation.TopRows top -> List.of(top.input());
      case Relation.Window window -> List.of(window.input());
    };
  }

  private static List<Relation> with(Relation input, List<? extends Subquery> subqueries) {
    List<Relation> all = new ArrayList<>(List.of(input));
    subqueries.forEach(subquery -> all.add(subquery.relation()));
    return all;
  }
}
