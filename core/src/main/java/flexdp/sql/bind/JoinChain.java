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
import flexdp.sql.function.Names;
import flexdp.sql.function.Reject;
import flexdp.sql.function.TypeRules;
import flexdp.sql.join.FromTree;
import flexdp.sql.join.Joins;
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
final class JoinChain {
  private final Ctes ctes;
  private final Optional<Scope> outer;
  private final Binder binder;
  private final List<Source> sources;
  private List<FromTree> parts = new ArrayList<>();
  private List<Expr> conjuncts = new ArrayList<>();
  private final Position at;

  JoinChain(From start, Ctes ctes, Optional<Scope> outer, Binder binder) {
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

  From finish() {
    return new From(tree(), sources);
  }

  private FromTree tree() {
    return parts.size() == 1 && conjuncts.isEmpty()
        ? parts.get(0)
        : new FromTree.Inner(parts, conjuncts, at);
  }

  void add(SqlJoin join, From right) {
    List<Source> before = new ArrayList<>(sources);
    List<Expr> shared = sharedColumns(join, before, right);
    if (!shared.isEmpty() || join.isNatural()) {
      if (join.getJoinType() == JoinType.LEFT_SEMI_JOIN
          || join.getJoinType() == JoinType.LEFT_ANTI_JOIN) {
        throw Reject.unsupported("USING in a semi or anti join", "Write ON.", join);
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
    Sink sink = new Sink();
    Scope scope = new Scope(sources, outer, true);
    List<Expr> terms =
        binder.predicates.conjuncts(node, Place.of(scope, ctes, "the ON of a join", sink));
    if (!sink.isEmpty()) {
      throw Reject.of(
          RejectionCode.SUBQUERY_POSITION,
          "A subquery stands in the condition of a join.",
          "Move it to WHERE, or join with the subquery itself.",
          node);
    }
    return terms;
  }

  private void connect(SqlJoin join, From right, List<Expr> condition) {
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
        replace(asked(right, on, join.getJoinType() == JoinType.LEFT_ANTI_JOIN, Reject.at(join)));
      }
      default ->
          throw Reject.unsupported(
              "A join of the kind " + join.getJoinType().toString().replace('_', ' '),
              "Use EXISTS or NOT EXISTS in WHERE.",
              join);
    }
  }

  /** A semi or anti join: the rows for which the other side has a partner, or none. */
  private FromTree asked(From right, List<Expr> on, boolean negated, Position place) {
    BitSet theirs = Joins.columns(right.tree());
    List<Expr> local = new ArrayList<>();
    List<Expr> condition = new ArrayList<>();
    for (Expr term : on) {
      BitSet reads = Exprs.reads(term);
      reads.andNot(theirs);
      (reads.isEmpty() ? local : condition).add(term);
    }
    Joins joins = new Joins(binder.ids);
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
    return new FromTree.Outer(kind, left, right, on, Reject.at(join.getRight()));
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
  private List<Expr> sharedColumns(SqlJoin join, List<Source> left, From right) {
    List<String> names = new ArrayList<>();
    if (join.isNatural()) {
      for (Source source : right.sources()) {
        for (Source.Field field : source.fields()) {
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
    List<Source.Field> merged = new ArrayList<>();
    List<Source> rest = new ArrayList<>(right.sources());
    for (String name : names) {
      Source.Field one = require(name, sources, join);
      Source.Field two = require(name, rest, join);
      equalities.add(TypeRules.compare(Function.EQ, one.expr(), two.expr(), Reject.at(join)));
      merged.add(new Source.Field(one.name(), merge(join, one.expr(), two.expr()), false));
      hide(one, sources);
      hide(two, rest);
    }
    sources.addAll(rest);
    sources.add(0, new Source("", merged));
    return equalities;
  }

  private Expr merge(SqlJoin join, Expr one, Expr two) {
    return switch (join.getJoinType()) {
      case RIGHT -> two;
      case FULL -> {
        List<Expr> both = TypeRules.unify(List.of(one, two), Reject.at(join));
        yield new Expr.Call(Function.COALESCE, both, TypeRules.typeOf(both));
      }
      default -> one;
    };
  }

  private static void hide(Source.Field field, List<Source> among) {
    for (int i = 0; i < among.size(); i++) {
      if (among.get(i).fields().contains(field)) {
        among.set(i, among.get(i).hiding(field));
        return;
      }
    }
  }

  private static Source.Field require(String name, List<Source> among, SqlJoin join) {
    Source.Field field = find(name, among);
    if (field == null) {
      throw Reject.of(
          RejectionCode.UNKNOWN_COLUMN,
          "The column '" + name + "' of USING is not on both sides of the join.",
          "Write the condition with ON.",
          join.getCondition() == null ? join : join.getCondition());
    }
    return field;
  }

  private static Source.Field find(String name, List<Source> among) {
    Source.Field found = null;
    for (Source source : among) {
      for (Source.Field field : source.fields()) {
        if (!field.hidden() && Names.match(name, field.name())) {
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
