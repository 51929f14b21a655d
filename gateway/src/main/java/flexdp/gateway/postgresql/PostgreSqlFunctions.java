package flexdp.gateway.postgresql;

import static flexdp.gateway.postgresql.PostgreSql.once;

import flexdp.algebra.Expr;
import flexdp.gateway.render.FunctionSpelling;
import flexdp.gateway.render.Operand;
import flexdp.gateway.render.Spelled;
import flexdp.gateway.render.Units;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** PostgreSQL's spelling of the functions; CASE turns what would raise into NULL. */
final class PostgreSqlFunctions extends FunctionSpelling {
  private static final Type NUMERIC = Type.decimal(38, 10);

  private static final String LOCAL = " COLLATE pg_catalog.\"default\"";

  private final PostgreSql dialect;

  PostgreSqlFunctions(PostgreSql dialect) {
    super(dialect);
    this.dialect = dialect;
  }

  @Override
  public String call(Spelled function, List<Operand> args, Type type) {
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
      case SIGN -> dialect.cast("pg_catalog.sign(" + real(args.get(0)) + ")", Type.DOUBLE, type);
      case FLOOR -> whole("floor", args.get(0), type);
      case CEIL -> whole("ceil", args.get(0), type);
      case ROUND -> round(args, type);
      case SQRT -> guarded(args.get(0), type, v -> v + " >= 0", v -> "pg_catalog.sqrt(" + v + ")");
      case LN -> guarded(args.get(0), type, v -> v + " > 0", v -> "pg_catalog.ln(" + v + ")");
      case LOG10 -> guarded(args.get(0), type, v -> v + " > 0", v -> "pg_catalog.log(" + v + ")");
      case EXP ->
          guarded(
              args.get(0),
              type,
              v -> v + " BETWEEN -1e308 AND 709",
              v -> "CASE WHEN " + v + " < -700 THEN 0 ELSE pg_catalog.exp(" + v + ") END");
      case POWER -> power(args, type);
      case LEAST, GREATEST -> function + "(" + converted(args, type) + collation(type) + ")";
      case CONCAT -> args.stream().map(this::text).collect(Collectors.joining(" || ", "(", ")"));
      case LOWER, UPPER -> local(function, args.get(0));
      case LOWER_ASCII -> ascii("lower", args.get(0));
      case UPPER_ASCII -> ascii("upper", args.get(0));
      case REVERSE -> "pg_catalog.reverse(" + text(args.get(0)) + ")";
      case TRIM -> trim("btrim", args);
      case LTRIM -> trim("ltrim", args);
      case RTRIM -> trim("rtrim", args);
      case SUBSTRING -> substring(args);
      case CHAR_LENGTH -> count("char_length(" + text(args.get(0)) + ")", type);
      case BYTE_LENGTH ->
          count("octet_length(pg_catalog.convert_to(" + text(args.get(0)) + ", 'UTF8'))", type);
      case POSITION -> count("strpos(" + text(args.get(1)) + ", " + text(args.get(0)) + ")", type);
      case REPLACE -> "pg_catalog.replace(" + texts(args) + ")";
      case LEFT -> "pg_catalog.left(" + text(args.get(0)) + ", " + small(args.get(1)) + ")";
      case RIGHT -> "pg_catalog.right(" + text(args.get(0)) + ", " + small(args.get(1)) + ")";
      case LIKE -> like("LIKE", args);
      case ILIKE -> like("ILIKE", args);
      case STARTS_WITH -> "pg_catalog.starts_with(" + texts(args) + ")";
      case HASH -> hash(text(args.get(0)));
      case EXTRACT -> PostgreSqlDates.extract(Units.of(args), args.get(1));
      case DATE_TRUNC -> PostgreSqlDates.truncate(Units.of(args), args.get(1), type);
      case DATE_ADD -> PostgreSqlDates.add(args.get(0), args.get(1), type);
      case DATE_DIFF -> PostgreSqlDates.difference(Units.of(args), args.get(1), args.get(2));
    };
  }

  /** Fifteen hexadecimal digits, as the bits that they are. */
  private static String hash(String text) {
    return "(('x' || pg_catalog.substr(pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to("
        + text
        + ", 'UTF8')), 'hex'), 1, 15))::pg_catalog.bit(60)::pg_catalog.int8)";
  }

  /** Exact numbers in NUMERIC; the result is NULL where the declared type cannot hold it. */
  private String arithmetic(String operator, List<Operand> args, Type type) {
    Operand left = args.get(0);
    Operand right = args.get(1);
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
        : pair(one, two, times ? PostgreSqlFunctions::product : (a, b) -> sum(operator, a, b));
  }

  private static boolean isPlain(Operand operand) {
    return operand.type().kind() == Type.Kind.DOUBLE
        && (operand.expr() instanceof Expr.Literal || operand.expr() instanceof Expr.Ref);
  }

  /**
   * A product too small for a double raises as one too large does; exact zero is no such case, and
   * has no sign. NULL beside NULL, NaN, which is above Infinity here, and infinities.
   */
  private static String product(String a, String b) {
    String most = " < 'Infinity'::pg_catalog.float8";
    return ("CASE WHEN pg_catalog.abs(" + a + ") BETWEEN 1e-150 AND 1e150")
        + (" AND pg_catalog.abs(" + b + ") BETWEEN 1e-150 AND 1e150 THEN " + a + " * " + b)
        + (" WHEN " + a + " = 0 AND pg_catalog.abs(" + b + ")" + most)
        + (" OR " + b + " = 0 AND pg_catalog.abs(" + a + ")" + most + " THEN 0 END");
  }

  /** NULL beside NaN and infinities too. */
  private static String sum(String operator, String a, String b) {
    return ("CASE WHEN pg_catalog.abs(" + a + ") <= 1e307 AND pg_catalog.abs(" + b)
        + (") <= 1e307 THEN " + a + " " + operator + " " + b + " END");
  }

  private String divide(List<Operand> args, Type type) {
    Operand left = args.get(0);
    Operand right = args.get(1);
    if (type.isInteger()) {
      return result("pg_catalog.div(" + exact(left) + ", NULLIF(" + exact(right) + ", 0))", type);
    }
    if (!isDouble(type)) {
      return result(exact(left) + " / NULLIF(" + exact(right) + ", 0)", type);
    }
    return pair(
        real(left),
        real(right),
        (a, b) ->
            "CASE WHEN b = 0 THEN NULL WHEN a = 0 THEN a / b + 0 WHEN pg_catalog.abs(a) BETWEEN"
                + " 1e-150 AND 1e150 AND pg_catalog.abs(b) BETWEEN 1e-150 AND 1e150 THEN a / b"
                + " END");
  }

  private String modulo(List<Operand> args, Type type) {
    if (!isDouble(type)) {
      return result(
          "pg_catalog.mod(" + exact(args.get(0)) + ", NULLIF(" + exact(args.get(1)) + ", 0))",
          type);
    }
    return pair(
        real(args.get(0)),
        real(args.get(1)),
        (a, b) ->
            "CASE WHEN b <> 0 AND pg_catalog.abs(a) <= 1e150 AND pg_catalog.abs(b) BETWEEN 1e-150"
                + " AND 1e150 THEN CAST(pg_catalog.mod(CAST(a AS NUMERIC), CAST(b AS NUMERIC)) AS"
                + " DOUBLE PRECISION) END");
  }

  private String power(List<Operand> args, Type type) {
    String real =
        pair(
            real(args.get(0)),
            real(args.get(1)),
            (a, b) ->
                "CASE WHEN a IS NULL THEN NULL WHEN b = 0 THEN 1 WHEN a = 0 THEN CASE WHEN b > 0"
                    + " THEN 0 END WHEN pg_catalog.abs(b) <= 1e6 AND pg_catalog.abs(a) BETWEEN"
                    + " 1e-300 AND 1e300 AND (a > 0 OR b = pg_catalog.floor(b)) THEN CASE WHEN b *"
                    + " pg_catalog.ln(pg_catalog.abs(a)) < -700 THEN 0 WHEN b *"
                    + " pg_catalog.ln(pg_catalog.abs(a)) < 700 THEN pg_catalog.power(a, b) END"
                    + " END");
    return dialect.cast(real, Type.DOUBLE, type);
  }

  /** Two values computed once each and named a and b. */
  private static String pair(
      String one, String two, java.util.function.BinaryOperator<String> body) {
    return "(SELECT "
        + body.apply("a", "b")
        + " FROM (SELECT "
        + one
        + " AS a, "
        + two
        + " AS b) AS pair)";
  }

  private String guarded(
      Operand operand,
      Type type,
      java.util.function.UnaryOperator<String> condition,
      java.util.function.UnaryOperator<String> body) {
    String sql =
        once(
            real(operand),
            v ->
                "CASE WHEN "
                    + v
                    + " < 'Infinity'::pg_catalog.float8 AND "
                    + condition.apply(v)
                    + " THEN "
                    + body.apply(v)
                    + " END");
    return dialect.cast(sql, Type.DOUBLE, type);
  }

  private String whole(String function, Operand operand, Type type) {
    String sql = "pg_catalog." + function + "(" + operand.sql() + ")";
    if (operand.type().isInteger()) {
      return result(exact(operand), type);
    }
    return isDouble(operand.type()) ? dialect.cast(sql, Type.DOUBLE, type) : result(sql, type);
  }

  private String round(List<Operand> args, Type type) {
    String digits =
        args.size() > 1
                && args.get(1).expr() instanceof Expr.Literal l
                && l.value() instanceof BigDecimal d
            ? String.valueOf(Math.clamp(d.longValue(), -30, 30))
            : "0";
    if (!isDouble(args.get(0).type())) {
      return result("pg_catalog.round(" + exact(args.get(0)) + ", " + digits + ")", type);
    }
    String rounded =
        once(
            args.get(0).sql(),
            v ->
                "CASE WHEN "
                    + v
                    + " BETWEEN '-1e300'::pg_catalog.float8 AND '1e300'::pg_catalog.float8 THEN"
                    + " pg_catalog.round(CAST("
                    + v
                    + " AS NUMERIC), "
                    + digits
                    + ") END");
    return dialect.cast(rounded, NUMERIC, type);
  }

  /** Counted characters fit any integer; other types are converted. */
  private String count(String sql, Type type) {
    return "CAST(pg_catalog." + sql + " AS " + dialect.typeName(type) + ")";
  }

  private String substring(List<Operand> args) {
    String text = text(args.get(0));
    if (args.size() < 3) {
      return "pg_catalog.substr(" + text + ", " + small(args.get(1)) + ")";
    }
    String length = once(small(args.get(2)), v -> "CASE WHEN " + v + " >= 0 THEN " + v + " END");
    return "pg_catalog.substr(" + text + ", " + small(args.get(1)) + ", " + length + ")";
  }

  /** LIKE without an escape character unless one was given. */
  private String like(String operator, List<Operand> args) {
    return "("
        + text(args.get(0))
        + (operator.equals("ILIKE") ? LOCAL : "")
        + " "
        + operator
        + " "
        + args.get(1).sql()
        + " ESCAPE "
        + (args.size() > 2 ? args.get(2).sql() : "''")
        + ")";
  }

  private String result(String numeric, Type type) {
    return type.isInteger()
        ? dialect.cast("(" + numeric + ")", Type.decimal(38, 0), type)
        : isDouble(type)
            ? dialect.cast("(" + numeric + ")", NUMERIC, type)
            : PostgreSqlCasts.toDecimal(dialect, "(" + numeric + ")", NUMERIC, type);
  }

  private static String exact(Operand operand) {
    return "CAST(" + operand.sql() + " AS NUMERIC)";
  }

  /** A position or length: kept within a billion, where no function overflows. */
  private String small(Operand operand) {
    return once(
        whole(operand),
        v ->
            "CAST(CASE WHEN "
                + v
                + " > 1000000000 THEN 1000000000 WHEN "
                + v
                + " < -1000000000 THEN -1000000000 ELSE "
                + v
                + " END AS INTEGER)");
  }

  /** By the database's locale: a column that is read by its bytes would have ASCII letters only. */
  private String local(Spelled function, Operand text) {
    String name = function.name().toLowerCase(Locale.ROOT);
    return "(pg_catalog." + name + "(" + text(text) + LOCAL + ")" + PostgreSql.BY_CODE_POINT + ")";
  }

  private String trim(String function, List<Operand> args) {
    return "pg_catalog." + function + "(" + text(args.get(0)) + ", " + trimmed(args) + ")";
  }

  /** The collation by bytes knows no other letters. */
  private String ascii(String name, Operand text) {
    return "pg_catalog." + name + "(" + text(text) + PostgreSql.BY_CODE_POINT + ")";
  }

  private static String collation(Type type) {
    return PostgreSql.isText(type) ? PostgreSql.BY_CODE_POINT : "";
  }
}
