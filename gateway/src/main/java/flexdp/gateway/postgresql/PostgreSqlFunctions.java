package flexdp.gateway.postgresql;

import static flexdp.gateway.postgresql.PostgreSql.once;

import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.gateway.render.FunctionSpelling;
import flexdp.gateway.render.FunctionTable;
import flexdp.gateway.render.RenderedExpression;
import flexdp.gateway.render.Sql;
import flexdp.gateway.render.TimeUnits;
import flexdp.policy.Type;
import java.util.List;

/** PostgreSQL's spelling of the functions; CASE turns what would raise into NULL. */
final class PostgreSqlFunctions extends FunctionSpelling {
  private static final Type NUMERIC = Type.decimal(38, 10);

  private static final String LOCAL = " COLLATE pg_catalog.\"default\"";

  private final PostgreSql dialect;

  PostgreSqlFunctions(PostgreSql dialect) {
    super(dialect, FunctionTable.Each::postgresql);
    this.dialect = dialect;
  }

  @Override
  protected String own(Function function, List<RenderedExpression> args, Type type) {
    return switch (function) {
      case PLUS -> arithmetic("+", args, type);
      case MINUS -> arithmetic("-", args, type);
      case TIMES -> arithmetic("*", args, type);
      case DIVIDE -> divide(args, type);
      case MOD -> modulo(args, type);
      case NEGATE ->
          isDouble(type) || type.isInterval()
              ? "(-" + args.get(0).sql() + ")"
              : result("-" + exact(args.get(0)), type);
      case ABS ->
          isDouble(type)
              ? "pg_catalog.abs(" + args.get(0).sql() + ")"
              : result("pg_catalog.abs(" + exact(args.get(0)) + ")", type);
      case FLOOR -> whole("floor", args.get(0), type);
      case CEIL -> whole("ceil", args.get(0), type);
      case ROUND -> round(args, type);
      case SQRT -> guarded(args, type, "{v} >= 0", "pg_catalog.sqrt({v})");
      case LN -> guarded(args, type, "{v} > 0", "pg_catalog.ln({v})");
      case LOG10 -> guarded(args, type, "{v} > 0", "pg_catalog.log({v})");
      case EXP ->
          guarded(
              args,
              type,
              "{v} BETWEEN -1e308 AND 709",
              "CASE WHEN {v} < -700 THEN 0 ELSE pg_catalog.exp({v}) END");
      case POWER -> power(args, type);
      case LEAST, GREATEST -> function + "(" + converted(args, type) + collation(type) + ")";
      case LOWER -> local("lower", args.get(0));
      case UPPER -> local("upper", args.get(0));
      case SUBSTRING -> substring(args);
      case LEFT -> "pg_catalog.left(" + text(args.get(0)) + ", " + small(args.get(1)) + ")";
      case RIGHT -> "pg_catalog.right(" + text(args.get(0)) + ", " + small(args.get(1)) + ")";
      case LIKE -> like("LIKE", args);
      case ILIKE -> like("ILIKE", args);
      case EXTRACT -> PostgreSqlDates.extract(TimeUnits.of(args), args.get(1));
      case DATE_TRUNC -> PostgreSqlDates.truncate(TimeUnits.of(args), args.get(1), type);
      case DATE_ADD -> PostgreSqlDates.add(args.get(0), args.get(1), type);
      case DATE_DIFF -> PostgreSqlDates.difference(TimeUnits.of(args), args.get(1), args.get(2));
      default -> throw unspelled(function);
    };
  }

  /** Exact numbers in NUMERIC; the result is NULL where the declared type cannot hold it. */
  private String arithmetic(String operator, List<RenderedExpression> args, Type type) {
    RenderedExpression left = args.get(0);
    RenderedExpression right = args.get(1);
    if (type.isInterval()) {
      return switch (operator) {
        case "*" -> PostgreSqlDates.times(left, right);
        case "+" -> PostgreSqlDates.sum(left, right);
        default -> PostgreSqlDates.between(right, left);
      };
    }
    if (!isDouble(type)) {
      boolean exact =
          type.kind() == Type.Kind.DECIMAL
              && PostgreSqlArithmetic.keepsDigits(operator, left.type(), right.type(), type);
      return exact
          ? PostgreSqlArithmetic.checked(operator, left, right, type)
          : result(exact(left) + " " + operator + " " + exact(right), type);
    }
    String one = real(left);
    String two = real(right);
    boolean times = operator.equals("*");
    // What is read twice for nothing need not be computed once; a subquery costs more than both.
    return isPlain(left) && isPlain(right)
        ? "(" + (times ? product(one, two) : sum(operator, one, two)) + ")"
        : pair(one, two, times ? product("a", "b") : sum(operator, "a", "b"));
  }

  private static boolean isPlain(RenderedExpression operand) {
    return operand.type().kind() == Type.Kind.DOUBLE
        && (operand.expr() instanceof Expr.Literal || operand.expr() instanceof Expr.Ref);
  }

  /**
   * A product too small for a double raises as one too large does; exact zero is no such case, and
   * has no sign. NULL beside NULL, NaN, which is above Infinity here, and infinities.
   */
  private static String product(String a, String b) {
    return Sql.of(
        "CASE WHEN pg_catalog.abs({a}) BETWEEN 1e-150 AND 1e150 AND pg_catalog.abs({b}) BETWEEN"
            + " 1e-150 AND 1e150 THEN {a} * {b} WHEN {a} = 0 AND pg_catalog.abs({b}) {finite} OR"
            + " {b} = 0 AND pg_catalog.abs({a}) {finite} THEN 0 END",
        a,
        b,
        "< 'Infinity'::pg_catalog.float8");
  }

  /** NULL beside NaN and infinities too. */
  private static String sum(String operator, String a, String b) {
    return Sql.of(
        "CASE WHEN pg_catalog.abs({a}) <= 1e307 AND pg_catalog.abs({b}) <= 1e307 THEN {a} {operator}"
            + " {b} END",
        a,
        b,
        operator);
  }

  private String divide(List<RenderedExpression> args, Type type) {
    RenderedExpression left = args.get(0);
    RenderedExpression right = args.get(1);
    if (type.isInteger()) {
      return result("pg_catalog.div(" + exact(left) + ", NULLIF(" + exact(right) + ", 0))", type);
    }
    if (!isDouble(type)) {
      return result(exact(left) + " / NULLIF(" + exact(right) + ", 0)", type);
    }
    return pair(
        real(left),
        real(right),
        "CASE WHEN b = 0 THEN NULL WHEN a = 0 THEN a / b + 0 WHEN pg_catalog.abs(a) BETWEEN"
            + " 1e-150 AND 1e150 AND pg_catalog.abs(b) BETWEEN 1e-150 AND 1e150 THEN a / b"
            + " END");
  }

  private String modulo(List<RenderedExpression> args, Type type) {
    if (!isDouble(type)) {
      return result(
          "pg_catalog.mod(" + exact(args.get(0)) + ", NULLIF(" + exact(args.get(1)) + ", 0))",
          type);
    }
    return pair(
        real(args.get(0)),
        real(args.get(1)),
        "CASE WHEN b <> 0 AND pg_catalog.abs(a) <= 1e150 AND pg_catalog.abs(b) BETWEEN 1e-150"
            + " AND 1e150 THEN CAST(pg_catalog.mod(CAST(a AS NUMERIC), CAST(b AS NUMERIC)) AS"
            + " DOUBLE PRECISION) END");
  }

  private String power(List<RenderedExpression> args, Type type) {
    String real =
        pair(
            real(args.get(0)),
            real(args.get(1)),
            "CASE WHEN a IS NULL THEN NULL WHEN b = 0 THEN 1 WHEN a = 0 THEN CASE WHEN b > 0"
                + " THEN 0 END WHEN pg_catalog.abs(b) <= 1e6 AND pg_catalog.abs(a) BETWEEN"
                + " 1e-300 AND 1e300 AND (a > 0 OR b = pg_catalog.floor(b)) THEN CASE WHEN b *"
                + " pg_catalog.ln(pg_catalog.abs(a)) < -700 THEN 0 WHEN b *"
                + " pg_catalog.ln(pg_catalog.abs(a)) < 700 THEN pg_catalog.power(a, b) END"
                + " END");
    return dialect.cast(real, Type.DOUBLE, type);
  }

  /** Two values computed once each and named a and b. */
  private static String pair(String one, String two, String body) {
    return Sql.of("(SELECT {body} FROM (SELECT {one} AS a, {two} AS b) AS pair)", body, one, two);
  }

  /** Of a finite number for which a condition holds. */
  private String guarded(List<RenderedExpression> args, Type type, String condition, String body) {
    String guard = "CASE WHEN {v} < 'Infinity'::pg_catalog.float8 AND " + condition;
    String sql = once(real(args.getFirst()), v -> Sql.of(guard + " THEN " + body + " END", v));
    return dialect.cast(sql, Type.DOUBLE, type);
  }

  private String whole(String function, RenderedExpression operand, Type type) {
    String sql = "pg_catalog." + function + "(" + operand.sql() + ")";
    if (operand.type().isInteger()) {
      return result(exact(operand), type);
    }
    return isDouble(operand.type()) ? dialect.cast(sql, Type.DOUBLE, type) : result(sql, type);
  }

  private String round(List<RenderedExpression> args, Type type) {
    int digits = digits(args, 30);
    if (!isDouble(args.get(0).type())) {
      return result("pg_catalog.round(" + exact(args.get(0)) + ", " + digits + ")", type);
    }
    String rounded =
        once(
            args.get(0).sql(),
            v ->
                Sql.of(
                    "CASE WHEN {v} BETWEEN '-1e300'::pg_catalog.float8 AND"
                        + " '1e300'::pg_catalog.float8 THEN pg_catalog.round(CAST({v} AS NUMERIC),"
                        + " {digits}) END",
                    v,
                    digits));
    return dialect.cast(rounded, NUMERIC, type);
  }

  private String substring(List<RenderedExpression> args) {
    String text = text(args.get(0));
    if (args.size() < 3) {
      return "pg_catalog.substr(" + text + ", " + small(args.get(1)) + ")";
    }
    String length = once(small(args.get(2)), v -> Sql.of("CASE WHEN {v} >= 0 THEN {v} END", v));
    return "pg_catalog.substr(" + text + ", " + small(args.get(1)) + ", " + length + ")";
  }

  /** LIKE without an escape character unless one was given. */
  private String like(String operator, List<RenderedExpression> args) {
    return Sql.of(
        "({text}{collation} {operator} {pattern} ESCAPE {escape})",
        text(args.get(0)),
        operator.equals("ILIKE") ? LOCAL : "",
        operator,
        args.get(1).sql(),
        args.size() > 2 ? args.get(2).sql() : "''");
  }

  private String result(String numeric, Type type) {
    return type.isInteger()
        ? dialect.cast("(" + numeric + ")", Type.decimal(38, 0), type)
        : isDouble(type)
            ? dialect.cast("(" + numeric + ")", NUMERIC, type)
            : PostgreSqlCasts.toDecimal(dialect, "(" + numeric + ")", NUMERIC, type);
  }

  private static String exact(RenderedExpression operand) {
    return "CAST(" + operand.sql() + " AS NUMERIC)";
  }

  /** A position or length: kept within a billion, where no function overflows. */
  private String small(RenderedExpression operand) {
    return once(
        whole(operand),
        v ->
            Sql.of(
                "CAST(CASE WHEN {v} > 1000000000 THEN 1000000000 WHEN {v} < -1000000000 THEN"
                    + " -1000000000 ELSE {v} END AS INTEGER)",
                v));
  }

  /** By the database's locale: a column that is read by its bytes would have ASCII letters only. */
  private String local(String name, RenderedExpression text) {
    return Sql.of(
        "(pg_catalog.{name}({text}{local}){bytes})",
        name,
        text(text),
        LOCAL,
        PostgreSql.BY_CODE_POINT);
  }

  private static String collation(Type type) {
    return PostgreSql.isText(type) ? PostgreSql.BY_CODE_POINT : "";
  }
}
