package flexdp.sql.bind;

import flexdp.algebra.AggregateCall;
import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.NullRejection;
import flexdp.algebra.Relation;
import flexdp.failure.Position;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.sql.function.ColumnIdSequence;
import flexdp.sql.join.FromTree;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Groups rows, and turns expressions over the rows into expressions over the groups. */
final class GroupedExpressions {
  private final GroupByBinder grouping;
  private final SelectAggregates aggregation;
  private final SelectBlock block;
  private final ColumnIdSequence ids;
  private final List<Column> columns = new ArrayList<>();

  GroupedExpressions(
      GroupByBinder grouping,
      SelectAggregates aggregation,
      SelectBlock block,
      ColumnIdSequence ids) {
    this.grouping = grouping;
    this.aggregation = aggregation;
    this.block = block;
    this.ids = ids;
  }

  /**
   * Makes keys of columns that the keys determine: those of a table whose declared unique key,
   * without NULLs, is grouped by. The groups stay the same.
   */
  void admit(Expr expr) {
    if (grouping.sets().size() == 1 && !grouping.keys().isEmpty()) {
      AlgebraWalker.rewrite(
          expr,
          e -> {
            if (grouping.keys().contains(e)) {
              return Optional.of(e);
            }
            if (e instanceof Expr.Ref ref && block.owns(ref.column())) {
              if (isDetermined(block.tree(), ref.column())) {
                grouping.addDependent(ref, ids.name(ref.column()));
              }
              return Optional.of(e);
            }
            return Optional.empty();
          });
    }
  }

  private boolean isDetermined(FromTree tree, int column) {
    return switch (tree) {
      case FromTree.Leaf leaf ->
          leaf.relation() instanceof Relation.Scan scan && isDetermined(scan, column);
      case FromTree.Inner inner ->
          inner.parts().stream().anyMatch(part -> isDetermined(part, column));
      case FromTree.Outer outer ->
          isDetermined(outer.left(), column) || isDetermined(outer.right(), column);
    };
  }

  private boolean isDetermined(Relation.Scan scan, int column) {
    Set<String> grouped = new HashSet<>();
    boolean mine = false;
    for (Column c : scan.columns()) {
      mine |= c.id() == column;
      if (!c.nullable() && grouping.keys().contains(c.ref())) {
        grouped.add(c.name());
      }
    }
    return mine && scan.table().uniqueKeys().stream().anyMatch(grouped::containsAll);
  }

  Relation aggregate(Relation rows, List<Expr> having, Position at) {
    List<Relation.Project.Output> computed = new ArrayList<>();
    for (int i = 0; i < grouping.keys().size(); i++) {
      Expr key = grouping.keys().get(i);
      String name = grouping.names().get(i);
      if (key instanceof Expr.Ref ref) {
        columns.add(ids.seen(ref.column(), name));
      } else {
        Column column = ids.column(name, key.type(), NullRejection.possible(key, ids::isNullable));
        columns.add(column);
        computed.add(new Relation.Project.Output(column, key));
      }
    }
    List<Column> visible = new ArrayList<>();
    for (AggregateCall call : aggregation.calls()) {
      visible.add(call.output());
    }
    List<Column> keys = List.copyOf(columns);
    padMissing();
    Optional<Expr> condition = Optional.empty();
    if (!having.isEmpty()) {
      List<Expr> terms = new ArrayList<>();
      for (Expr term : having) {
        terms.add(rewrite(term));
      }
      condition = Optional.of(Exprs.and(terms));
    }
    return new Relation.Aggregate(
        project(rows, computed),
        keys,
        grouping.sets(),
        aggregation.calls(),
        groupingIds(),
        condition,
        visible,
        at);
  }

  private static Relation project(Relation rows, List<Relation.Project.Output> computed) {
    if (computed.isEmpty()) {
      return rows;
    }
    List<Relation.Project.Output> outputs = new ArrayList<>();
    for (Column column : rows.columns()) {
      outputs.add(new Relation.Project.Output(column, column.ref()));
    }
    outputs.addAll(computed);
    return new Relation.Project(rows, outputs);
  }

  /** A key that some grouping set lacks is NULL in that set's rows. */
  private void padMissing() {
    for (int i = 0; i < columns.size(); i++) {
      for (List<Integer> set : grouping.sets()) {
        if (!set.contains(i)) {
          ids.pad(columns.get(i).id());
        }
      }
    }
  }

  private List<Relation.Aggregate.GroupingId> groupingIds() {
    List<Relation.Aggregate.GroupingId> all = new ArrayList<>();
    for (SelectAggregates.GroupingCall call : aggregation.groupings()) {
      List<Integer> keys = new ArrayList<>();
      for (Expr key : call.keys()) {
        int index = grouping.keys().indexOf(key);
        if (index < 0) {
          throw Rejection.of(
              RejectionCode.INVALID_GROUPING,
              "GROUPING asks about something that is not in GROUP BY.",
              "Name an expression of GROUP BY.",
              call.at());
        }
        keys.add(index);
      }
      all.add(new Relation.Aggregate.GroupingId(call.output(), keys));
    }
    return all;
  }

  /** An expression read from the groups. */
  Expr rewrite(Expr expr) {
    return AlgebraWalker.rewrite(expr, this::replace);
  }

  private Optional<Expr> replace(Expr expr) {
    if (expr instanceof Expr.Literal) {
      return Optional.of(expr);
    }
    int key = grouping.keys().indexOf(expr);
    if (key >= 0) {
      return Optional.of(columns.get(key).ref());
    }
    if (expr instanceof Expr.Ref ref && block.owns(ref.column())) {
      throw notGrouped(ids.name(ref.column()));
    }
    return Optional.empty();
  }

  static Rejection notGrouped(String column) {
    return Rejection.of(
        RejectionCode.INVALID_GROUPING,
        "The column '" + column + "' is neither grouped nor aggregated.",
        "Add it to GROUP BY, or use an aggregate such as MIN(" + column + ").");
  }
}
