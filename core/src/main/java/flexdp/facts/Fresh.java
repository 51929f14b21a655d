package flexdp.facts;

import flexdp.algebra.Column;
import flexdp.algebra.Relation;
import flexdp.algebra.Subquery;
import flexdp.algebra.Tree;
import flexdp.policy.Type;

/** Hands out columns with ids that the bound query does not use yet. */
public final class Fresh {
  private int next;

  public Fresh(Relation root) {
    Tree.visit(root, this::see);
    next++;
  }

  public Column column(String name, Type type, boolean nullable) {
    return new Column(next++, name, type, nullable);
  }

  private void see(Relation relation) {
    for (Column column : relation.columns()) {
      see(column);
    }
    switch (relation) {
      case Relation.Aggregate a -> a.calls().forEach(c -> see(c.output()));
      case Relation.Where w -> w.subqueries().forEach(this::see);
      case Relation.Attach a -> a.subqueries().forEach(this::see);
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
  }

  private void see(Subquery subquery) {
    see(subquery.output());
    if (subquery instanceof Subquery.Scalar scalar) {
      scalar.calls().forEach(c -> see(c.output()));
    }
  }

  private void see(Column column) {
    next = Math.max(next, column.id());
  }
}
