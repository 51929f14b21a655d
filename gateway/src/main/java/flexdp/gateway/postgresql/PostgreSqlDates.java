package flexdp.gateway.postgresql;

import static flexdp.gateway.postgresql.PostgreSql.once;

import flexdp.gateway.render.RenderedExpression;
import flexdp.gateway.render.Sql;
import flexdp.policy.Type;
import java.util.Locale;

/** Dates and intervals in PostgreSQL; infinite dates and results out of range are NULL. */
final class PostgreSqlDates {
  private static final String FIRST = "TIMESTAMP '4000-01-01 BC'";
  private static final String LAST = "TIMESTAMP '200000-01-01'";

  /** The year 3987 BC, in seconds since 1970. */
  private static final String FIRST_SECOND = "-188000000000";

  /** 50,000 years. */
  private static final String MOST_SECONDS = "1577880000000";

  private PostgreSqlDates() {}

  static String extract(String unit, RenderedExpression from) {
    boolean clock = unit.equals("HOUR") || unit.equals("MINUTE") || unit.equals("SECOND");
    if (clock && from.type().kind() == Type.Kind.DATE) {
      return once(
          from.sql(),
          v -> Sql.of("CASE WHEN pg_catalog.isfinite({v}) THEN CAST(0 AS BIGINT) END", v));
    }
    // A value in form is not infinite, and every part of it is a whole number or is cut to one.
    return "CAST(pg_catalog.floor(EXTRACT(" + unit + " FROM " + from.sql() + ")) AS BIGINT)";
  }

  /** The beginning of any unit around a value in form is far from the ends of the calendar. */
  static String truncate(String unit, RenderedExpression value, Type type) {
    return Sql.of(
        "CAST(pg_catalog.date_trunc('{unit}', CAST({x} AS TIMESTAMP)) AS {type})",
        unit.toLowerCase(Locale.ROOT),
        value.sql(),
        own(type));
  }

  /** DATE, TIME or TIMESTAMP. */
  private static String own(Type type) {
    return "pg_catalog." + type.kind().name().toLowerCase(Locale.ROOT);
  }

  /**
   * Both are kept so far inside PostgreSQL's calendar that a sum cannot leave it, whose beginning
   * is nearer than 50,000 years. Years that are leap years or not differ by less than one in that.
   */
  static String add(RenderedExpression value, RenderedExpression interval, Type type) {
    return Sql.of(
        "(SELECT CASE WHEN m{times} THEN CAST(m AS {type}) END FROM (SELECT CASE WHEN {known} AND b"
            + " BETWEEN INTERVAL '-50000 years' AND INTERVAL '50000 years' AND EXTRACT(EPOCH FROM"
            + " a) + EXTRACT(EPOCH FROM b) > {first} THEN CAST(a AS TIMESTAMP) + b END AS m FROM"
            + " (SELECT {value} AS a, {interval} AS b) AS pair OFFSET 0) AS moved WHERE TRUE)",
        PostgreSqlCanonicalForm.TIMES,
        own(type),
        inRange("a"),
        FIRST_SECOND,
        value.sql(),
        interval.sql());
  }

  /**
   * An interval taken several times. Its days and hours are brought to one sign first: a day less
   * 24 hours is nothing, but each of them taken many times is more than an interval holds.
   */
  static String times(RenderedExpression left, RenderedExpression right) {
    RenderedExpression interval = left.type().isInterval() ? left : right;
    RenderedExpression number = left.type().isInterval() ? right : left;
    return Sql.of(
        "(SELECT CASE WHEN pg_catalog.abs(EXTRACT(EPOCH FROM i) * CAST(n AS NUMERIC)) <= {most} THEN"
            + " i * CAST(n AS DOUBLE PRECISION) END FROM (SELECT"
            + " pg_catalog.justify_hours({interval}) AS i, {number} AS n OFFSET 0) AS pair)",
        MOST_SECONDS,
        interval.sql(),
        number.sql());
  }

  /** Two intervals one after the other. */
  static String sum(RenderedExpression left, RenderedExpression right) {
    return Sql.of(
        "(SELECT CASE WHEN a {some} AND b {some} THEN pg_catalog.justify_hours(a + b) END FROM"
            + " (SELECT {left} AS a, {right} AS b OFFSET 0) AS pair)",
        "BETWEEN INTERVAL '-100000 years' AND INTERVAL '100000 years'",
        left.sql(),
        right.sql());
  }

  /** The time from one moment to another. */
  static String between(RenderedExpression from, RenderedExpression to) {
    return ofBoth("CAST(b AS TIMESTAMP) - CAST(a AS TIMESTAMP)", from, to);
  }

  /** How many boundaries of the unit lie between. */
  static String difference(String unit, RenderedExpression from, RenderedExpression to) {
    String difference = index(unit, "b") + " - " + index(unit, "a");
    return ofBoth("CAST(" + difference + " AS BIGINT)", from, to);
  }

  /** Of two moments within the calendar. */
  private static String ofBoth(String body, RenderedExpression from, RenderedExpression to) {
    return Sql.of(
        "(SELECT CASE WHEN {known} AND {other} THEN {body} END FROM (SELECT {from} AS a, {to} AS b)"
            + " AS pair)",
        inRange("a"),
        inRange("b"),
        body,
        from.sql(),
        to.sql());
  }

  /** Numbers the units: two moments in one unit have one number. */
  private static String index(String unit, String v) {
    String year = "EXTRACT(YEAR FROM " + v + ")";
    String days = "(CAST(" + v + " AS pg_catalog.date) - pg_catalog.date '1970-01-01')";
    return switch (unit) {
      case "YEAR" -> year;
      case "QUARTER" -> "(" + year + " * 4 + EXTRACT(QUARTER FROM " + v + "))";
      case "MONTH" -> "(" + year + " * 12 + EXTRACT(MONTH FROM " + v + "))";
      case "WEEK" -> "pg_catalog.floor((" + days + " + 3) / 7.0)";
      case "DAY" -> days;
      case "HOUR" -> "pg_catalog.floor(EXTRACT(EPOCH FROM " + v + ") / 3600)";
      case "MINUTE" -> "pg_catalog.floor(EXTRACT(EPOCH FROM " + v + ") / 60)";
      case "SECOND" -> "pg_catalog.floor(EXTRACT(EPOCH FROM " + v + "))";
      default -> throw new IllegalArgumentException("no difference in " + unit);
    };
  }

  private static String inRange(String v) {
    return v + " BETWEEN " + FIRST + " AND " + LAST;
  }
}
