package flexdp.sql.bind;

import flexdp.algebra.Expr;
import flexdp.algebra.NullRejection;
import flexdp.algebra.Relation;
import flexdp.algebra.Subquery;
import flexdp.failure.RejectionCode;
import flexdp.sql.function.ColumnIdSequence;
import flexdp.sql.function.Rejections;
import flexdp.sql.join.FromTree;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;

/** Binds the FROM and WHERE of a SELECT; {@link SelectListBinder} does the rest. */
final class SelectBinder {
  private final BindingContext binder;

  SelectBinder(BindingContext binder) {
    this.binder = binder;
  }

  /**
   * FROM and WHERE.
   *
   * @param outer the query around
   * @param mayCorrelate whether WHERE may read it
   */
  SelectBlock block(
      SqlSelect select, TableExpressions ctes, Optional<Scope> outer, boolean mayCorrelate) {
    int first = binder.ids.count();
    BoundFrom from =
        select.getFrom() == null
            ? new BoundFrom(nothing(select), List.of())
            : binder.froms.bind(select.getFrom(), ctes, outer);
    int end = binder.ids.count();
    Scope scope = new Scope(from.sources(), outer, !mayCorrelate);
    Where where = new Where(from.tree(), scope, ctes, mayCorrelate);
    if (select.getWhere() != null) {
      where.bind(select.getWhere());
    }
    return new SelectBlock(
        scope,
        where.tree,
        where.conjuncts,
        where.subqueries,
        where.filters,
        where.correlated,
        first,
        end);
  }

  /** SELECT without FROM: one row without columns. */
  private static FromTree nothing(SqlSelect select) {
    return new FromTree.Leaf(
        new Relation.Values(List.of(), List.of(List.of())), Rejections.at(select));
  }

  /** WHERE being read, term by term. */
  private final class Where {
    private final Scope scope;
    private final TableExpressions ctes;
    private final boolean mayCorrelate;
    private final List<Expr> conjuncts = new ArrayList<>();
    private final List<Subquery> subqueries = new ArrayList<>();
    private final List<Expr> filters = new ArrayList<>();
    private final List<Expr> correlated = new ArrayList<>();
    private FromTree tree;

    Where(FromTree tree, Scope scope, TableExpressions ctes, boolean mayCorrelate) {
      this.tree = tree;
      this.scope = scope;
      this.ctes = ctes;
      this.mayCorrelate = mayCorrelate;
    }

    void bind(SqlNode where) {
      List<SqlNode> later = new ArrayList<>();
      BitSet notNull = new BitSet();
      for (SqlNode term : ExprBinder.terms(where, SqlKind.AND)) {
        if (SubqueryBinder.contains(term)) {
          later.add(term);
        } else {
          term(term, notNull);
        }
      }
      for (Expr conjunct : conjuncts) {
        notNull.or(NullRejection.refusedWhereTrue(conjunct));
      }
      for (SqlNode term : later) {
        term(term, notNull);
      }
    }

    private void term(SqlNode node, BitSet notNull) {
      ExpressionInputs sink = new ExpressionInputs();
      ExpressionContext place = ExpressionContext.of(scope, ctes, "WHERE", sink);
      Expr expr =
          binder.predicates.bind(node, false, mayCorrelate ? place.correlating() : place, notNull);
      if (sink.isCorrelated() && !(sink.subqueries().isEmpty() && sink.rows().isEmpty())) {
        throw Rejections.of(
            RejectionCode.SUBQUERY_CORRELATION,
            "A condition reads the query around and a subquery at once.",
            "Split it into conditions that each do one of the two.",
            node);
      }
      for (ExpressionInputs.OneRow row : sink.rows()) {
        tree = with(tree, row, binder.ids);
      }
      if (!sink.subqueries().isEmpty()) {
        subqueries.addAll(sink.subqueries());
        filters.add(expr);
      } else {
        PredicateBinder.split(expr, sink.isCorrelated() ? correlated : conjuncts);
      }
    }
  }

  /** The tree with a single row joined to every row of it. */
  private static FromTree with(FromTree tree, ExpressionInputs.OneRow row, ColumnIdSequence ids) {
    FromTree leaf = new FromTree.Leaf(row.relation(), row.at());
    if (!row.always()) {
      row.relation().columns().forEach(c -> ids.pad(c.id()));
      return new FromTree.Outer(Relation.JoinKind.LEFT, tree, leaf, List.of(), row.at());
    }
    List<FromTree> parts = new ArrayList<>();
    List<Expr> conjuncts = List.of();
    if (tree instanceof FromTree.Inner inner) {
      parts.addAll(inner.parts());
      conjuncts = inner.conjuncts();
    } else {
      parts.add(tree);
    }
    parts.add(leaf);
    return new FromTree.Inner(parts, conjuncts, tree.at());
  }

  /** Adds one-row subqueries above a finished relation. */
  static Relation with(Relation relation, List<ExpressionInputs.OneRow> rows) {
    Relation all = relation;
    for (ExpressionInputs.OneRow row : rows) {
      Relation.JoinKind kind = row.always() ? Relation.JoinKind.INNER : Relation.JoinKind.LEFT;
      all = new Relation.Join(kind, all, row.relation(), Expr.Literal.TRUE, row.at());
    }
    return all;
  }
}
