package flexdp.sql.bind;

import flexdp.algebra.Column;
import flexdp.algebra.Conversions;
import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Function;
import flexdp.algebra.NullRejection;
import flexdp.algebra.Relation;
import flexdp.algebra.Subquery;
import flexdp.failure.Position;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.policy.Type;
import flexdp.sql.function.LiteralBinder;
import flexdp.sql.function.Rejections;
import flexdp.sql.function.TypeRules;
import flexdp.sql.rewrite.AverageOfGroups;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;

/** IN, EXISTS and scalar subqueries. */
final class SubqueryBinder {
  private final BindingContext binder;

  SubqueryBinder(BindingContext binder) {
    this.binder = binder;
  }

  /** Whether a query stands somewhere in the expression. */
  static boolean contains(SqlNode node) {
    List<SqlNode> stack = new ArrayList<>();
    stack.add(node);
    while (!stack.isEmpty()) {
      SqlNode next = stack.remove(stack.size() - 1);
      if (next == null) {
        continue;
      }
      if (next.isA(SqlKind.QUERY)) {
        return true;
      }
      if (next instanceof SqlCall call) {
        stack.addAll(call.getOperandList());
      } else if (next instanceof SqlNodeList list) {
        stack.addAll(list);
      }
    }
    return false;
  }

  static Rejection misplaced(SqlNode node) {
    return Rejections.of(
        RejectionCode.SUBQUERY_POSITION,
        "IN or EXISTS with a subquery is used for something other than filtering.",
        "Use it in WHERE or HAVING, under AND, OR and NOT only.",
        node);
  }

  /** The rows of a subquery, what it selects, and how it hangs on the query around. */
  private record Rows(Relation relation, List<Expr> items, List<Expr> correlated, BitSet notNull) {}

  private Rows rows(SqlNode query, ExpressionContext place) {
    if (essential(query) instanceof SqlSelect select && isPlain(select)) {
      SelectBlock block =
          binder.selects.block(select, place.ctes(), Optional.of(place.scope()), true);
      SelectListBinder list = new SelectListBinder(binder, select, block, place.ctes());
      if (!list.isAggregated() && !list.hasWindows()) {
        if (!list.isSimple()) {
          throw Rejections.of(
              RejectionCode.SUBQUERY_POSITION,
              "A subquery stands in the select list of a subquery of IN or EXISTS.",
              "Join with it in the subquery's FROM.",
              query);
        }
        BitSet notNull = new BitSet();
        for (Expr conjunct : block.conjuncts()) {
          notNull.or(NullRejection.refusedWhereTrue(conjunct));
        }
        return new Rows(block.relation(binder.ids), list.exprs(), block.correlated(), notNull);
      }
      if (!block.correlated().isEmpty()) {
        throw correlatedInside(query);
      }
      return rows(list.finish(List.of(), QueryBinder.RowLimit.NONE));
    }
    if (essential(query) instanceof SqlSelect select && isGrouped(select)) {
      return groups(select, place);
    }
    return rows(
        binder.queries.bind(
            query, place.ctes(), Optional.of(place.scope()), QueryBinder.Wanted.ROWS));
  }

  private static boolean isGrouped(SqlSelect select) {
    return select.getGroup() != null
        && select.getGroup().size() > 0
        && select.getQualify() == null
        && select.getFetch() == null
        && select.getOffset() == null;
  }

  /**
   * A grouped subquery. One that reads the query around by equalities is grouped by their inner
   * sides as well: its groups for one outer row are the groups with that row's values.
   */
  private Rows groups(SqlSelect select, ExpressionContext place) {
    SelectBlock block =
        binder.selects.block(select, place.ctes(), Optional.of(place.scope()), true);
    SelectListBinder list = new SelectListBinder(binder, select, block, place.ctes());
    int own = list.exprs().size();
    List<Expr> outer = new ArrayList<>();
    for (Expr condition : block.correlated()) {
      if (!(condition instanceof Expr.Call call) || call.function() != Function.EQ) {
        throw correlatedInside(select);
      }
      Expr left = call.arguments().get(0);
      Expr right = call.arguments().get(1);
      if (readsOnly(left, block) && readsNone(right, block)) {
        list.groupAlsoBy(left);
        outer.add(right);
      } else if (readsOnly(right, block) && readsNone(left, block)) {
        list.groupAlsoBy(right);
        outer.add(left);
      } else {
        throw correlatedInside(select);
      }
    }
    if (!outer.isEmpty() && list.hasWindows()) {
      throw correlatedInside(select);
    }
    Rows all = rows(list.finish(List.of(), QueryBinder.RowLimit.NONE));
    List<Expr> conditions = new ArrayList<>();
    for (int i = 0; i < outer.size(); i++) {
      conditions.add(Exprs.test(Function.EQ, all.items().get(own + i), outer.get(i)));
    }
    return new Rows(all.relation(), all.items().subList(0, own), conditions, new BitSet());
  }

  private static boolean readsOnly(Expr expr, SelectBlock block) {
    BitSet reads = Exprs.reads(expr);
    return !reads.isEmpty() && reads.stream().allMatch(block::owns);
  }

  private static boolean readsNone(Expr expr, SelectBlock block) {
    return Exprs.reads(expr).stream().noneMatch(block::owns);
  }

  private static Rows rows(Relation relation) {
    List<Expr> items = new ArrayList<>();
    for (Column column : relation.columns()) {
      items.add(column.ref());
    }
    return new Rows(relation, items, List.of(), new BitSet());
  }

  static Rejection correlatedInside(SqlNode query) {
    return Rejections.of(
        RejectionCode.SUBQUERY_CORRELATION,
        "A subquery that groups, limits or combines rows reads the query around.",
        "Group by the column in the subquery, and compare it outside with IN.",
        query);
  }

  /** A query without an ORDER BY that decides nothing. */
  private static SqlNode essential(SqlNode query) {
    SqlNode node = query;
    while (node instanceof SqlOrderBy order && order.fetch == null && order.offset == null) {
      node = order.query;
    }
    return node;
  }

  private static boolean isPlain(SqlSelect select) {
    return select.getGroup() == null
        && select.getHaving() == null
        && select.getQualify() == null
        && select.getFetch() == null
        && select.getOffset() == null;
  }

  Expr exists(SqlNode query, boolean negated, ExpressionContext place, SqlNode at) {
    SqlNode asked = query;
    if (query instanceof SqlOrderBy order
        && order.offset == null
        && LiteralBinder.whole(order.fetch) != null
        && LiteralBinder.whole(order.fetch).signum() > 0) {
      asked = order.query;
    }
    Rows rows = rows(asked, place);
    return add(negated, rows.relation(), rows.correlated(), place, at);
  }

  private Expr add(
      boolean negated,
      Relation relation,
      List<Expr> condition,
      ExpressionContext place,
      SqlNode at) {
    Column output = binder.ids.column("exists", Type.BOOLEAN, false);
    place
        .sink()
        .add(
            new Subquery.Exists(
                output, negated, relation, Exprs.and(condition), Rejections.at(at)));
    return output.ref();
  }

  /**
   * x IN (query), and NOT IN where no NULL can take part.
   *
   * @param notNull columns of the outer query that are not NULL wherever this matters
   */
  Expr in(
      SqlNode left,
      SqlNode query,
      boolean negated,
      ExpressionContext place,
      BitSet notNull,
      SqlNode at) {
    List<SqlNode> nodes =
        left.getKind() == SqlKind.ROW ? ((SqlCall) left).getOperandList() : List.of(left);
    List<Expr> values = new ArrayList<>();
    for (SqlNode node : nodes) {
      values.add(binder.expressions.bind(node, place));
    }
    Rows rows = rows(query, place);
    if (rows.items().size() != values.size()) {
      throw Rejections.types(
          "The subquery has " + rows.items().size() + " columns, not " + values.size() + ".",
          "Select as many columns as are compared.",
          Rejections.at(query));
    }
    List<Expr> condition = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      Expr.Call equal =
          (Expr.Call)
              TypeRules.compare(Function.EQ, values.get(i), rows.items().get(i), Rejections.at(at));
      Expr mine = equal.arguments().get(0);
      Expr theirs = equal.arguments().get(1);
      if (negated && (mayBeNull(mine, notNull) || mayBeNull(theirs, rows.notNull()))) {
        throw Rejections.of(
            RejectionCode.NOT_IN_NULLABLE,
            "NOT IN compares columns that may be NULL: one NULL would empty the answer.",
            "Write NOT EXISTS (SELECT 1 FROM … WHERE inner = outer), or declare both columns"
                + " NOT NULL.",
            at);
      }
      condition.add(equal);
    }
    condition.addAll(rows.correlated());
    return add(negated, rows.relation(), condition, place, at);
  }

  private boolean mayBeNull(Expr expr, BitSet notNull) {
    if (expr instanceof Expr.Cast cast && Conversions.isTotal(cast.operand().type(), cast.type())) {
      return mayBeNull(cast.operand(), notNull);
    }
    return NullRejection.possible(expr, binder.ids::isNullable)
        && !(expr instanceof Expr.Ref ref && notNull.get(ref.column()));
  }

  /** A subquery that stands for one value. */
  Expr scalar(SqlCall node, ExpressionContext place) {
    SqlNode query = node.getKind() == SqlKind.SCALAR_QUERY ? node.operand(0) : node;
    if (essential(query) instanceof SqlSelect written && isPlain(written)) {
      SqlSelect select =
          AverageOfGroups.rewritten(written, place.ctes()::standalone, binder.averagesWhole());
      SelectBlock block =
          binder.selects.block(select, place.ctes(), Optional.of(place.scope()), true);
      SelectListBinder list = new SelectListBinder(binder, select, block, place.ctes());
      requireOne(list.exprs().size(), query);
      if (!block.correlated().isEmpty()) {
        return correlated(block, list, place, query);
      }
      return single(list.finish(List.of(), QueryBinder.RowLimit.NONE), place, query);
    }
    Relation relation =
        binder.queries.bind(
            query, place.ctes(), Optional.of(place.scope()), QueryBinder.Wanted.ROWS);
    requireOne(relation.columns().size(), query);
    return single(relation, place, query);
  }

  private static void requireOne(int columns, SqlNode query) {
    if (columns != 1) {
      throw Rejections.of(
          RejectionCode.SUBQUERY_NOT_SCALAR,
          "A subquery that stands for one value has " + columns + " columns.",
          "Select one column.",
          query);
    }
  }

  private Expr single(Relation relation, ExpressionContext place, SqlNode query) {
    if (!SingleRowCheck.atMost(relation)) {
      throw notScalar(query);
    }
    ExpressionInputs.OneRow row =
        new ExpressionInputs.OneRow(
            relation, SingleRowCheck.always(relation), Rejections.at(query));
    place.sink().add(row);
    Column column = relation.columns().get(0);
    if (!row.always()) {
      binder.ids.pad(column.id());
    }
    return column.ref();
  }

  private static Rejection notScalar(SqlNode query) {
    return Rejections.of(
        RejectionCode.SUBQUERY_NOT_SCALAR,
        "A subquery that stands for one value may return several rows.",
        "Select an aggregate such as MAX(x), or compare with a declared unique key.",
        query);
  }

  private Expr correlated(
      SelectBlock block, SelectListBinder list, ExpressionContext place, SqlNode query) {
    Position at = Rejections.at(query);
    if (!list.isSimple() || list.hasWindows()) {
      throw correlatedInside(query);
    }
    if (!list.isAggregated()) {
      requireKey(block, query);
    }
    Expr value = list.exprs().get(0);
    SelectAggregates aggregation = list.aggregation();
    if (list.isAggregated()) {
      list.requireAggregates(value, query);
    } else {
      value =
          aggregation.add(
              "max",
              value.type(),
              flexdp.algebra.AggregateCall.Kind.MAX,
              Optional.of(value),
              false,
              Optional.empty(),
              Optional.empty(),
              at);
    }
    Column output =
        binder.ids.column(
            list.names().get(0),
            value.type(),
            NullRejection.possible(value, binder.ids::isNullable));
    place
        .sink()
        .add(
            new Subquery.Scalar(
                output,
                block.relation(binder.ids),
                Exprs.and(block.correlated()),
                aggregation.calls(),
                value,
                at));
    return output.ref();
  }

  /** Whether a subquery of its own picks a row of one table by a declared unique key. */
  boolean isOneRowOfKey(SqlNode query, ExpressionContext place) {
    if (!(essential(query) instanceof SqlSelect select)
        || !isPlain(select)
        || !isTable(select.getFrom(), place.ctes())
        || !mayPick(select.getWhere())
        || contains(select.getSelectList())
        || AggregateBinder.contains(select.getSelectList())) {
      return false;
    }
    // Bound once more by whoever uses it: cheap, since no query stands inside.
    SelectBlock block =
        binder.selects.block(select, place.ctes(), Optional.of(place.scope()), true);
    SelectListBinder list = new SelectListBinder(binder, select, block, place.ctes());
    return list.exprs().size() == 1
        && !list.isAggregated()
        && !list.hasWindows()
        && block.correlated().isEmpty()
        && UniqueRowCheck.isPicked(block.tree(), block.conjuncts());
  }

  /** Whether a condition holds no query and compares a name with a constant. */
  private static boolean mayPick(SqlNode where) {
    return where != null
        && !contains(where)
        && ExprBinder.terms(where, SqlKind.AND).stream()
            .anyMatch(
                term ->
                    term instanceof SqlCall call
                        && call.getKind() == SqlKind.EQUALS
                        && (call.operand(0) instanceof SqlIdentifier)
                            != (call.operand(1) instanceof SqlIdentifier));
  }

  private boolean isTable(SqlNode from, TableExpressions ctes) {
    SqlNode named =
        from != null && from.getKind() == SqlKind.AS ? ((SqlCall) from).operand(0) : from;
    return named instanceof SqlIdentifier name
        && ctes.find(name).isEmpty()
        && binder.tables.has(name);
  }

  /** Without an aggregate, at most one row may match. */
  private static void requireKey(SelectBlock block, SqlNode query) {
    if (!UniqueRowCheck.isPicked(block.tree(), block.correlated())) {
      throw notScalar(query);
    }
  }
}
