package flexdp.gateway.trino;

import static flexdp.gateway.trino.Trino.once;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.gateway.render.RenderedExpression;
import flexdp.gateway.render.Sql;
import flexdp.gateway.render.TimeUnits;
import flexdp.policy.Type;
import java.util.Locale;
import java.util.Optional;

/**
 * Dates in Trino. TRY does not catch what its functions raise at the ends of its calendar, so all
 * days lie in the years 1 to 9999 (guarantee §12); what leaves them is NULL.
 */
final class TrinoDates {
  private static final String FIRST_DAY = "DATE '0001-01-01'";
  private static final String LAST_DAY = "DATE '9999-12-31'";
  private static final String FIRST = "TIMESTAMP '0001-01-01 00:00:00.000000'";
  private static final String LAST = "TIMESTAMP '9999-12-31 23:59:59.999999'";

  static final String DAYS = "BETWEEN " + FIRST_DAY + " AND " + LAST_DAY;
  static final String MOMENTS = "BETWEEN " + FIRST + " AND " + LAST;
  private static final String EPOCH = "TIMESTAMP '1970-01-01 00:00:00.000000'";
  private static final long MICROS_OF_DAY = 86_400_000_000L;
  private static final long MOST_MICROS = 2_200_000_000_000_000_000L;

  private TrinoDates() {}

  /** The value if it lies in a part of the calendar. */
  static String within(String v, String range) {
    return "CASE WHEN " + v + " " + range + " THEN " + v + " END";
  }

  /**
   * The condition that a stored value is none of those without a canonical form above all others,
   * or below.
   */
  static Optional<String> edge(String v, Type type, boolean above) {
    return switch (type.kind()) {
      case DOUBLE -> Optional.of(v + (above ? " < infinity()" : " > -infinity()"));
      case DATE -> Optional.of(v + (above ? " <= " + LAST_DAY : " >= " + FIRST_DAY));
      case TIMESTAMP -> Optional.of(v + (above ? " <= " + LAST : " >= " + FIRST));
      default -> Optional.empty();
    };
  }

  static String extract(String unit, RenderedExpression from) {
    if (from.type().isInterval()) {
      return seconds(from);
    }
    if (from.type().kind() == Type.Kind.TIME) {
      return once(from.sql(), v -> unit.equals("EPOCH") ? secondOfDay(v) : part(unit, v));
    }
    return once(
        from.sql(),
        v ->
            switch (unit) {
              case "EPOCH" -> seconds(v, from.type());
              case "DOW" -> "(day_of_week(" + v + ") % 7)";
              case "ISOYEAR" -> "year_of_week(" + v + ")";
              case "HOUR", "MINUTE", "SECOND" -> part(unit, moment(v, from.type()));
              default -> part(unit, v);
            });
  }

  /** How long an interval is, downwards; it is a number of microseconds, as Trino computes it. */
  private static String seconds(RenderedExpression interval) {
    if (interval.type().kind() == Type.Kind.INTERVAL_MONTHS) {
      throw Rejection.of(
          RejectionCode.UNSUPPORTED,
          "A number of months has no seconds on Trino.",
          "Count the days between two dates instead.");
    }
    return once(
        interval.sql(),
        v -> "(" + v + " / 1000000 - CASE WHEN " + v + " % 1000000 < 0 THEN 1 ELSE 0 END)");
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
  static String micros(RenderedExpression value) {
    return once(
        value.sql(),
        v -> {
          String at = moment(v, value.type());
          return Sql.of(
              "({seconds} * 1000000 + CAST(substr(CAST({at} AS VARCHAR), -6) AS BIGINT))",
              seconds(at, Type.TIMESTAMP),
              at);
        });
  }

  static String truncate(String unit, RenderedExpression value) {
    if (value.type().kind() == Type.Kind.DATE && TimeUnits.isWithinDay(unit)) {
      return value.sql();
    }
    return "date_trunc('" + word(unit) + "', " + value.sql() + ")";
  }

  private static String word(String unit) {
    return unit.toLowerCase(Locale.ROOT);
  }

  static String add(
      Trino dialect, RenderedExpression value, RenderedExpression interval, Type type) {
    boolean months = interval.type().kind() == Type.Kind.INTERVAL_MONTHS;
    String n = interval.sql();
    String sum =
        months
            ? "date_add('month', " + limited(n, 240_000) + ", " + value.sql() + ")"
            : type.kind() == Type.Kind.DATE
                ? "date_add('day', " + limited(days(n), 7_300_000) + ", " + value.sql() + ")"
                : later(value, n);
    Type made = months ? value.type() : type;
    return dialect.cast(dialect.canonicalize("TRY(" + sum + ")", made), made, type);
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
  private static String later(RenderedExpression value, String n) {
    return "CAST(from_unixtime_nanos(CAST("
        + limited(micros(value) + " + " + n, MOST_MICROS)
        + " AS DECIMAL(38, 0)) * 1000) AT TIME ZONE 'UTC' AS TIMESTAMP(6))";
  }

  /** How many boundaries of the unit lie between. */
  static String difference(String unit, RenderedExpression from, RenderedExpression to) {
    return "date_diff('" + word(unit) + "', " + start(unit, from) + ", " + start(unit, to) + ")";
  }

  private static String start(String unit, RenderedExpression value) {
    return "date_trunc('" + word(unit) + "', " + moment(value.sql(), value.type()) + ")";
  }
}
