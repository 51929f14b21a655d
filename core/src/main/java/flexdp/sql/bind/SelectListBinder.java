package flexdp.sql.bind;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.NullRejection;
import flexdp.algebra.Relation;
import flexdp.algebra.SortKey;
import flexdp.algebra.Subquery;
import flexdp.failure.Position;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.sql.function.NameMatching;
import flexdp.sql.function.Rejections;
import flexdp.sql.join.JoinTreeBuilder;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;

/** A SELECT above its FROM and WHERE: the select list, GROUP BY, HAVING, QUALIFY and ORDER BY. */
final class SelectListBinder {
  /** One output: what it is called, how it was written, and what it is over the rows. */
  private record Item(String name, SqlNode node, Expr expr) {}

  private final BindingContext binder;
  private final SqlSelect select;
  private final SelectBlock block;
  private final SelectAggregates aggregation;
  private final WindowBinder windows;
  private final ExpressionInputs above = new ExpressionInputs();
  private final ExpressionContext place;
  private final GroupByBinder grouping;
  private final List<Item> items = new ArrayList<>();
  private final Map<SqlNode, Expr> bound = new IdentityHashMap<>();

  /** Items that are being bound because an error bar names them. */
  private final Set<SqlNode> asking = Collections.newSetFromMap(new IdentityHashMap<>());

  private final List<Expr> having = new ArrayList<>();
  private final List<Expr> havingAbove = new ArrayList<>();
  private final List<Subquery> havingSubqueries = new ArrayList<>();
  private final List<Expr> qualify = new ArrayList<>();

  SelectListBinder(
      BindingContext binder, SqlSelect select, SelectBlock block, TableExpressions ctes) {
    this.binder = binder;
    this.select = select;
    this.block = block;
    aggregation = new SelectAggregates(binder.ids);
    windows = new WindowBinder(select.getWindowList());
    place =
        ExpressionContext.of(block.scope(), ctes, "SELECT", above)
            .aggregating(aggregation)
            .windowing(windows)
            .selecting(this::result);
    grouping = GroupByBinder.bind(select, block.scope(), ctes, aggregation, binder);
    bindItems();
    bindHaving();
    if (select.getQualify() != null) {
      if (SubqueryBinder.contains(select.getQualify())) {
        throw SubqueryBinder.misplaced(select.getQualify());
      }
      qualify.addAll(
          binder.predicates.conjuncts(
              select.getQualify(), place.into(above, "QUALIFY").knowing(this::alias)));
    }
  }

  boolean isAggregated() {
    return aggregation.isUsed() || grouping.isPresent() || select.getHaving() != null;
  }

  boolean hasWindows() {
    return !windows.calls().isEmpty();
  }

  /** Whether no subquery stands in the list. */
  boolean isSimple() {
    return above.isEmpty() && aggregation.below().isEmpty();
  }

  SelectAggregates aggregation() {
    return aggregation;
  }

  List<Expr> exprs() {
    return items.stream().map(Item::expr).toList();
  }

  List<String> names() {
    return items.stream().map(Item::name).toList();
  }

  /** Whether the list only picks columns, so that the rows below can stand for it. */
  boolean isPassThrough() {
    if (isAggregated()
        || hasWindows()
        || !isSimple()
        || select.isDistinct()
        || select.getQualify() != null
        || !block.subqueries().isEmpty()) {
      return false;
    }
    for (Item item : items) {
      if (!(item.expr() instanceof Expr.Ref)) {
        return false;
      }
    }
    return true;
  }

  /** Adds a key that is also selected, after the items that were written. */
  void groupAlsoBy(Expr key) {
    String name = key instanceof Expr.Ref ref ? binder.ids.name(ref.column()) : "key";
    grouping.addDependent(key, name);
    items.add(new Item(name, select, key));
  }

  private void bindItems() {
    for (SqlNode node : select.getSelectList()) {
      if (node instanceof SqlIdentifier name && name.isStar()) {
        star(name);
      } else {
        SqlNode value = node.getKind() == SqlKind.AS ? ((SqlCall) node).operand(0) : node;
        items.add(new Item(ColumnNaming.of(node), value, bound(value)));
      }
    }
  }

  /** Bound once, so that an error bar is of the very value that is shown. */
  private Expr bound(SqlNode value) {
    Expr known = bound.get(value);
    if (known == null) {
      Expr key = grouping.bound(value);
      ExpressionContext here = WindowBinder.contains(value) ? place.knowing(this::alias) : place;
      known = key == null ? binder.expressions.bind(value, here) : key;
      bound.put(value, known);
    }
    return known;
  }

  /** The result that an error bar is asked of by name; null when no item has the name. */
  private Expr result(SqlIdentifier name) {
    Expr found = null;
    for (SqlNode node : select.getSelectList()) {
      if (node instanceof SqlIdentifier
          || !NameMatching.match(name.getSimple(), ColumnNaming.of(node))) {
        continue;
      }
      SqlNode value = node.getKind() == SqlKind.AS ? ((SqlCall) node).operand(0) : node;
      if (asking.contains(value)) {
        throw Rejections.of(
            RejectionCode.INTERVAL_UNAVAILABLE,
            "'" + name + "' is an end of its own error bar.",
            "Give the two columns different names.",
            name);
      }
      asking.add(value);
      Expr one = bound(value);
      asking.remove(value);
      if (found != null && !found.equals(one)) {
        throw Rejections.of(
            RejectionCode.AMBIGUOUS_COLUMN,
            "The name '" + name + "' stands for several columns of the result.",
            "Give each column its own alias.",
            name);
      }
      found = one;
    }
    return found;
  }

  private void star(SqlIdentifier name) {
    List<FromItem> sources = block.scope().sources();
    boolean all = name.names.size() == 1;
    if (!all) {
      sources = block.scope().named(name.names.get(name.names.size() - 2));
      if (sources.isEmpty()) {
        throw Rejections.of(
            RejectionCode.UNKNOWN_TABLE,
            "No table or alias '" + name.names.get(name.names.size() - 2) + "' is in FROM.",
            "Write an alias that FROM has.",
            name);
      }
    }
    if (sources.isEmpty()) {
      throw Rejections.of(
          RejectionCode.SYNTAX, "'*' needs a FROM.", "Name a table to select from.", name);
    }
    for (FromItem source : sources) {
      for (FromItem.Field field : source.fields()) {
        if (!(all && field.hidden())) {
          items.add(new Item(field.name(), name, field.expr()));
        }
      }
    }
  }

  /** What an alias of the list stands for, as it was written. */
  private SqlNode alias(String name) {
    for (SqlNode node : select.getSelectList()) {
      if (node.getKind() == SqlKind.AS
          && NameMatching.match(name, ((SqlIdentifier) ((SqlCall) node).operand(1)).getSimple())) {
        return ((SqlCall) node).operand(0);
      }
    }
    return null;
  }

  private void bindHaving() {
    if (select.getHaving() == null) {
      return;
    }
    for (SqlNode term : ExprBinder.terms(select.getHaving(), SqlKind.AND)) {
      ExpressionInputs sink = new ExpressionInputs();
      Expr expr =
          binder.predicates.bind(
              term,
              false,
              place.into(sink, "HAVING").withoutWindows().knowing(this::alias),
              new BitSet());
      sink.rows().forEach(above::add);
      if (!sink.subqueries().isEmpty()) {
        havingSubqueries.addAll(sink.subqueries());
        havingAbove.add(expr);
      } else {
        PredicateBinder.split(expr, sink.rows().isEmpty() ? having : havingAbove);
      }
    }
  }

  /** The finished relation; its columns are the items. */
  Relation finish(List<SqlNode> order, QueryBinder.RowLimit cut) {
    try {
      return build(order, cut);
    } catch (Rejection rejection) {
      throw rejection.orAt(at());
    }
  }

  private Relation build(List<SqlNode> order, QueryBinder.RowLimit cut) {
    List<SortKey> keys =
        OrderByBinder.keys(
            order,
            this::orderedBy,
            node ->
                binder.expressions.bind(node, place.into(above, "ORDER BY").knowing(this::alias)),
            binder.dialect);
    Relation rows = block.relation(binder.ids);
    UnaryOperator<Expr> grouped = UnaryOperator.identity();
    if (isAggregated()) {
      GroupedExpressions groups = new GroupedExpressions(grouping, aggregation, block, binder.ids);
      items.forEach(item -> groups.admit(item.expr()));
      having.forEach(groups::admit);
      keys.forEach(key -> groups.admit(key.expr()));
      windows.exprs().forEach(groups::admit);
      qualify.forEach(groups::admit);
      rows = groups.aggregate(attach(rows, aggregation.below(), grouped), having, at());
      grouped = groups::rewrite;
    }
    rows = attach(rows, above, grouped);
    rows = filterGroups(rows, grouped);
    rows = windows.over(rows, grouped);
    rows = JoinTreeBuilder.filter(rows, map(qualify, grouped));
    keys = OrderByBinder.map(keys, grouped);
    if (!select.isDistinct()) {
      return project(cut.apply(rows, keys, at()), grouped);
    }
    Relation.Project list = project(rows, grouped);
    return cut.apply(new Relation.Distinct(list), OrderByBinder.over(list, keys, select), at());
  }

  private Position at() {
    return Rejections.at(select);
  }

  private static List<Expr> map(List<Expr> exprs, UnaryOperator<Expr> rule) {
    List<Expr> mapped = new ArrayList<>(exprs.size());
    for (Expr expr : exprs) {
      mapped.add(rule.apply(expr));
    }
    return mapped;
  }

  private Relation filterGroups(Relation rows, UnaryOperator<Expr> grouped) {
    if (havingAbove.isEmpty()) {
      return rows;
    }
    Expr condition = Exprs.and(map(havingAbove, grouped));
    return havingSubqueries.isEmpty()
        ? new Relation.Filter(rows, condition)
        : new Relation.Where(rows, reading(havingSubqueries, grouped), condition);
  }

  /** Subqueries whose conditions read the grouped rows. */
  private static List<Subquery> reading(List<Subquery> subqueries, UnaryOperator<Expr> grouped) {
    List<Subquery> all = new ArrayList<>();
    for (Subquery subquery : subqueries) {
      Expr condition = grouped.apply(subquery.condition());
      all.add(
          switch (subquery) {
            case Subquery.Exists e ->
                new Subquery.Exists(e.output(), e.negated(), e.relation(), condition, e.at());
            case Subquery.Scalar s ->
                new Subquery.Scalar(
                    s.output(), s.relation(), condition, s.calls(), s.value(), s.at());
          });
    }
    return all;
  }

  private static Relation attach(
      Relation rows, ExpressionInputs sink, UnaryOperator<Expr> grouped) {
    Relation all = SelectBinder.with(rows, sink.rows());
    List<Subquery.Scalar> scalars = new ArrayList<>();
    for (Subquery subquery : reading(sink.subqueries(), grouped)) {
      if (subquery instanceof Subquery.Scalar scalar) {
        scalars.add(scalar);
      }
    }
    return scalars.isEmpty() ? all : new Relation.Attach(all, scalars);
  }

  /** ORDER BY 2, or by a name of the list; null for other expressions. */
  private Expr orderedBy(SqlNode node) {
    if (node instanceof SqlIdentifier name && name.isSimple()) {
      Item found = null;
      for (Item item : items) {
        if (NameMatching.match(name.getSimple(), item.name())) {
          if (found != null && !found.expr().equals(item.expr())) {
            throw Rejections.of(
                RejectionCode.AMBIGUOUS_COLUMN,
                "The name '" + name + "' stands for several columns of the result.",
                "Order by the column's number.",
                name);
          }
          found = item;
        }
      }
      return found == null ? null : found.expr();
    }
    int ordinal = OrderByBinder.ordinal(node, items.size());
    return ordinal == 0 ? null : items.get(ordinal - 1).expr();
  }

  private Relation.Project project(Relation rows, UnaryOperator<Expr> grouped) {
    List<Relation.Project.Output> outputs = new ArrayList<>(items.size());
    Set<Integer> used = new HashSet<>();
    for (Item item : items) {
      Expr expr = grouped(item, grouped);
      Column column =
          expr instanceof Expr.Ref ref && used.add(ref.column())
              ? binder.ids.seen(ref.column(), item.name())
              : binder.ids.column(
                  item.name(), expr.type(), NullRejection.possible(expr, binder.ids::isNullable));
      if (expr.type().isInteger() && isReal(item)) {
        binder.ids.real(column.id());
      }
      outputs.add(new Relation.Project.Output(column, expr));
    }
    return new Relation.Project(rows, outputs);
  }

  private boolean isReal(Item item) {
    return item.expr() instanceof Expr.Ref ref
        ? binder.ids.isReal(ref.column())
        : item.node() instanceof SqlCall && DialectMeanings.isReal(item.node(), place, binder);
  }

  private static Expr grouped(Item item, UnaryOperator<Expr> grouped) {
    try {
      return grouped.apply(item.expr());
    } catch (Rejection rejection) {
      throw rejection.orAt(Rejections.at(item.node()));
    }
  }

  /** In a query of aggregates without GROUP BY, nothing else may be read. */
  void requireAggregates(Expr value, SqlNode at) {
    BitSet reads = Exprs.reads(value);
    for (int id = reads.nextSetBit(0); id >= 0; id = reads.nextSetBit(id + 1)) {
      if (block.owns(id)) {
        throw GroupedExpressions.notGrouped(binder.ids.name(id)).orAt(Rejections.at(at));
      }
    }
  }
}
