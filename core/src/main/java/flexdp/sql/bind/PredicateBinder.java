package flexdp.sql.bind;

import flexdp.algebra.Equalities;
import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Function;
import flexdp.policy.Type;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;

/**
 * Binds the conditions of WHERE, HAVING, QUALIFY and ON. Negations are pushed inwards as far as
 * subqueries need it, so that IN and EXISTS stand under AND and OR only (de Morgan's laws hold with
 * NULL as well).
 */
final class PredicateBinder {
  private static final int DEEPEST = 300;

  private final BindingContext binder;
  private int depth;

  PredicateBinder(BindingContext binder) {
    this.binder = binder;
  }

  /** The terms of a condition, joined by AND; what all alternatives of an OR share comes first. */
  List<Expr> conjuncts(SqlNode node, ExpressionContext place) {
    List<Expr> terms = new ArrayList<>();
    for (SqlNode term : ExprBinder.terms(node, SqlKind.AND)) {
      split(bind(term, false, place, new BitSet()), terms);
    }
    return terms;
  }

  /** The conjuncts of an expression, common factors of alternatives taken out. */
  static void split(Expr expr, List<Expr> into) {
    for (Expr term : Equalities.conjuncts(expr)) {
      if (term instanceof Expr.Call call && call.function() == Function.OR) {
        factor(call, into);
      } else if (!isAlwaysTrue(term)) {
        into.add(term);
      }
    }
  }

  /** TRUE, and the 1 = 1 that programs begin conditions with. */
  private static boolean isAlwaysTrue(Expr term) {
    return term.equals(Expr.Literal.TRUE)
        || term instanceof Expr.Call call
            && call.function() == Function.EQ
            && call.arguments().get(0) instanceof Expr.Literal literal
            && !literal.isNull()
            && literal.equals(call.arguments().get(1));
  }

  /** (a AND b) OR (a AND c) is a AND (b OR c), in three-valued logic too. */
  private static void factor(Expr.Call or, List<Expr> into) {
    List<Expr> common = new ArrayList<>(Equalities.conjuncts(or.arguments().get(0)));
    for (Expr alternative : or.arguments()) {
      if (common.isEmpty()) {
        break;
      }
      common.retainAll(Equalities.conjuncts(alternative));
    }
    if (common.isEmpty()) {
      into.add(or);
      return;
    }
    List<Expr> rest = new ArrayList<>();
    for (Expr alternative : or.arguments()) {
      List<Expr> own = new ArrayList<>(Equalities.conjuncts(alternative));
      own.removeAll(common);
      rest.add(Exprs.and(own));
    }
    into.addAll(common);
    if (!rest.contains(Expr.Literal.TRUE)) {
      into.add(new Expr.Call(Function.OR, rest, Type.BOOLEAN));
    }
  }

  /**
   * Binds a condition.
   *
   * @param notNull columns that other conjuncts keep from being NULL
   */
  Expr bind(SqlNode node, boolean negated, ExpressionContext place, BitSet notNull) {
    if (++depth > DEEPEST) {
      throw ExprBinder.tooDeep(node);
    }
    try {
      return switch (node.getKind()) {
        case AND, OR -> combine((SqlCall) node, negated, place, notNull);
        case NOT -> bind(((SqlCall) node).operand(0), !negated, place, notNull);
        case EXISTS -> binder.subqueries.exists(((SqlCall) node).operand(0), negated, place, node);
        case IN, NOT_IN -> in((SqlCall) node, negated, place, notNull);
        case SOME, ALL -> quantified((SqlCall) node, negated, place, notNull);
        case EQUALS -> equal((SqlCall) node, negated, place, notNull);
        default -> plain(node, negated, place);
      };
    } finally {
      depth--;
    }
  }

  private Expr plain(SqlNode node, boolean negated, ExpressionContext place) {
    Expr plain = binder.expressions.condition(node, place);
    return negated ? ExprBinder.negated(plain) : plain;
  }

  /**
   * x = (SELECT …) is IN where the subquery has one row at most. Not under NOT: without a row the
   * comparison is NULL there, and NOT IN is true.
   */
  private Expr equal(SqlCall call, boolean negated, ExpressionContext place, BitSet notNull) {
    for (int side = 0; side < 2 && !negated; side++) {
      SqlNode query = call.operand(side);
      SqlNode value = call.operand(1 - side);
      if (query.isA(SqlKind.QUERY)
          && value.getKind() != SqlKind.ROW
          && !SubqueryBinder.contains(value)
          && binder.subqueries.isOneRowOfKey(query, place)) {
        return binder.subqueries.in(value, query, false, place, notNull, call);
      }
    }
    return plain(call, negated, place);
  }

  private Expr combine(SqlCall call, boolean negated, ExpressionContext place, BitSet notNull) {
    List<Expr> terms = new ArrayList<>();
    for (SqlNode term : ExprBinder.terms(call, call.getKind())) {
      terms.add(bind(term, negated, place, notNull));
    }
    return call.getKind() == SqlKind.AND != negated ? Exprs.and(terms) : Exprs.or(terms);
  }

  private Expr in(SqlCall call, boolean negated, ExpressionContext place, BitSet notNull) {
    SqlNode right = call.operand(1);
    if (right instanceof SqlNodeList list
        && !(list.size() == 1 && list.get(0).isA(SqlKind.QUERY))) {
      Expr plain = binder.expressions.condition(call, place);
      return negated ? ExprBinder.negated(plain) : plain;
    }
    SqlNode query = right instanceof SqlNodeList list ? list.get(0) : right;
    boolean not = negated != (call.getKind() == SqlKind.NOT_IN);
    return binder.subqueries.in(call.operand(0), query, not, place, notNull, call);
  }

  /** x = ANY (…) is IN, x &lt;&gt; ALL (…) is NOT IN; others are comparisons with extremes. */
  private Expr quantified(SqlCall call, boolean negated, ExpressionContext place, BitSet notNull) {
    QuantifiedComparison asked = QuantifiedComparison.of(call, negated);
    SqlNode query = asked.query();
    if (query == null) {
      return bind(asked.listed(), false, place, notNull);
    }
    if (asked.isMembership()) {
      return binder.subqueries.in(asked.left(), query, !asked.some(), place, notNull, call);
    }
    return bind(asked.byExtremes(), false, place, notNull);
  }
}
