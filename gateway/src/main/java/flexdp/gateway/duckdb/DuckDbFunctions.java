package flexdp.gateway.duckdb;

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
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * DuckDB's spelling of the functions; TRY turns what would raise into NULL. Under a TRY stands one
 * call that may raise, and its arguments never do: DuckDB computes an expression that stands in two
 * places once and beforehand, which takes it out of the TRY around it.
 */
final class DuckDbFunctions extends FunctionSpelling {
  /** Decimals of as many digits are computed in 64 bits and cannot overflow. */
  private static final int FAST_DIGITS = 18;

  private final DuckDb dialect;

  DuckDbFunctions(DuckDb dialect) {
    super(dialect, FunctionTable.Each::duckdb);
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
      case FLOOR -> rounding("floor", args, type);
      case CEIL -> rounding("ceil", args, type);
      case ROUND -> rounding("round", args, type);
      case CONCAT -> concat(args);
      case SUBSTRING -> substring(args);
      case LEFT -> part("left", args);
      case RIGHT -> part("right", args);
      case LIKE -> like("LIKE", args);
      case ILIKE -> like("ILIKE", args);
      case EXTRACT -> extract(TimeUnits.of(args), args.get(1));
      case DATE_TRUNC -> truncate(TimeUnits.of(args), args.get(1), type);
      case DATE_ADD ->
          DuckDbCanonicalForm.of(
              tried(moment(args.get(0)) + " + " + args.get(1).sql(), type, false), type);
      case DATE_DIFF -> difference(TimeUnits.of(args), args.get(1), args.get(2));
      default -> throw unspelled(function);
    };
  }

  /** Many texts in one go: with ||, each is copied once more for every one behind it. */
  private String concat(List<RenderedExpression> args) {
    boolean there = args.stream().allMatch(arg -> isThere(arg.expr()));
    return there && args.size() > 2 ? "concat(" + texts(args) + ")" : "(" + joined(args) + ")";
  }

  /** Never NULL, which DuckDB's function would leave out. */
  private static boolean isThere(Expr expr) {
    return switch (expr) {
      case Expr.Literal literal -> !literal.isNull();
      case Expr.Call call ->
          call.function() == Function.COALESCE && isThere(call.arguments().getLast());
      case Expr.Ref ignored -> false;
      case Expr.Cast ignored -> false;
      case Expr.Case ignored -> false;
    };
  }

  /** The expression, NULL where it raises, in the type that was decided for it. */
  private String tried(String sql, Type type, boolean hasType) {
    String total = "TRY(" + sql + ")";
    return hasType ? total : "TRY_CAST(" + total + " AS " + dialect.typeName(type) + ")";
  }

  /**
   * Integers are left as they are: DuckDB would take them for floats. To tens and hundreds they are
   * rounded as decimals: DuckDB's integers turn negative where they grow too large.
   */
  private String rounding(String function, List<RenderedExpression> args, Type type) {
    RenderedExpression value = args.get(0);
    if (value.type().isInteger()) {
      String wide = "CAST(" + value.sql() + " AS DECIMAL(38, 0))";
      return args.size() == 1
          ? as(value, type)
          : tried(function + "(" + wide + ", " + args.get(1).sql() + ")", type, false);
    }
    return DuckDbCanonicalForm.of(tried(function + "(" + list(args) + ")", type, false), type);
  }

  private String arithmetic(String operator, List<RenderedExpression> args, Type type) {
    RenderedExpression left = args.get(0);
    RenderedExpression right = args.get(1);
    if (type.isInteger()) {
      boolean natural = left.type().equals(type) && right.type().equals(type);
      String one = natural ? left.sql() : as(left, type);
      String two = natural ? right.sql() : as(right, type);
      return "TRY(" + one + " " + operator + " " + two + ")";
    }
    if (isDouble(type)) {
      return "(" + real(left) + " " + operator + " " + real(right) + ")";
    }
    if (type.isInterval()) {
      return interval(operator, left, right, type);
    }
    if (!left.type().isExact() || !right.type().isExact()) {
      return tried(timed(left) + " " + operator + " " + timed(right), type, false);
    }
    boolean times = operator.equals("*");
    if (times && left.type().scale() + right.type().scale() > type.scale()) {
      return tried(real(left) + " * " + real(right), type, false);
    }
    int digits = digits(times, left.type(), right.type());
    boolean whole = left.type().isInteger() && right.type().isInteger();
    String one = whole ? decimal(left, digits) : times ? left.sql() : dialect.aligned(left, right);
    String two =
        whole ? decimal(right, digits) : times ? right.sql() : dialect.aligned(right, left);
    String sql = one + " " + operator + " " + two;
    if (scale(times, left.type(), right.type()) != type.scale()
        || Math.min(digits, 38) > type.precision()) {
      return tried(sql, type, false);
    }
    return digits <= FAST_DIGITS ? "(" + sql + ")" : "TRY(" + sql + ")";
  }

  /** What DuckDB makes of two integers is one of as few bits, and raises where they are too few. */
  private static String decimal(RenderedExpression value, int digits) {
    int width = digits <= FAST_DIGITS ? value.type().wholeDigits() : FAST_DIGITS + 1;
    return "CAST(" + value.sql() + " AS DECIMAL(" + width + ", 0))";
  }

  /** Lengths of time are microseconds alone, and months alone: a day is the same as 24 hours. */
  private String interval(
      String operator, RenderedExpression left, RenderedExpression right, Type type) {
    boolean times = operator.equals("*");
    if (times && !left.type().isInterval()) {
      return interval(operator, right, left, type);
    }
    boolean months =
        left.type().kind() == Type.Kind.INTERVAL_MONTHS
            || right.type().kind() == Type.Kind.INTERVAL_MONTHS;
    if (months) {
      String two = times ? whole(right) : right.sql();
      return "TRY(" + left.sql() + " " + operator + " " + two + ")";
    }
    String one = "epoch_us(" + timed(left) + ")";
    String two = times ? whole(right) : "epoch_us(" + timed(right) + ")";
    return "to_microseconds(TRY(" + one + " " + operator + " " + two + "))";
  }

  private static int scale(boolean times, Type left, Type right) {
    return times ? left.scale() + right.scale() : Math.max(left.scale(), right.scale());
  }

  /**
   * The most digits that DuckDB gives the result of exact operands. It often gives fewer, which is
   * faster: it computes in 64 bits where it can, and raises where they do not suffice, in the
   * analyst's text as well.
   */
  private static int digits(boolean times, Type left, Type right) {
    int whole =
        times
            ? left.wholeDigits() + right.wholeDigits()
            : 1 + Math.max(left.wholeDigits(), right.wholeDigits());
    return whole + scale(times, left, right);
  }

  private String divide(List<RenderedExpression> args, Type type) {
    RenderedExpression left = args.get(0);
    RenderedExpression right = args.get(1);
    if (type.isInteger()) {
      return "TRY(" + as(left, type) + " // " + as(right, type) + ")";
    }
    String quotient = real(left) + " / " + nonZero(right);
    return isDouble(type)
        ? DuckDbCanonicalForm.of("(" + quotient + ")", type)
        : tried(quotient, type, false);
  }

  private String modulo(List<RenderedExpression> args, Type type) {
    if (isDouble(type)) {
      return "(" + real(args.get(0)) + " % " + nonZero(args.get(1)) + ")";
    }
    RenderedExpression left = args.get(0);
    RenderedExpression right = args.get(1);
    return tried(dialect.aligned(left, right) + " % " + dialect.aligned(right, left), type, false);
  }

  private String nonZero(RenderedExpression divisor) {
    if (divisor.expr() instanceof Expr.Literal literal
        && literal.value() instanceof BigDecimal number
        && number.signum() != 0) {
      return real(divisor);
    }
    return "NULLIF(" + real(divisor) + ", 0)";
  }

  private String substring(List<RenderedExpression> args) {
    String text = text(args.get(0));
    String from = whole(args.get(1));
    boolean plain = isCount(args.get(1), 1) && (args.size() < 3 || isCount(args.get(2), 0));
    if (plain) {
      String rest = args.stream().skip(1).map(a -> ", " + whole(a)).collect(Collectors.joining());
      return "substring(" + text + rest + ")";
    }
    // Positions before the first character take up length, as the standard has it.
    String start = "CASE WHEN " + from + " < 1 THEN 1 ELSE " + from + " END";
    if (args.size() < 3) {
      return "TRY(substring(" + text + ", " + start + "))";
    }
    String length = whole(args.get(2));
    String rest =
        Sql.of(
            "CASE WHEN {from} < 1 THEN TRY(TRY({from} - 1) + {length}) ELSE {length} END",
            from,
            length);
    String all = "TRY(substring(" + text + ", " + start + ", greatest(0, " + rest + ")))";
    return "CASE WHEN " + length + " >= 0 AND " + from + " IS NOT NULL THEN " + all + " END";
  }

  private String part(String function, List<RenderedExpression> args) {
    String sql = function + "(" + text(args.get(0)) + ", " + whole(args.get(1)) + ")";
    return isCount(args.get(1), 0) ? sql : "TRY(" + sql + ")";
  }

  /**
   * DuckDB tries every place for every % of ILIKE, of patterns with _ and of those with an escape
   * character: a row of some hundred letters takes minutes. A regular expression takes one pass.
   */
  private String like(String operator, List<RenderedExpression> args) {
    LikePattern pattern = LikePattern.of(args);
    boolean ignoresCase = operator.equals("ILIKE");
    boolean tries = ignoresCase || args.size() > 2 || pattern.hasSingles();
    if (tries && pattern.gaps() > 1) {
      String expression = SqlConstants.quoted(pattern.expression(), "chr(0)");
      String value = text(args.get(0));
      return "TRY(regexp_full_match("
          + (ignoresCase
              ? "lower(" + value + "), lower(" + expression + ")"
              : value + ", " + expression)
          + ", 's'))";
    }
    String escape = args.size() > 2 ? " ESCAPE " + args.get(2).sql() : "";
    return "TRY(" + text(args.get(0)) + " " + operator + " " + args.get(1).sql() + escape + ")";
  }

  private String extract(String unit, RenderedExpression from) {
    if (unit.equals("EPOCH")) {
      return "TRY_CAST(floor(TRY(epoch(" + timed(from) + "))) AS BIGINT)";
    }
    // Of a value in form, a day or a moment of the years 1 to 9999, every part exists.
    String part = "extract(" + unit + " FROM " + from.sql() + ")";
    return from.type().isDateTime() ? part : "TRY(" + part + ")";
  }

  /** The beginning of any unit around a value in form is far from the ends of the calendar. */
  private String truncate(String unit, RenderedExpression value, Type type) {
    String start = "date_trunc('" + unit.toLowerCase(Locale.ROOT) + "', " + value.sql() + ")";
    return value.type().isDateTime()
        ? "TRY_CAST(" + start + " AS " + dialect.typeName(type) + ")"
        : tried(start, type, false);
  }

  /** Boundaries crossed; DuckDB counts weeks otherwise than from Monday to Monday. */
  private String difference(String unit, RenderedExpression from, RenderedExpression to) {
    if (unit.equals("WEEK")) {
      String start = "TRY(date_trunc('week', " + moment(from) + "))";
      String end = "TRY(date_trunc('week', " + moment(to) + "))";
      return "(TRY(date_diff('day', " + start + ", " + end + ")) // 7)";
    }
    String word = unit.toLowerCase(Locale.ROOT);
    return "TRY(date_diff('" + word + "', " + moment(from) + ", " + moment(to) + "))";
  }

  /** Days as timestamps, which DuckDB would make of them by itself; the rest as it is. */
  private String timed(RenderedExpression value) {
    return value.type().isDateTime() ? moment(value) : value.sql();
  }

  private String moment(RenderedExpression value) {
    return as(value, Type.TIMESTAMP);
  }
}
