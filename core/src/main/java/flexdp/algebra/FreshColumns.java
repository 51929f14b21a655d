package flexdp.algebra;

import flexdp.policy.Type;
import java.util.List;

/** Hands out columns with ids that nothing in a question has yet. */
public final class FreshColumns {
  private int next;

  public FreshColumns(Relation root) {
    this(List.of(root), List.of());
  }

  /** Beyond those of some relations and of these columns. */
  public FreshColumns(List<Relation> relations, List<Column> columns) {
    columns.forEach(this::see);
    relations.forEach(relation -> AlgebraWalker.visit(relation, this::see));
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
      case Relation.Leaf ignored -> {}
      case Relation.Unary ignored -> {}
      case Relation.Binary ignored -> {}
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
