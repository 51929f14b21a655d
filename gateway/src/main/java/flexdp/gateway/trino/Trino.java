package flexdp.gateway.trino;

import flexdp.algebra.AggregateCall;
import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.gateway.render.Clamped;
import flexdp.gateway.render.NonCanonicalValues;
import flexdp.gateway.render.RenderedExpression;
import flexdp.gateway.render.SqlConstants;
import flexdp.gateway.render.TargetDialect;
import flexdp.policy.Range;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Trino: TRY and TRY_CAST make most expressions total, but not those on dates, which are guarded by
 * ranges. Intervals are numbers of months or microseconds, since Trino's own stop at milliseconds.
 */
public final class Trino extends TargetDialect {
  private static final Set<Type.Kind> COMPARED =
      Set.of(Type.Kind.DOUBLE, Type.Kind.DATE, Type.Kind.TIMESTAMP);

  /** So that what stores the rows still sees conditions on days and numbers. */
  private static final NonCanonicalValues FORMLESS =
      new NonCanonicalValues(
          Set.of(),
          Set.of(),
          COMPARED,
          COMPARED,
          Set.of(),
          NonCanonicalValues.NOWHERE.condition(),
          TrinoDates::edge,
          false,
          NonCanonicalValues::isShiftedFloat);

  @Override
  public String typeName(Type type) {
    return switch (type.kind()) {
      case BOOLEAN, SMALLINT, INTEGER, BIGINT, DOUBLE, VARCHAR, DATE, UUID -> type.kind().name();
      case DECIMAL -> "DECIMAL(" + type.precision() + ", " + type.scale() + ")";
      case TIME, TIMESTAMP -> type.kind().name() + "(6)";
      case INTERVAL_MONTHS, INTERVAL_MICROS -> "BIGINT";
      case OPAQUE -> "VARCHAR";
      case NULL -> "INTEGER";
    };
  }

  @Override
  public String literal(Expr.Literal literal) {
    Type type = literal.type();
    if (literal.isNull()) {
      return type.kind() == Type.Kind.NULL ? "NULL" : "CAST(NULL AS " + typeName(type) + ")";
    }
    Object value = literal.value();
    return switch (type.kind()) {
      case BOOLEAN -> ((Boolean) value) ? "TRUE" : "FALSE";
      case SMALLINT, INTEGER, BIGINT -> typed(type, ((BigDecimal) value).toPlainString());
      case DECIMAL -> "CAST(" + decimal((BigDecimal) value) + " AS " + typeName(type) + ")";
      case DOUBLE -> real((Double) value);
      case UUID -> typed(type, String.valueOf(value));
      case VARCHAR, OPAQUE, NULL ->
          "CAST(" + SqlConstants.quoted(value.toString(), "chr(0)") + " AS VARCHAR)";
      case DATE -> "DATE '" + SqlConstants.date(known((LocalDate) value)) + "'";
      case TIME -> "TIME '" + SqlConstants.time((LocalTime) value) + "'";
      case TIMESTAMP -> timestamp((LocalDateTime) value);
      case INTERVAL_MONTHS, INTERVAL_MICROS -> typed(Type.BIGINT, String.valueOf(value));
    };
  }

  private static String typed(Type type, String value) {
    return type.kind().name() + " '" + value + "'";
  }

  static String decimal(BigDecimal value) {
    return "DECIMAL '" + value.toPlainString() + "'";
  }

  private static String real(double value) {
    return Double.isFinite(value)
        ? typed(Type.DOUBLE, String.valueOf(value + 0.0))
        : "CAST(NULL AS DOUBLE)";
  }

  private static String timestamp(LocalDateTime time) {
    known(time.toLocalDate());
    return "TIMESTAMP '" + SqlConstants.timestamp(time) + "'";
  }

  private static LocalDate known(LocalDate date) {
    if (date.getYear() < 1 || date.getYear() > 9999) {
      throw Rejection.of(
          RejectionCode.TYPE_MISMATCH, "The date is out of range.", "Write a year from 1 to 9999.");
    }
    return date;
  }

  /** NaN, infinities and what lies outside of the calendar are NULL, and zero has no sign. */
  @Override
  public String canonicalize(String sql, Type type) {
    return once(sql, v -> canonicalizeOf(v, type));
  }

  @Override
  public NonCanonicalValues nonCanonical() {
    return FORMLESS;
  }

  /** The one form of a text that costs nothing to repeat, such as the name of a column. */
  public String canonicalizeOf(String v, Type type) {
    return switch (type.kind()) {
      case DOUBLE -> "CASE WHEN is_finite(" + v + ") THEN " + v + " + 0E0 END";
      case DATE -> TrinoDates.within(v, TrinoDates.DAYS);
      case TIMESTAMP -> TrinoDates.within(v, TrinoDates.MOMENTS);
      case BOOLEAN,
          SMALLINT,
          INTEGER,
          BIGINT,
          DECIMAL,
          VARCHAR,
          TIME,
          INTERVAL_MONTHS,
          INTERVAL_MICROS,
          UUID,
          OPAQUE,
          NULL ->
          v;
    };
  }

  @Override
  public String cast(String sql, Type from, Type to) {
    return TrinoCasts.cast(this, sql, from, to);
  }

  /** A value that is used several times, computed once: the argument of a lambda expression. */
  static String once(String sql, UnaryOperator<String> body) {
    boolean simple = sql.chars().allMatch(c -> Character.isLetterOrDigit(c) || c == '_');
    return simple
        ? body.apply(sql)
        : "element_at(transform(ARRAY[" + sql + "], v -> " + body.apply("v") + "), 1)";
  }

  @Override
  public String call(Function function, List<RenderedExpression> arguments, Type type) {
    return new TrinoFunctions(this).call(function, arguments, type);
  }

  @Override
  public String compare(String operator, RenderedExpression left, RenderedExpression right) {
    return total("(" + left.sql() + " " + operator + " " + right.sql() + ")", left, right);
  }

  @Override
  public String distinctness(boolean distinct, RenderedExpression left, RenderedExpression right) {
    String operator = distinct ? " IS DISTINCT FROM " : " IS NOT DISTINCT FROM ";
    return total("(" + left.sql() + operator + right.sql() + ")", left, right);
  }

  /** Sums of BIGINT are of 64 bits here, and an error where they are more. */
  @Override
  protected String truncated(String real) {
    return "CAST(CAST(truncate(" + real + ") AS BIGINT) AS DECIMAL(38, 0))";
  }

  /** A comparison raises only when no DECIMAL holds both sides. */
  private static String total(
      String comparison, RenderedExpression left, RenderedExpression right) {
    boolean exact = left.type().isExact() && right.type().isExact();
    return exact && !TargetDialect.oneDecimal(left.type(), right.type())
        ? "TRY(" + comparison + ")"
        : comparison;
  }

  @Override
  public String truth(String sql, boolean negated, boolean value) {
    return "("
        + sql
        + (negated ? " IS DISTINCT FROM " : " IS NOT DISTINCT FROM ")
        + (value ? "TRUE)" : "FALSE)");
  }

  /**
   * Trino has no FILTER for windows: what it leaves out is made NULL, which no aggregate counts.
   */
  @Override
  public String aggregate(
      AggregateCall call,
      Optional<RenderedExpression> argument,
      Optional<String> filter,
      String over) {
    if (over.isEmpty()) {
      return TrinoAggregates.sql(this, call, argument, where(filter));
    }
    if (argument.isEmpty() && filter.isPresent()) {
      return "COUNT(CASE WHEN " + filter.get() + " THEN 1 END)" + over;
    }
    Optional<RenderedExpression> chosen = argument.map(a -> filter.map(f -> only(a, f)).orElse(a));
    return TrinoAggregates.sql(this, call, chosen, over);
  }

  @Override
  public String ranked(String sql, Type type) {
    return "TRY_CAST(" + sql + " AS " + typeName(type) + ")";
  }

  private static RenderedExpression only(RenderedExpression value, String filter) {
    return RenderedExpression.named(
        "CASE WHEN " + filter + " THEN " + value.sql() + " END", value.type());
  }

  @Override
  public Clamped clamped(RenderedExpression value, Range range, BigDecimal grid) {
    return TrinoClamp.of(value, range, grid);
  }

  @Override
  public String limit(long offset, Optional<Long> count) {
    return (offset > 0 ? " OFFSET " + offset : "") + count.map(n -> " LIMIT " + n).orElse("");
  }
}
