package flexdp.gateway.render;

import flexdp.algebra.AggregateCall;
import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import flexdp.algebra.SortKey;
import flexdp.algebra.Subquery;
import flexdp.failure.TimeBudget;
import flexdp.gateway.render.FirstRowsRenderer.FirstOfHash;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The columns that something in a relation reads, by id. Of the first rows in the order of a hash
 * few columns may be shown, while the hash reads them all.
 */
final class NeededColumns {
  private final Set<Integer> ids = new HashSet<>();
  private final Set<Integer> shown = new HashSet<>();

  private NeededColumns() {}

  /** What the relation reads within itself, and the columns and expressions asked of it. */
  static NeededColumns of(Relation relation, List<Column> asked, List<Expr> read) {
    NeededColumns needed = new NeededColumns();
    needed.add(asked);
    read.forEach(needed::visit);
    needed.visit(relation);
    return needed;
  }

  boolean contains(Column column) {
    return ids.contains(column.id());
  }

  /** Whether a column of {@link FirstOfHash} is read by anything but its own order. */
  boolean isShown(Column column) {
    return shown.contains(column.id());
  }

  private void add(List<Column> columns) {
    columns.forEach(c -> ids.add(c.id()));
  }

  private void visit(Relation relation) {
    TimeBudget.step();
    switch (relation) {
      case Relation.Leaf ignored -> {}
      case Relation.Filter filter -> {
        visit(filter.predicate());
        visit(filter.input());
      }
      case Relation.Project project -> visit(project);
      case Relation.Join join -> {
        visit(join.condition());
        visit(join.left());
        visit(join.right());
      }
      case Relation.Where where -> {
        visit(where.predicate());
        where.subqueries().forEach(this::visit);
        visit(where.input());
      }
      case Relation.Attach attach -> {
        attach.subqueries().forEach(this::visit);
        visit(attach.input());
      }
      case Relation.Distinct distinct -> {
        add(distinct.columns());
        visit(distinct.input());
      }
      case Relation.Aggregate aggregate -> {
        add(aggregate.keys());
        aggregate.calls().forEach(this::visit);
        aggregate.having().ifPresent(this::visit);
        visit(aggregate.input());
      }
      case Relation.SetOperation operation -> {
        add(operation.left().columns());
        add(operation.right().columns());
        visit(operation.left());
        visit(operation.right());
      }
      case Relation.Limit limit -> {
        limit.order().forEach(this::visit);
        visit(limit.input());
      }
      case Relation.TopRows top -> {
        top.columns().forEach(c -> shown.add(c.id()));
        visitRanked(top);
      }
      case Relation.Window window -> {
        window
            .calls()
            .forEach(
                call -> {
                  call.aggregate().ifPresent(this::visit);
                  call.arguments().forEach(this::visit);
                  call.partition().forEach(this::visit);
                  call.order().forEach(this::visit);
                });
        visit(window.input());
      }
    }
  }

  /** Everything above was visited before, so that it is known what of the first rows is asked. */
  private void visit(Relation.Project project) {
    if (project.input() instanceof Relation.TopRows top && FirstOfHash.is(top)) {
      for (Relation.Project.Output output : project.outputs()) {
        if (contains(output.column())) {
          visit(output.expr());
          AlgebraWalker.references(output.expr()).forEach(shown::add);
        }
      }
      visitRanked(top);
    } else {
      project.outputs().forEach(o -> visit(o.expr()));
      visit(project.input());
    }
  }

  private void visitRanked(Relation.TopRows top) {
    top.ranks().forEach(rank -> rank.partition().forEach(this::visit));
    top.order().forEach(this::visit);
    visit(top.input());
  }

  private void visit(Subquery subquery) {
    visit(subquery.condition());
    if (subquery instanceof Subquery.Scalar scalar) {
      scalar.calls().forEach(this::visit);
      visit(scalar.value());
    }
    visit(subquery.relation());
  }

  private void visit(AggregateCall call) {
    call.argument().ifPresent(this::visit);
    call.filter().ifPresent(this::visit);
  }

  private void visit(SortKey key) {
    visit(key.expr());
  }

  private void visit(Expr expr) {
    AlgebraWalker.references(expr, ids::add);
  }
}
