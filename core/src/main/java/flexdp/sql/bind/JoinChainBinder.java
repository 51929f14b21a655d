package flexdp.sql.bind;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.algebra.Relation.JoinKind;
import flexdp.algebra.Subquery;
import flexdp.failure.Position;
import flexdp.failure.RejectionCode;
import flexdp.policy.Type;
import flexdp.sql.function.NameMatching;
import flexdp.sql.function.Rejections;
import flexdp.sql.function.TypeRules;
import flexdp.sql.join.FromTree;
import flexdp.sql.join.JoinTreeBuilder;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.JoinConditionType;
import org.apache.calcite.sql.JoinType;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;

/** A chain of joins read from left to right. */
final class JoinChainBinder {
  private final TableExpressions ctes;
  private final Optional<Scope> outer;
  private final BindingContext binder;
  private final List<FromItem> sources;
  private List<FromTree> parts = new ArrayList<>();
  private List<Expr> conjuncts = new ArrayList<>();
  private final Position at;

  JoinChainBinder(
      BoundFrom start, TableExpressions ctes, Optional<Scope> outer, BindingContext binder) {
    this.ctes = ctes;
    this.outer = outer;
    this.binder = binder;
    this.at = start.tree().at();
    sources = new ArrayList<>(start.sources());
    parts.add(start.tree());
  }

  /** What a LATERAL subquery may see: the items so far. */
  Scope scope() {
    return new Scope(List.copyOf(sources), outer, true);
  }

  BoundFrom finish() {
    return new BoundFrom(tree(), sources);
  }

  private FromTree tree() {
    return parts.size() == 1 && conjuncts.isEmpty()
        ? parts.get(0)
        : new FromTree.Inner(parts, conjuncts, at);
  }

  void add(SqlJoin join, BoundFrom right) {
    List<FromItem> before = new ArrayList<>(sources);
    List<Expr> shared = sharedColumns(join, before, right);
    if (!shared.isEmpty() || join.isNatural()) {
      if (join.getJoinType() == JoinType.LEFT_SEMI_JOIN
          || join.getJoinType() == JoinType.LEFT_ANTI_JOIN) {
        throw Rejections.unsupported("USING in a semi or anti join", "Write ON.", join);
      }
      connect(join, right, shared);
      return;
    }
    sources.addAll(right.sources());
    List<Expr> on =
        join.getConditionType() == JoinConditionType.ON
            ? condition(join.getCondition())
            : List.of();
    connect(join, right, on);
  }

  private List<Expr> condition(SqlNode node) {
    ExpressionInputs sink = new ExpressionInputs();
    Scope scope = new Scope(sources, outer, true);
    List<Expr> terms =
        binder.predicates.conjuncts(
            node, ExpressionContext.of(scope, ctes, "the ON of a join", sink));
    if (!sink.isEmpty()) {
      throw Rejections.of(
          RejectionCode.SUBQUERY_POSITION,
          "A subquery stands in the condition of a join.",
          "Move it to WHERE, or join with the subquery itself.",
          node);
    }
    return terms;
  }

  private void connect(SqlJoin join, BoundFrom right, List<Expr> condition) {
    List<Expr> on = condition;
    if (!right.lateral().isEmpty()) {
      on = new ArrayList<>(condition);
      on.addAll(right.lateral());
    }
    switch (join.getJoinType()) {
      case COMMA, CROSS, INNER -> {
        parts.add(right.tree());
        conjuncts.addAll(on);
      }
      case LEFT -> replace(outer(JoinKind.LEFT, tree(), right.tree(), on, join));
      case RIGHT -> replace(outer(JoinKind.LEFT, right.tree(), tree(), on, join));
      case FULL -> {
        FromTree left = tree();
        pad(left);
        replace(outer(JoinKind.FULL, left, right.tree(), on, join));
      }
      case LEFT_SEMI_JOIN, LEFT_ANTI_JOIN -> {
        sources.removeAll(right.sources());
        replace(
            asked(right, on, join.getJoinType() == JoinType.LEFT_ANTI_JOIN, Rejections.at(join)));
      }
      default ->
          throw Rejections.unsupported(
              "A join of the kind " + join.getJoinType().toString().replace('_', ' '),
              "Use EXISTS or NOT EXISTS in WHERE.",
              join);
    }
  }

  /** A semi or anti join: the rows for which the other side has a partner, or none. */
  private FromTree asked(BoundFrom right, List<Expr> on, boolean negated, Position place) {
    BitSet theirs = JoinTreeBuilder.columns(right.tree());
    List<Expr> local = new ArrayList<>();
    List<Expr> condition = new ArrayList<>();
    for (Expr term : on) {
      BitSet reads = Exprs.reads(term);
      reads.andNot(theirs);
      (reads.isEmpty() ? local : condition).add(term);
    }
    JoinTreeBuilder joins = new JoinTreeBuilder(binder.ids);
    Column output = binder.ids.column("exists", Type.BOOLEAN, false);
    Subquery exists =
        new Subquery.Exists(
            output, negated, joins.arrange(right.tree(), local), Exprs.and(condition), place);
    Relation rows = joins.arrange(tree(), List.of());
    return new FromTree.Leaf(new Relation.Where(rows, List.of(exists), output.ref()), at);
  }

  private FromTree outer(
      JoinKind kind, FromTree left, FromTree right, List<Expr> on, SqlJoin join) {
    pad(right);
    return new FromTree.Outer(kind, left, right, on, Rejections.at(join.getRight()));
  }

  private void replace(FromTree tree) {
    parts = new ArrayList<>();
    parts.add(tree);
    conjuncts = new ArrayList<>();
  }

  private void pad(FromTree tree) {
    switch (tree) {
      case FromTree.Leaf leaf -> {
        for (Column column : leaf.relation().columns()) {
          binder.ids.pad(column.id());
        }
      }
      case FromTree.Inner inner -> inner.parts().forEach(this::pad);
      case FromTree.Outer join -> {
        pad(join.left());
        pad(join.right());
      }
    }
  }

  /** The equalities of USING or NATURAL; afterwards the shared columns have one name together. */
  private List<Expr> sharedColumns(SqlJoin join, List<FromItem> left, BoundFrom right) {
    List<String> names = new ArrayList<>();
    if (join.isNatural()) {
      for (FromItem source : right.sources()) {
        for (FromItem.Field field : source.fields()) {
          if (!field.hidden() && find(field.name(), left) != null) {
            names.add(field.name());
          }
        }
      }
    } else if (join.getConditionType() == JoinConditionType.USING) {
      for (SqlNode node : (SqlNodeList) join.getCondition()) {
        names.add(((SqlIdentifier) node).getSimple());
      }
    } else {
      return List.of();
    }
    List<Expr> equalities = new ArrayList<>();
    List<FromItem.Field> merged = new ArrayList<>();
    List<FromItem> rest = new ArrayList<>(right.sources());
    for (String name : names) {
      FromItem.Field one = require(name, sources, join);
      FromItem.Field two = require(name, rest, join);
      equalities.add(TypeRules.compare(Function.EQ, one.expr(), two.expr(), Rejections.at(join)));
      merged.add(new FromItem.Field(one.name(), merge(join, one.expr(), two.expr()), false));
      hide(one, sources);
      hide(two, rest);
    }
    sources.addAll(rest);
    sources.add(0, new FromItem("", merged));
    return equalities;
  }

  private Expr merge(SqlJoin join, Expr one, Expr two) {
    return switch (join.getJoinType()) {
      case RIGHT -> two;
      case FULL -> {
        List<Expr> both = TypeRules.unify(List.of(one, two), Rejections.at(join));
        yield new Expr.Call(Function.COALESCE, both, TypeRules.typeOf(both));
      }
      default -> one;
    };
  }

  private static void hide(FromItem.Field field, List<FromItem> among) {
    for (int i = 0; i < among.size(); i++) {
      if (among.get(i).fields().contains(field)) {
        among.set(i, among.get(i).hiding(field));
        return;
      }
    }
  }

  private static FromItem.Field require(String name, List<FromItem> among, SqlJoin join) {
    FromItem.Field field = find(name, among);
    if (field == null) {
      throw Rejections.of(
          RejectionCode.UNKNOWN_COLUMN,
          "The column '" + name + "' of USING is not on both sides of the join.",
          "Write the condition with ON.",
          join.getCondition() == null ? join : join.getCondition());
    }
    return field;
  }

  private static FromItem.Field find(String name, List<FromItem> among) {
    FromItem.Field found = null;
    for (FromItem source : among) {
      for (FromItem.Field field : source.fields()) {
        if (!field.hidden() && NameMatching.match(name, field.name())) {
          if (found != null) {
            throw flexdp.failure.Rejection.of(
                RejectionCode.AMBIGUOUS_COLUMN,
                "The column '" + name + "' of a join stands for several columns.",
                "Write the condition with ON and aliases.");
          }
          found = field;
        }
      }
    }
    return found;
  }
}
