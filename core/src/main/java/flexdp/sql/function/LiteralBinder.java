package flexdp.sql.function;

import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.failure.Position;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.util.Locale;
import org.apache.calcite.sql.SqlIntervalLiteral;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlUnknownLiteral;
import org.apache.calcite.util.NlsString;

/** Constants as they are written. */
public final class LiteralBinder {
  private static final BigDecimal INT_MAX = BigDecimal.valueOf(Integer.MAX_VALUE);
  private static final BigDecimal INT_MIN = BigDecimal.valueOf(Integer.MIN_VALUE);
  private static final BigDecimal LONG_MAX = BigDecimal.valueOf(Long.MAX_VALUE);
  private static final BigDecimal LONG_MIN = BigDecimal.valueOf(Long.MIN_VALUE);

  private LiteralBinder() {}

  public static Expr.Literal of(SqlLiteral literal) {
    Position at = Rejections.at(literal);
    if (literal instanceof SqlUnknownLiteral unknown) {
      return tagged(unknown.tag, unknown.getValue(), at);
    }
    if (literal instanceof SqlIntervalLiteral) {
      return interval(literal, at);
    }
    if (literal instanceof SqlNumericLiteral numeric) {
      BigDecimal value = (BigDecimal) literal.getValue();
      return numeric.isExact() ? number(value, at) : approximate(value, at);
    }
    return switch (literal.getTypeName()) {
      case NULL -> Exprs.nullOf(Type.NULL);
      case BOOLEAN -> literal.booleanValue() ? Expr.Literal.TRUE : Expr.Literal.FALSE;
      case CHAR, VARCHAR -> Exprs.text(((NlsString) literal.getValue()).getValue());
      case DATE, TIME, TIMESTAMP, TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
          tagged(literal.getTypeName().name(), literal.getValue().toString(), at);
      default ->
          throw Rejections.unsupported(
              "The constant " + TextLiterals.shown(literal.toString()),
              "Use text, numbers or dates.",
              literal);
    };
  }

  private static Expr.Literal approximate(BigDecimal value, Position at) {
    double number = value.doubleValue();
    if (Double.isInfinite(number)) {
      throw Rejections.types("The number is too large.", "Write a smaller one.", at);
    }
    return new Expr.Literal(number + 0.0, Type.DOUBLE);
  }

  /** An exact number in the smallest type that holds it. */
  static Expr.Literal number(BigDecimal value, Position at) {
    if (value.precision() - (long) value.scale() > 38) {
      return approximate(value, at);
    }
    if (value.scale() <= 0) {
      BigDecimal whole = value.scale() == 0 ? value : value.setScale(0);
      if (whole.compareTo(INT_MAX) <= 0 && whole.compareTo(INT_MIN) >= 0) {
        return new Expr.Literal(whole, Type.INTEGER);
      }
      if (whole.compareTo(LONG_MAX) <= 0 && whole.compareTo(LONG_MIN) >= 0) {
        return new Expr.Literal(whole, Type.BIGINT);
      }
      return new Expr.Literal(whole, Type.decimal(whole.precision(), 0));
    }
    int precision = Math.max(value.precision(), value.scale());
    return precision <= 38
        ? new Expr.Literal(value, Type.decimal(precision, value.scale()))
        : approximate(value, at);
  }

  private static Expr.Literal tagged(String tag, String text, Position at) {
    String type = tag.toUpperCase(Locale.ROOT);
    if (type.startsWith("TIMESTAMP") || type.startsWith("DATETIME")) {
      return new Expr.Literal(TextLiterals.timestamp(text, at), Type.TIMESTAMP);
    }
    return switch (type) {
      case "DATE" -> new Expr.Literal(TextLiterals.timestamp(text, at).toLocalDate(), Type.DATE);
      case "TIME" -> new Expr.Literal(TextLiterals.time(text.trim(), at), Type.TIME);
      case "INTERVAL" -> IntervalFunctions.parse(text, at);
      case "UUID" -> TextLiterals.as(text, Type.UUID, at);
      default ->
          throw Rejections.types(
              "A constant of type " + tag + " is not known here.", "Use CAST('…' AS type).", at);
    };
  }

  private static Expr.Literal interval(SqlLiteral literal, Position at) {
    SqlIntervalLiteral.IntervalValue value = (SqlIntervalLiteral.IntervalValue) literal.getValue();
    var qualifier = value.getIntervalQualifier();
    if (!qualifier.isSingleDatetimeField()) {
      return span(value, at);
    }
    Expr.Literal parsed =
        IntervalFunctions.parse(
            value.getIntervalLiteral(),
            qualifier.timeFrameName != null
                ? qualifier.timeFrameName
                : qualifier.isWeek() ? "WEEK" : qualifier.getStartUnit().name(),
            at);
    return value.getSign() < 0 ? new Expr.Literal(-(Long) parsed.value(), parsed.type()) : parsed;
  }

  /** INTERVAL '1-2' YEAR TO MONTH and INTERVAL '1 02:03' DAY TO MINUTE. */
  private static Expr.Literal span(SqlIntervalLiteral.IntervalValue value, Position at) {
    try {
      var qualifier = value.getIntervalQualifier();
      int[] fields =
          qualifier.evaluateIntervalLiteral(
              value.getIntervalLiteral(),
              qualifier.getParserPosition(),
              org.apache.calcite.rel.type.RelDataTypeSystem.DEFAULT);
      long sign = (long) fields[0] * value.getSign();
      if (qualifier.isYearMonth()) {
        return new Expr.Literal(sign * (fields[1] * 12L + fields[2]), Type.INTERVAL_MONTHS);
      }
      long micros =
          (((fields[1] * 24L + fields[2]) * 60 + fields[3]) * 60 + fields[4]) * 1_000_000L
              + fields[5] * 1_000L;
      return new Expr.Literal(sign * micros, Type.INTERVAL_MICROS);
    } catch (org.apache.calcite.runtime.CalciteException e) {
      throw Rejections.types(
          "'" + TextLiterals.shown(value.getIntervalLiteral()) + "' is not a length of time.",
          "Write intervals as interval '7 days'.",
          at);
    }
  }

  /** The whole number that LIMIT, OFFSET, ordinals and the like must be; null if it is none. */
  public static BigDecimal whole(SqlNode node) {
    return node instanceof SqlNumericLiteral number
            && number.getValue() instanceof BigDecimal value
            && value.stripTrailingZeros().scale() <= 0
        ? value
        : null;
  }
}
