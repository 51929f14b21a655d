package flexdp.sql.bind;

import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Function;
import flexdp.failure.Position;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.failure.TimeBudget;
import flexdp.policy.InputDialect;
import flexdp.policy.Type;
import flexdp.sql.function.AggregateNames;
import flexdp.sql.function.CastFunctions;
import flexdp.sql.function.ConstantFolding;
import flexdp.sql.function.FunctionFinder;
import flexdp.sql.function.LiteralBinder;
import flexdp.sql.function.OperatorFunctions;
import flexdp.sql.function.Rejections;
import flexdp.sql.function.TextLiterals;
import flexdp.sql.function.TypeRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.fun.SqlBetweenOperator;
import org.apache.calcite.sql.fun.SqlCase;

/** Binds expressions: names to columns, operators and functions to the list. */
final class ExprBinder {
  /** Deeper expressions are refused rather than trusted to everybody's stack. */
  private static final int DEEPEST = 300;

  private final BindingContext binder;
  private int depth;

  ExprBinder(BindingContext binder) {
    this.binder = binder;
  }

  Expr bind(SqlNode node, ExpressionContext place) {
    TimeBudget.step();
    if (++depth > DEEPEST) {
      throw tooDeep(node);
    }
    try {
      return switch (node) {
        case SqlLiteral literal -> LiteralBinder.of(literal);
        case SqlIdentifier name -> name(name, place);
        case SqlCall call -> ConstantFolding.of(call(call, place));
        default ->
            throw Rejections.of(
                RejectionCode.SYNTAX,
                "'" + TextLiterals.shown(node.toString()) + "' is no expression.",
                "Write a single value here.",
                node);
      };
    } finally {
      depth--;
    }
  }

  static Rejection tooDeep(SqlNode node) {
    return Rejections.of(
        RejectionCode.TOO_COMPLEX,
        "The expression is nested too deeply.",
        "Split it over subqueries or common table expressions.",
        node);
  }

  /** A condition: boolean, without IN or EXISTS subqueries. */
  Expr condition(SqlNode node, ExpressionContext place) {
    return DialectMeanings.condition(bind(node, place), Rejections.at(node), binder.dialect);
  }

  private Expr name(SqlIdentifier name, ExpressionContext place) {
    if (name.isStar()) {
      throw Rejections.of(
          RejectionCode.SYNTAX, "'*' is no value.", "Name a column, or count with COUNT(*).", name);
    }
    Scope.Found found = place.scope().find(name);
    if (found == null) {
      SqlNode meant =
          name.isSimple() && place.aliases().isPresent()
              ? place.aliases().get().find(name.getSimple())
              : null;
      if (meant != null) {
        return bind(meant, place.withoutAliases());
      }
      Optional<Expr> constant =
          name.isSimple() && !name.isComponentQuoted(0)
              ? FunctionFinder.bareWord(name.getSimple(), binder.now)
              : Optional.empty();
      boolean text =
          binder.dialect == InputDialect.SQLITE && name.isSimple() && name.isComponentQuoted(0);
      return constant.orElseGet(
          () -> {
            if (text) {
              return Exprs.text(name.getSimple());
            }
            throw unknown(name, place);
          });
    }
    if (found.depth() > 0) {
      if (found.depth() > 1 || !place.mayCorrelate()) {
        throw Rejections.of(
            RejectionCode.SUBQUERY_CORRELATION,
            "'" + name + "' belongs to a query further out, which cannot be read in this place.",
            "Compare it with a column of the subquery in the subquery's own WHERE.",
            name);
      }
      place.sink().correlate();
    }
    return found.expr();
  }

  private static Rejection unknown(SqlIdentifier name, ExpressionContext place) {
    try {
      place.scope().resolve(name);
    } catch (Rejection rejection) {
      return rejection;
    }
    throw new IllegalStateException("resolved after all: " + name);
  }

  private Expr call(SqlCall call, ExpressionContext place) {
    Position at = Rejections.at(call);
    return switch (call.getKind()) {
      case AND -> Exprs.and(chain(call, SqlKind.AND, place));
      case OR -> Exprs.or(chain(call, SqlKind.OR, place));
      case NOT -> negated(condition(call.operand(0), place));
      case EQUALS -> compare(Function.EQ, call, place);
      case NOT_EQUALS -> compare(Function.NE, call, place);
      case LESS_THAN -> compare(Function.LT, call, place);
      case LESS_THAN_OR_EQUAL -> compare(Function.LE, call, place);
      case GREATER_THAN -> compare(Function.GT, call, place);
      case GREATER_THAN_OR_EQUAL -> compare(Function.GE, call, place);
      case IS_DISTINCT_FROM -> compare(Function.IS_DISTINCT, call, place);
      case IS_NOT_DISTINCT_FROM -> compare(Function.IS_NOT_DISTINCT, call, place);
      case IS_NULL -> Exprs.test(Function.IS_NULL, bind(call.operand(0), place));
      case IS_NOT_NULL -> Exprs.test(Function.IS_NOT_NULL, bind(call.operand(0), place));
      case IS_TRUE -> truth(Function.IS_TRUE, call, place);
      case IS_NOT_TRUE -> truth(Function.IS_NOT_TRUE, call, place);
      case IS_FALSE -> truth(Function.IS_FALSE, call, place);
      case IS_NOT_FALSE -> truth(Function.IS_NOT_FALSE, call, place);
      case IS_UNKNOWN -> truth(Function.IS_NULL, call, place);
      case BETWEEN -> between(call, place);
      case IN, NOT_IN -> in(call, place);
      case LIKE, RLIKE, SIMILAR -> OperatorFunctions.like(call, new ClauseContext(place, binder));
      case CASE -> choice((SqlCase) call, place);
      case CAST, SAFE_CAST ->
          CastFunctions.cast(
              bind(call.operand(0), place), call.<SqlNode>operand(1), at, binder.dialect);
      case SCALAR_QUERY, SELECT, UNION, INTERSECT, EXCEPT, WITH, ORDER_BY, VALUES ->
          binder.subqueries.scalar(call, place);
      case SOME, ALL -> quantified(call, place);
      case EXISTS, UNIQUE -> throw SubqueryBinder.misplaced(call);
      case PLUS ->
          DialectMeanings.plus(
              bind(call.operand(0), place), bind(call.operand(1), place), at, binder.dialect);
      case MINUS ->
          DialectMeanings.minus(
              bind(call.operand(0), place), bind(call.operand(1), place), at, binder.dialect);
      case TIMES ->
          OperatorFunctions.times(
              OperatorFunctions.wide(bind(call.operand(0), place), binder.dialect),
              bind(call.operand(1), place),
              at);
      case DIVIDE -> DialectMeanings.divide(call, place, binder);
      case MOD ->
          DialectMeanings.rest(
              bind(call.operand(0), place), bind(call.operand(1), place), at, binder.dialect);
      case MINUS_PREFIX ->
          OperatorFunctions.negate(
              OperatorFunctions.wide(bind(call.operand(0), place), binder.dialect), at);
      case PLUS_PREFIX -> TypeRules.requireNumber(bind(call.operand(0), place), at);
      case ROW ->
          throw Rejections.of(
              RejectionCode.TYPE_MISMATCH,
              "A row of several values cannot stand here.",
              "Compare the columns one by one, joined with AND.",
              call);
      case OVER ->
          DialectMeanings.isRatio(call)
              ? bind(DialectMeanings.ratio(call), place)
              : WindowBinder.bind(call, place, binder);
      case FILTER, WITHIN_GROUP, WITHIN_DISTINCT, RESPECT_NULLS, IGNORE_NULLS ->
          AggregateBinder.bind(call, place, binder);
      default -> function(call, place);
    };
  }

  private Expr function(SqlCall call, ExpressionContext place) {
    String name = FunctionFinder.nameOf(call);
    if (DialectMeanings.isOfOneRow(name, call, binder.dialect)) {
      return bind(DialectMeanings.ofOneRow(name, call), place);
    }
    if (AggregateNames.isAggregate(name, call)) {
      return AggregateBinder.bind(call, place, binder);
    }
    return FunctionFinder.bind(name, call, new ClauseContext(place, binder));
  }

  /** The terms of a chain of ANDs or ORs, without recursion along the chain. */
  private List<Expr> chain(SqlCall call, SqlKind kind, ExpressionContext place) {
    List<SqlNode> nodes = terms(call, kind);
    List<Expr> terms = new ArrayList<>(nodes.size());
    for (SqlNode node : nodes) {
      terms.add(condition(node, place));
    }
    return terms;
  }

  /** What a left- or right-deep chain of one operator is made of, in order. */
  static List<SqlNode> terms(SqlNode node, SqlKind kind) {
    List<SqlNode> found = new ArrayList<>();
    List<SqlNode> stack = new ArrayList<>();
    stack.add(node);
    while (!stack.isEmpty()) {
      SqlNode next = stack.remove(stack.size() - 1);
      if (next.getKind() == kind) {
        List<SqlNode> operands = ((SqlCall) next).getOperandList();
        for (int i = operands.size() - 1; i >= 0; i--) {
          stack.add(operands.get(i));
        }
      } else {
        found.add(next);
      }
    }
    return found;
  }

  private Expr compare(Function function, SqlCall call, ExpressionContext place) {
    SqlNode left = call.operand(0);
    SqlNode right = call.operand(1);
    if (left.getKind() == SqlKind.ROW && right.getKind() == SqlKind.ROW) {
      return rows(function, call, (SqlCall) left, (SqlCall) right, place);
    }
    Optional<SqlNode> pattern = DialectMeanings.patIndex(call);
    if (pattern.isPresent()) {
      return bind(pattern.get(), place);
    }
    return TypeRules.compare(function, bind(left, place), bind(right, place), Rejections.at(call));
  }

  private Expr rows(
      Function function, SqlCall at, SqlCall left, SqlCall right, ExpressionContext place) {
    boolean equal = function == Function.EQ;
    if (!equal && function != Function.NE || left.operandCount() != right.operandCount()) {
      throw Rejections.unsupported(
          "This comparison of rows", "Compare the columns one by one, joined with AND.", at);
    }
    List<Expr> terms = new ArrayList<>();
    for (int i = 0; i < left.operandCount(); i++) {
      terms.add(
          TypeRules.compare(
              function,
              bind(left.operand(i), place),
              bind(right.operand(i), place),
              Rejections.at(at)));
    }
    return equal ? Exprs.and(terms) : Exprs.or(terms);
  }

  private Expr truth(Function function, SqlCall call, ExpressionContext place) {
    return Exprs.test(function, condition(call.operand(0), place));
  }

  private Expr between(SqlCall call, ExpressionContext place) {
    Position at = Rejections.at(call);
    SqlBetweenOperator operator = (SqlBetweenOperator) call.getOperator();
    Expr value = bind(call.operand(0), place);
    Expr low = bind(call.operand(1), place);
    Expr high = bind(call.operand(2), place);
    Expr inside = inside(value, low, high, at);
    if (operator.flag == SqlBetweenOperator.Flag.SYMMETRIC) {
      inside = Exprs.or(List.of(inside, inside(value, high, low, at)));
    }
    return operator.isNegated() ? negated(inside) : inside;
  }

  private static Expr inside(Expr value, Expr low, Expr high, Position at) {
    return Exprs.and(
        List.of(
            TypeRules.compare(Function.GE, value, low, at),
            TypeRules.compare(Function.LE, value, high, at)));
  }

  /** NOT, pushed through AND and OR. */
  static Expr negated(Expr expr) {
    if (expr instanceof Expr.Call call
        && (call.function() == Function.AND || call.function() == Function.OR)) {
      List<Expr> terms = new ArrayList<>(call.arguments().size());
      for (Expr term : call.arguments()) {
        terms.add(negated(term));
      }
      return call.function() == Function.AND ? Exprs.or(terms) : Exprs.and(terms);
    }
    return Exprs.not(expr);
  }

  /** x = ANY (…) and its kin with a list, which may stand anywhere. */
  private Expr quantified(SqlCall call, ExpressionContext place) {
    QuantifiedComparison asked = QuantifiedComparison.of(call, false);
    if (asked.query() != null) {
      throw SubqueryBinder.misplaced(call);
    }
    return condition(asked.listed(), place);
  }

  private Expr in(SqlCall call, ExpressionContext place) {
    if (!(call.operand(1) instanceof SqlNodeList list)) {
      throw SubqueryBinder.misplaced(call);
    }
    if (list.size() == 1 && list.get(0).isA(SqlKind.QUERY)) {
      throw SubqueryBinder.misplaced(call);
    }
    Expr found = OperatorFunctions.inList(call.operand(0), list, new ClauseContext(place, binder));
    return call.getKind() == SqlKind.NOT_IN ? negated(found) : found;
  }

  private Expr choice(SqlCase choice, ExpressionContext place) {
    Position at = Rejections.at(choice);
    Optional<Expr> operand =
        Optional.ofNullable(choice.getValueOperand()).map(node -> bind(node, place));
    List<Expr> conditions = new ArrayList<>();
    List<Expr> values = new ArrayList<>();
    for (int i = 0; i < choice.getWhenOperands().size(); i++) {
      SqlNode when = choice.getWhenOperands().get(i);
      for (SqlNode one : when instanceof SqlNodeList list ? list : List.of(when)) {
        conditions.add(
            operand.isPresent()
                ? TypeRules.compare(Function.EQ, operand.get(), bind(one, place), at)
                : condition(one, place));
        values.add(bind(choice.getThenOperands().get(i), place));
      }
    }
    SqlNode last = choice.getElseOperand();
    if (last instanceof SqlLiteral literal && literal.getValue() == null) {
      last = null;
    }
    if (last != null) {
      values.add(bind(last, place));
    }
    List<Expr> fitted = TypeRules.unify(values, at);
    Type type = TypeRules.typeOf(fitted);
    List<Expr.Case.Branch> branches = new ArrayList<>();
    for (int i = 0; i < conditions.size(); i++) {
      branches.add(new Expr.Case.Branch(conditions.get(i), fitted.get(i)));
    }
    Optional<Expr> otherwise =
        last == null ? Optional.empty() : Optional.of(fitted.get(fitted.size() - 1));
    return new Expr.Case(branches, otherwise, type);
  }
}
