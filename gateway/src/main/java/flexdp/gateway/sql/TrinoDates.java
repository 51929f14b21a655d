package flexdp.gateway.sql;

import static flexdp.gateway.sql.Trino.once;

import flexdp.algebra.Expr;
import flexdp.policy.Type;
import java.util.Locale;
import java.util.function.UnaryOperator;

/**
 * Dates in Trino. TRY does not catch what its functions raise at the ends of the calendar, so dates
 * outside of the years -99999 to 99999 have no parts and no neighbours: NULL.
 */
final class TrinoDates {
  static final int LAST_YEAR = 99_999;

  private static final String DAYS = "BETWEEN DATE '-99999-01-01' AND DATE '99999-12-31'";
  private static final String MOMENTS =
      "BETWEEN TIMESTAMP '-99999-01-01 00:00:00.000000' AND TIMESTAMP '99999-12-31"
          + " 00:00:00.000000'";
  private static final String EPOCH = "TIMESTAMP '1970-01-01 00:00:00.000000'";
  private static final long MICROS_OF_DAY = 86_400_000_000L;
  private static final long MOST_MICROS = 2_200_000_000_000_000_000L;

  private TrinoDates() {}

  /** The body on a value within the calendar; a constant needs no check. */
  private static String within(Operand value, UnaryOperator<String> body) {
    return value.expr() instanceof Expr.Literal
        ? body.apply(value.sql())
        : within(value.sql(), value.type(), body);
  }

  private static String within(String sql, Type type, UnaryOperator<String> body) {
    String range = type.kind() == Type.Kind.DATE ? DAYS : MOMENTS;
    return once(sql, v -> "CASE WHEN " + v + " " + range + " THEN " + body.apply(v) + " END");
  }

  static String extract(String unit, Operand from) {
    if (from.type().kind() == Type.Kind.TIME) {
      return once(from.sql(), v -> unit.equals("EPOCH") ? secondOfDay(v) : part(unit, v));
    }
    return within(
        from,
        v ->
            switch (unit) {
              case "EPOCH" -> seconds(v, from.type());
              case "DOW" -> "(day_of_week(" + v + ") % 7)";
              case "ISOYEAR" -> "year_of_week(" + v + ")";
              case "HOUR", "MINUTE", "SECOND" -> part(unit, moment(v, from.type()));
              default -> part(unit, v);
            });
  }

  private static String part(String unit, String v) {
    return "EXTRACT(" + unit + " FROM " + v + ")";
  }

  private static String secondOfDay(String v) {
    return "("
        + part("HOUR", v)
        + " * 3600 + "
        + part("MINUTE", v)
        + " * 60 + " //
        + part("SECOND", v)
        + ")";
  }

  private static String seconds(String v, Type type) {
    return "date_diff('second', " + EPOCH + ", date_trunc('second', " + moment(v, type) + "))";
  }

  private static String moment(String v, Type type) {
    return type.kind() == Type.Kind.TIMESTAMP ? v : "CAST(" + v + " AS TIMESTAMP(6))";
  }

  /** Microseconds since 1970; the fraction is read from the text, which always has six digits. */
  static String micros(Operand value) {
    return within(
        value,
        v -> {
          String at = moment(v, value.type());
          return "("
              + seconds(at, Type.TIMESTAMP)
              + " * 1000000 + CAST(substr(CAST("
              + at
              + " AS VARCHAR), -6) AS BIGINT))";
        });
  }

  static String truncate(String unit, Operand value) {
    if (value.type().kind() == Type.Kind.DATE && Units.isWithinDay(unit)) {
      return value.sql();
    }
    return within(value, v -> "date_trunc('" + word(unit) + "', " + v + ")");
  }

  private static String word(String unit) {
    return unit.toLowerCase(Locale.ROOT);
  }

  static String add(Trino dialect, Operand value, Operand interval, Type type) {
    boolean months = interval.type().kind() == Type.Kind.INTERVAL_MONTHS;
    String n = interval.sql();
    String sum =
        within(
            value,
            v ->
                months
                    ? "date_add('month', " + limited(n, 2_400_000) + ", " + v + ")"
                    : type.kind() == Type.Kind.DATE
                        ? "date_add('day', " + limited(days(n), 73_000_000) + ", " + v + ")"
                        : later(new Operand(new Expr.Ref(-1, value.type()), v), n));
    return dialect.cast("TRY(" + sum + ")", months ? value.type() : type, type);
  }

  private static String days(String n) {
    return n + " / " + MICROS_OF_DAY;
  }

  /** No farther than the calendar is long. */
  private static String limited(String n, long most) {
    return once(
        "(" + n + ")",
        v -> "CASE WHEN " + v + " BETWEEN -" + most + " AND " + most + " THEN " + v + " END");
  }

  /** By way of a moment with a zone, which reaches to the year 73326. */
  private static String later(Operand value, String n) {
    return "CAST(from_unixtime_nanos(CAST("
        + limited(micros(value) + " + " + n, MOST_MICROS)
        + " AS DECIMAL(38, 0)) * 1000) AT TIME ZONE 'UTC' AS TIMESTAMP(6))";
  }

  /** How many boundaries of the unit lie between. */
  static String difference(String unit, Operand from, Operand to) {
    return "date_diff('" + word(unit) + "', " + start(unit, from) + ", " + start(unit, to) + ")";
  }

  private static String start(String unit, Operand value) {
    return within(value, v -> "date_trunc('" + word(unit) + "', " + moment(v, value.type()) + ")");
  }
}
