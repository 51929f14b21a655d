package flexdp.gateway.sqlite;

import static flexdp.gateway.sqlite.Sqlite.once;

import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.gateway.render.FunctionSpelling;
import flexdp.gateway.render.FunctionTable;
import flexdp.gateway.render.LikePattern;
import flexdp.gateway.render.RenderedExpression;
import flexdp.gateway.render.Sql;
import flexdp.gateway.render.SqlConstants;
import flexdp.gateway.render.TimeUnits;
import flexdp.policy.Type;
import java.util.List;
import java.util.Locale;

/**
 * SQLite's spelling of the functions. Its own upper and lower case know only ASCII, and its LIKE
 * knows no case: functions of ours (flexdp_...) and GLOB stand in for them.
 */
final class SqliteFunctions extends FunctionSpelling {
  SqliteFunctions(Sqlite dialect) {
    super(dialect, FunctionTable.Each::sqlite);
  }

  @Override
  protected String own(Function function, List<RenderedExpression> args, Type type) {
    return switch (function) {
      case PLUS -> arithmetic("+", args, type);
      case MINUS -> arithmetic("-", args, type);
      case TIMES -> arithmetic("*", args, type);
      case DIVIDE -> divide(args, type);
      case MOD -> modulo(args, type);
      case NEGATE -> unary("(-" + scaled(args.get(0), type) + ")", type);
      case ABS ->
          once(
              scaled(args.get(0), type),
              v -> unary(Sql.of("(CASE WHEN {v} < 0 THEN -{v} ELSE {v} END)", v), type));
      case FLOOR -> whole("floor", args.get(0), type);
      case CEIL -> whole("ceil", args.get(0), type);
      case ROUND -> round(args, type);
      case EXP -> finite("exp(" + real(args.get(0)) + ")", type);
      case POWER -> finite("pow(" + real(args.get(0)) + ", " + real(args.get(1)) + ")", type);
      case LEAST -> extreme("min", args, type);
      case GREATEST -> extreme("max", args, type);
      case SUBSTRING -> substring(args);
      case REPLACE -> replace(args);
      case LEFT -> part(args, "substr(t, 1, {length})");
      case RIGHT -> part(args, "substr(t, max(1, length(t) + 1 - ({length})))");
      case LIKE -> "(" + text(args.get(0)) + " GLOB " + glob(LikePattern.of(args), false) + ")";
      case ILIKE ->
          "(flexdp_lower(" + text(args.get(0)) + ") GLOB " + glob(LikePattern.of(args), true) + ")";
      case STARTS_WITH ->
          once(
              text(args.get(1)),
              v -> Sql.of("(substr({x}, 1, length({v})) = {v})", text(args.get(0)), v));
      case EXTRACT -> SqliteDates.extract(TimeUnits.of(args), args.get(1));
      case DATE_TRUNC -> SqliteDates.truncate(TimeUnits.of(args), args.get(1));
      case DATE_ADD -> SqliteDates.add(args.get(0), args.get(1), type);
      case DATE_DIFF -> SqliteDates.difference(TimeUnits.of(args), args.get(1), args.get(2));
      default -> throw unspelled(function);
    };
  }

  private String arithmetic(String operator, List<RenderedExpression> args, Type type) {
    RenderedExpression left = args.get(0);
    RenderedExpression right = args.get(1);
    if (isDouble(type)) {
      return finite("(" + real(left) + " " + operator + " " + real(right) + ")");
    }
    if (type.isInterval() && !(isWholeNumber(left.type()) && isWholeNumber(right.type()))) {
      throw SqliteDates.unsupported("A part of an interval");
    }
    if (operator.equals("*")) {
      int scale = left.type().scale() + right.type().scale();
      String product = "(" + left.sql() + " * " + right.sql() + ")";
      if (scale > type.scale()) {
        product = "(" + SqliteCasts.exact(product, Type.BIGINT) + ")";
      }
      return SqliteCasts.exact(SqliteCasts.rescaled(product, scale, type.scale()), type);
    }
    return SqliteCasts.exact(
        "(" + scaled(left, type) + " " + operator + " " + scaled(right, type) + ")", type);
  }

  private static boolean isWholeNumber(Type type) {
    return type.isInteger() || type.isInterval();
  }

  private String divide(List<RenderedExpression> args, Type type) {
    RenderedExpression left = args.get(0);
    RenderedExpression right = args.get(1);
    if (type.isInteger()) {
      return SqliteCasts.exact(
          "(" + scaled(left, type) + " / NULLIF(" + scaled(right, type) + ", 0))", type);
    }
    String quotient = finite("(" + real(left) + " / NULLIF(" + real(right) + ", 0.0))");
    return SqliteCasts.cast(quotient, Type.DOUBLE, type);
  }

  private String modulo(List<RenderedExpression> args, Type type) {
    return isDouble(type)
        ? "mod(" + real(args.get(0)) + ", NULLIF(" + real(args.get(1)) + ", 0.0))"
        : SqliteCasts.exact(
            "(" + scaled(args.get(0), type) + " % NULLIF(" + scaled(args.get(1), type) + ", 0))",
            type);
  }

  /** Checked for having outgrown its type. */
  private static String unary(String sql, Type type) {
    return isDouble(type) ? sql : SqliteCasts.exact(sql, type);
  }

  /** The operand in the units of the result. */
  private String scaled(RenderedExpression operand, Type type) {
    return isDouble(type)
        ? real(operand)
        : operand.type().isExact()
            ? SqliteCasts.rescaled(operand.sql(), operand.type().scale(), type.scale())
            : type.isInterval()
                ? operand.sql()
                : SqliteCasts.cast(operand.sql(), operand.type(), type);
  }

  private static String whole(String function, RenderedExpression value, Type type) {
    if (isDouble(value.type())) {
      return SqliteCasts.cast(function + "(" + value.sql() + ")", Type.DOUBLE, type);
    }
    int scale = value.type().scale();
    String step = SqliteCasts.power(scale);
    String down =
        scale == 0
            ? value.sql()
            : function.equals("floor")
                ? SqliteCasts.floor(value.sql(), Long.parseLong(step))
                : "(-" + SqliteCasts.floor("(-" + value.sql() + ")", Long.parseLong(step)) + ")";
    return SqliteCasts.cast(down, Type.decimal(18, 0), type);
  }

  private static String round(List<RenderedExpression> args, Type type) {
    RenderedExpression value = args.get(0);
    int digits = digits(args, 18);
    if (isDouble(value.type())) {
      String rounded =
          digits >= 0
              ? "round(" + value.sql() + ", " + digits + ")"
              : finite("(round(" + value.sql() + " / 1e" + -digits + ") * 1e" + -digits + ")");
      return SqliteCasts.cast(rounded, Type.DOUBLE, type);
    }
    int scale = value.type().scale();
    if (digits >= scale) {
      return SqliteCasts.exact(SqliteCasts.rescaled(value.sql(), scale, type.scale()), type);
    }
    if (scale - digits > 18) {
      return SqliteCasts.cast("0", Type.INTEGER, type);
    }
    String kept = SqliteCasts.rescaled(value.sql(), scale, digits);
    return digits >= 0
        ? SqliteCasts.exact(SqliteCasts.rescaled(kept, digits, type.scale()), type)
        : SqliteCasts.exact(
            Sql.of(
                "({kept} * {tens} * {unit})",
                kept,
                SqliteCasts.power(-digits),
                SqliteCasts.power(type.scale())),
            type);
  }

  static String finite(String sql) {
    return once(sql, v -> Sql.of("CASE WHEN abs({v}) < 9e999 THEN {v} END", v));
  }

  private static String finite(String sql, Type type) {
    return SqliteCasts.cast(finite(sql), Type.DOUBLE, type);
  }

  /** The aggregate passes over NULLs, the function of several arguments does not. */
  private static String extreme(String name, List<RenderedExpression> args, Type type) {
    List<String> all = args.stream().map(a -> SqliteCasts.cast(a.sql(), a.type(), type)).toList();
    if (args.size() == 2 && args.stream().allMatch(RenderedExpression::isSimple)) {
      String list = String.join(", ", all);
      return "COALESCE(" + name + "(" + list + "), " + list + ")";
    }
    return Sql.of(
        "(SELECT {name}(v) FROM (SELECT {first} AS v UNION ALL SELECT {rest}))",
        name,
        all.getFirst(),
        String.join(" UNION ALL SELECT ", all.subList(1, all.size())));
  }

  /** Positions before the first character take up length, as the standard has it. */
  private String substring(List<RenderedExpression> args) {
    String text = text(args.get(0));
    String from = place(args.get(1));
    if (args.size() < 3) {
      return "substr(" + text + ", max(1, " + from + "))";
    }
    return Sql.of(
        "(SELECT CASE WHEN n >= 0 THEN substr(t, max(1, f), max(0, n + min(0, f - 1))) END FROM"
            + " (SELECT {text} AS t, {from} AS f, {n} AS n))",
        text,
        from,
        place(args.get(2)));
  }

  /** NULL at any NULL; SQLite does not look at the new text where the old one is empty. */
  private String replace(List<RenderedExpression> args) {
    String sql = "replace(" + texts(args) + ")";
    boolean present = args.get(2).expr() instanceof Expr.Literal literal && !literal.isNull();
    return present ? sql : "(CASE WHEN " + text(args.get(2)) + " IS NOT NULL THEN " + sql + " END)";
  }

  private String part(List<RenderedExpression> args, String kept) {
    return Sql.of(
        "(SELECT {kept} FROM (SELECT {text} AS t, {n} AS n))",
        Sql.of(kept, "CASE WHEN n >= 0 THEN n ELSE max(0, length(t) + n) END"),
        text(args.get(0)),
        place(args.get(1)));
  }

  /** A position or length, kept within a billion. */
  private static String place(RenderedExpression operand) {
    return "min(1000000000, max(-1000000000, "
        + SqliteCasts.cast(operand.sql(), operand.type(), Type.BIGINT)
        + "))";
  }

  private static String glob(LikePattern pattern, boolean lower) {
    String text = lower ? pattern.text().toLowerCase(Locale.ROOT) : pattern.text();
    StringBuilder glob = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean escaped = c == LikePattern.ESCAPE;
      c = escaped ? text.charAt(++i) : c;
      switch (c) {
        case '%' -> glob.append(escaped ? "%" : "*");
        case '_' -> glob.append(escaped ? "_" : "?");
        case '*', '?', '[' -> glob.append('[').append(c).append(']');
        default -> glob.append(c);
      }
    }
    return SqlConstants.quoted(glob.toString(), "char(0)");
  }
}
