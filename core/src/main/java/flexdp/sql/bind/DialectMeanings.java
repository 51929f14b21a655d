package flexdp.sql.bind;

import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Function;
import flexdp.failure.Position;
import flexdp.policy.DialectSpelling;
import flexdp.policy.InputDialect;
import flexdp.policy.SpellingMeaning;
import flexdp.policy.Type;
import flexdp.sql.function.FunctionFinder;
import flexdp.sql.function.OperatorFunctions;
import flexdp.sql.function.Rejections;
import flexdp.sql.function.TypeRules;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlLibraryOperators;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/** Where one spelling has several meanings: the one that the question's dialect gives it. */
final class DialectMeanings {
  private DialectMeanings() {}

  /** a / b: whole or not; a DIV b always whole. */
  static Expr divide(SqlCall call, ExpressionContext place, BindingContext binder) {
    Position at = Rejections.at(call);
    Expr a = binder.expressions.bind(call.operand(0), place);
    if (isWhole(call.operand(1))) {
      SqlCall marked = call.operand(1);
      Expr b = binder.expressions.bind(marked.operand(0), place);
      Expr quotient = OperatorFunctions.divide(a, b, at);
      return quotient.type().isInteger() ? quotient : OperatorFunctions.towardsZero(quotient);
    }
    Expr b = binder.expressions.bind(call.operand(1), place);
    boolean whole = a.type().isInteger() && b.type().isInteger();
    boolean real =
        DialectSpelling.QUOTIENT.in(binder.dialect) == SpellingMeaning.REAL
            || isReal(call.operand(0), place, binder)
            || isReal(call.operand(1), place, binder);
    return whole && real
        ? OperatorFunctions.divide(Exprs.as(a, Type.DOUBLE), Exprs.as(b, Type.DOUBLE), at)
        : OperatorFunctions.divide(a, b, at);
  }

  /**
   * Whether what is a whole number here is none in the dialect, and so is a quotient of it: parts
   * of a moment and what is rounded, and what stays of their type, until a cast.
   */
  static boolean isReal(SqlNode node, ExpressionContext place, BindingContext binder) {
    if (node instanceof SqlIdentifier) {
      return binder.ids.hasReal()
          && binder.expressions.bind(node, place) instanceof Expr.Ref ref
          && binder.ids.isReal(ref.column());
    }
    if (!(node instanceof SqlCall call)) {
      return false;
    }
    return switch (FunctionFinder.nameOf(call)) {
      case "EXTRACT", "DATE_PART" -> isReal(DialectSpelling.PART_QUOTIENT, binder);
      case "ROUND" -> isReal(DialectSpelling.ROUNDED_QUOTIENT, binder);
      case "FLOOR", "CEIL", "CEILING", "SIGN", "SGN", "TRUNC", "TRUNCATE", "DIV" ->
          isReal(DialectSpelling.FLOOR_QUOTIENT, binder);
      case "+",
          "-",
          "*",
          "%",
          "MOD",
          "ABS",
          "COALESCE",
          "IFNULL",
          "NULLIF",
          "LEAST",
          "GREATEST",
          "SUM",
          "MIN",
          "MAX" ->
          call.getOperandList().stream().anyMatch(operand -> isReal(operand, place, binder));
      default -> false;
    };
  }

  private static boolean isReal(DialectSpelling quotient, BindingContext binder) {
    return quotient.in(binder.dialect) == SpellingMeaning.REAL;
  }

  private static boolean isWhole(SqlNode node) {
    return node instanceof SqlCall call && FunctionFinder.nameOf(call).equals("FLEXDP_DIV");
  }

  /** a + b: text is put together in T-SQL. */
  static Expr plus(Expr a, Expr b, Position at, InputDialect dialect) {
    boolean text = a.type().kind() == Type.Kind.VARCHAR && b.type().kind() == Type.Kind.VARCHAR;
    return text && dialect == InputDialect.TSQL
        ? Exprs.call(Function.CONCAT, Type.VARCHAR, a, b)
        : OperatorFunctions.plus(OperatorFunctions.wide(days(a, b, at, dialect), dialect), b, at);
  }

  static Expr minus(Expr a, Expr b, Position at, InputDialect dialect) {
    return OperatorFunctions.minus(OperatorFunctions.wide(days(a, b, at, dialect), dialect), b, at);
  }

  /** A day beside a number or a day, where a dialect would add up their digits. */
  private static Expr days(Expr a, Expr b, Position at, InputDialect dialect) {
    boolean days =
        a.type().isDateTime() && (b.type().isNumeric() || b.type().isDateTime())
            || a.type().isNumeric() && b.type().isDateTime();
    if (days && DialectSpelling.DAYS.in(dialect) == SpellingMeaning.NO_SENSE) {
      throw Rejections.types(
          "In the dialect " + dialect.word() + " this would be a sum of digits.",
          dialect == InputDialect.SQLITE
              ? "Write DATE(d, '+1 day'), or JULIANDAY(d) - JULIANDAY(e)."
              : "Write d + INTERVAL 1 DAY, or DATEDIFF(d, e).",
          at);
    }
    return a;
  }

  /** a % b: of the whole parts in SQLite. */
  static Expr rest(Expr a, Expr b, Position at, InputDialect dialect) {
    boolean whole = DialectSpelling.REST.in(dialect) == SpellingMeaning.WHOLE_REST;
    if (!whole || !a.type().isNumeric() || !b.type().isNumeric()) {
      return OperatorFunctions.mod(a, b, at);
    }
    Expr rest = OperatorFunctions.mod(whole(a), whole(b), at);
    return a.type().isInteger() && b.type().isInteger() ? rest : Exprs.as(rest, Type.DOUBLE);
  }

  private static Expr whole(Expr x) {
    return x.type().isInteger() ? x : Exprs.as(OperatorFunctions.towardsZero(x), Type.BIGINT);
  }

  /** PATINDEX(p, x) > 0 of T-SQL is x LIKE p; the place itself has no rule. */
  static Optional<SqlNode> patIndex(SqlCall comparison) {
    boolean zero =
        comparison.operand(1) instanceof SqlLiteral literal && literal.toString().equals("0");
    if (!zero
        || !(comparison.operand(0) instanceof SqlCall call)
        || !FunctionFinder.nameOf(call).equals("PATINDEX")
        || call.operandCount() != 2) {
      return Optional.empty();
    }
    SqlOperator like =
        switch (comparison.getKind()) {
          case GREATER_THAN, NOT_EQUALS -> SqlStdOperatorTable.LIKE;
          case EQUALS -> SqlStdOperatorTable.NOT_LIKE;
          default -> null;
        };
    return Optional.ofNullable(like)
        .map(l -> l.createCall(call.getParserPosition(), call.operand(1), call.operand(0)));
  }

  /** A number as a condition, where a dialect has no booleans of its own. */
  static Expr condition(Expr expr, Position at, InputDialect dialect) {
    boolean number = expr.type().isNumeric() && !(expr instanceof Expr.Literal);
    return number && (dialect == InputDialect.MYSQL || dialect == InputDialect.SQLITE)
        ? TypeRules.compare(Function.NE, expr, Exprs.integer(0), at)
        : TypeRules.condition(expr, at);
  }

  /** MIN and MAX of several values in one row, as SQLite has them. */
  static boolean isOfOneRow(String name, SqlCall call, InputDialect dialect) {
    return dialect == InputDialect.SQLITE
        && call.operandCount() > 1
        && (name.equals("MIN") || name.equals("MAX"));
  }

  static SqlCall ofOneRow(String name, SqlCall call) {
    return (name.equals("MIN") ? SqlLibraryOperators.LEAST : SqlLibraryOperators.GREATEST)
        .createCall(call.getParserPosition(), call.getOperandList());
  }

  /** RATIO_TO_REPORT(x) OVER w is x divided by its sum over w. */
  static SqlNode ratio(SqlCall over) {
    SqlCall function = over.operand(0);
    SqlNode x = function.operand(0);
    SqlNode sum = SqlStdOperatorTable.SUM.createCall(over.getParserPosition(), x);
    SqlNode total =
        SqlStdOperatorTable.OVER.createCall(over.getParserPosition(), sum, over.operand(1));
    SqlNode real =
        SqlStdOperatorTable.MULTIPLY.createCall(
            over.getParserPosition(),
            x,
            org.apache.calcite.sql.SqlLiteral.createApproxNumeric("1e0", over.getParserPosition()));
    return SqlStdOperatorTable.DIVIDE.createCall(over.getParserPosition(), real, total);
  }

  static boolean isRatio(SqlCall over) {
    return over.operand(0) instanceof SqlCall function
        && FunctionFinder.nameOf(function).equals("RATIO_TO_REPORT")
        && function.operandCount() == 1;
  }

  /** The elements of a list of constants; null of anything else. */
  static List<SqlNode> elements(SqlNode node) {
    return node instanceof SqlCall call && FunctionFinder.nameOf(call).equals("FLEXDP_LIST")
        ? call.getOperandList()
        : null;
  }
}
