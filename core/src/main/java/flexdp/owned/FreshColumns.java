package flexdp.owned;

import flexdp.algebra.Column;
import flexdp.algebra.Relation;
import flexdp.algebra.Subquery;
import flexdp.algebra.Tree;
import flexdp.policy.Type;
import java.util.List;

/** FreshColumns of columns that nothing in a question has. */
public final class FreshColumns {
  private int last;

  private FreshColumns(int last) {
    this.last = last;
  }

  /** Beyond those of some relations and of these columns. */
  public static FreshColumns beyond(List<Relation> relations, List<Column> columns) {
    FreshColumns ids = new FreshColumns(0);
    columns.forEach(ids::pass);
    for (Relation relation : relations) {
      Tree.visit(
          relation,
          r -> {
            r.columns().forEach(ids::pass);
            switch (r) {
              case Relation.Where where -> where.subqueries().forEach(ids::pass);
              case Relation.Attach attach -> attach.subqueries().forEach(ids::pass);
              case Relation.Aggregate a -> a.calls().forEach(c -> ids.pass(c.output()));
              case Relation.Scan ignored -> {}
              case Relation.Values ignored -> {}
              case Relation.Filter ignored -> {}
              case Relation.Project ignored -> {}
              case Relation.Join ignored -> {}
              case Relation.Distinct ignored -> {}
              case Relation.SetOperation ignored -> {}
              case Relation.Limit ignored -> {}
              case Relation.TopRows ignored -> {}
              case Relation.Window ignored -> {}
              case Relation.Released ignored -> {}
            }
          });
    }
    return ids;
  }

  private void pass(Subquery subquery) {
    pass(subquery.output());
    if (subquery instanceof Subquery.Scalar scalar) {
      scalar.calls().forEach(call -> pass(call.output()));
    }
  }

  private void pass(Column column) {
    last = Math.max(last, column.id());
  }

  Column fresh(String name, Type type, boolean nullable) {
    last++;
    return new Column(last, name, type, nullable);
  }
}
