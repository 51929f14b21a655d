package flexdp.gateway.trino;

import static flexdp.gateway.trino.Trino.once;

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

/** Trino's spelling of the functions; TRY turns what would raise into NULL. */
final class TrinoFunctions extends FunctionSpelling {
  private final Trino dialect;

  TrinoFunctions(Trino dialect) {
    super(dialect, FunctionTable.Each::trino);
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
          isDouble(type)
              ? "(0E0 - " + real(args.get(0)) + ")" // zero has no sign
              : tried("-(" + args.get(0).sql() + ")", type, args.get(0).type().equals(type));
      case CEIL -> rounded("ceiling", args, type);
      case ROUND -> rounded("round", args, type);
      case SUBSTRING -> substring(args);
      case REPLACE -> replace(args);
      case LEFT -> left(args);
      case RIGHT -> right(args);
      case LIKE -> like("{x}", args);
      case ILIKE -> like("lower({x})", args);
      case EXTRACT -> TrinoDates.extract(TimeUnits.of(args), args.get(1));
      case DATE_TRUNC ->
          dialect.cast(
              TrinoDates.truncate(TimeUnits.of(args), args.get(1)), args.get(1).type(), type);
      case DATE_ADD -> TrinoDates.add(dialect, args.get(0), args.get(1), type);
      case DATE_DIFF -> TrinoDates.difference(TimeUnits.of(args), args.get(1), args.get(2));
      default -> throw unspelled(function);
    };
  }

  /** The expression, NULL where it raises, in the type that was decided for it. */
  private String tried(String sql, Type type, boolean hasType) {
    String total = "TRY(" + sql + ")";
    return hasType ? total : "TRY_CAST(" + total + " AS " + dialect.typeName(type) + ")";
  }

  /** Floating point functions do not raise, but give NaN and infinities outside their domain. */
  private String finite(String sql, Type type) {
    return dialect.cast(dialect.canonicalize(sql, Type.DOUBLE), Type.DOUBLE, type);
  }

  /** What -0.5 is rounded to has a sign; many digits are beyond floating point. */
  private String rounded(String function, List<RenderedExpression> args, Type type) {
    String sql = function + "(" + list(args) + ")";
    if (!isDouble(args.get(0).type())) {
      return tried(sql, type, false);
    }
    return args.size() == 1
        ? tried("(" + sql + " + 0E0)", type, false)
        : finite("TRY(" + sql + ")", type);
  }

  /**
   * An operation on finite numbers, which gives infinity at worst: NULL then. Written so that the
   * text stands once.
   */
  private static String bounded(String sql) {
    return "NULLIF(NULLIF(" + sql + ", infinity()), -infinity())";
  }

  private String arithmetic(String operator, List<RenderedExpression> args, Type type) {
    RenderedExpression left = args.get(0);
    RenderedExpression right = args.get(1);
    if (type.isInterval()) {
      return interval(operator, left, right);
    }
    if (isDouble(type)) {
      String zero = operator.equals("*") ? " + 0E0" : "";
      return bounded(real(left) + " " + operator + " " + real(right) + zero);
    }
    if (type.isInteger()) {
      return "TRY(" + as(left, type) + " " + operator + " " + as(right, type) + ")";
    }
    boolean exact = left.type().isExact() && right.type().isExact();
    if (operator.equals("*") && exact && digits(left.type()) + digits(right.type()) > 38) {
      return tried(real(left) + " * " + real(right), type, false);
    }
    return tried(left.sql() + " " + operator + " " + right.sql(), type, false);
  }

  /** Intervals are numbers; the difference of two moments is one in microseconds. */
  private String interval(String operator, RenderedExpression left, RenderedExpression right) {
    if (left.type().isDateTime()) {
      return "TRY(" + TrinoDates.micros(left) + " - " + TrinoDates.micros(right) + ")";
    }
    boolean exact = !isDouble(left.type()) && !isDouble(right.type());
    String one = exact || left.type().isInterval() ? left.sql() : real(left);
    String two = exact || right.type().isInterval() ? right.sql() : real(right);
    return "TRY_CAST(TRY(" + one + " " + operator + " " + two + ") AS BIGINT)";
  }

  private static int digits(Type type) {
    return type.wholeDigits() + type.scale();
  }

  private String divide(List<RenderedExpression> args, Type type) {
    RenderedExpression left = args.get(0);
    RenderedExpression right = args.get(1);
    if (type.isInteger()) {
      return "TRY(" + as(left, type) + " / " + as(right, type) + ")";
    }
    String quotient = bounded(real(left) + " / NULLIF(" + real(right) + ", 0E0) + 0E0");
    return dialect.cast(quotient, Type.DOUBLE, type);
  }

  private String modulo(List<RenderedExpression> args, Type type) {
    if (isDouble(type)) {
      return "(" + real(args.get(0)) + " % NULLIF(" + real(args.get(1)) + ", 0E0) + 0E0)";
    }
    return tried(args.get(0).sql() + " % " + args.get(1).sql(), type, false);
  }

  /** Positions before the first character take up length; Trino would count them from the end. */
  private String substring(List<RenderedExpression> args) {
    String text = text(args.get(0));
    String from = whole(args.get(1));
    if (args.size() < 3) {
      return isCount(args.get(1), 1)
          ? "substr(" + text + ", " + from + ")"
          : "TRY(substr(" + text + ", greatest(" + from + ", 1)))";
    }
    String length = whole(args.get(2));
    if (isCount(args.get(1), 1) && isCount(args.get(2), 0)) {
      return "substr(" + text + ", " + from + ", " + length + ")";
    }
    String rest = "greatest(0, " + length + " + least(" + from + " - 1, 0))";
    return Sql.of(
        "TRY(CASE WHEN {length} >= 0 THEN substr({text}, greatest({from}, 1), {rest}) END)",
        length,
        text,
        from,
        rest);
  }

  /** A negative number leaves that many characters out. */
  private String left(List<RenderedExpression> args) {
    String n = whole(args.get(1));
    if (isCount(args.get(1), 0)) {
      return "substr(" + text(args.get(0)) + ", 1, " + n + ")";
    }
    return once(
        text(args.get(0)),
        v ->
            Sql.of(
                "TRY(substr({v}, 1, CASE WHEN {n} < 0 THEN greatest(0, length({v}) + {n}) ELSE {n}"
                    + " END))",
                v,
                n));
  }

  private String right(List<RenderedExpression> args) {
    return once(
        text(args.get(0)),
        v ->
            Sql.of(
                "TRY(substr({v}, CASE WHEN {n} < 0 THEN 1 - {n} ELSE greatest(1, length({v}) + 1 -"
                    + " {n}) END))",
                v,
                whole(args.get(1))));
  }

  /** Trino finds the empty text between all characters; here it is nowhere. */
  private String replace(List<RenderedExpression> args) {
    boolean plain =
        args.get(1).expr() instanceof Expr.Literal l
            && l.value() instanceof String s
            && !s.isEmpty();
    return plain
        ? "TRY(replace(" + texts(args) + "))"
        : Sql.of(
            "CASE WHEN {old} = '' AND {new} IS NOT NULL THEN {text} ELSE TRY(replace({text},"
                + " NULLIF({old}, ''), {new})) END",
            text(args.get(1)),
            text(args.get(2)),
            text(args.get(0)));
  }

  private String like(String each, List<RenderedExpression> args) {
    LikePattern pattern = LikePattern.of(args);
    return Sql.of(
        "({text} LIKE {pattern}{escape})",
        Sql.of(each, text(args.get(0))),
        Sql.of(each, SqlConstants.quoted(pattern.text(), "chr(0)")),
        pattern.escapes() ? " ESCAPE '\\'" : "");
  }
}
