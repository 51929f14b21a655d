package flexdp.gateway.mariadb;

import static flexdp.gateway.mariadb.MariaDb.once;

import flexdp.algebra.Expr;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.gateway.render.RenderedExpression;
import flexdp.gateway.render.Sql;
import flexdp.policy.Type;

/**
 * Dates in MariaDB. An interval is a plain number of months or microseconds, as there is no type
 * for it. What leaves the years 1 to 9999 is NULL.
 */
final class MariaDbDates {
  private static final String EPOCH = "TIMESTAMP '1970-01-01 00:00:00'";

  private MariaDbDates() {}

  static String extract(String unit, RenderedExpression from) {
    String d = from.sql();
    if (from.type().isInterval()) {
      return seconds(from);
    }
    return switch (unit) {
      case "WEEK" -> "WEEK(" + d + ", 3)"; // the week of ISO 8601
      case "ISOYEAR" -> "(YEARWEEK(" + d + ", 3) DIV 100)";
      case "DOW" -> "(DAYOFWEEK(" + d + ") - 1)";
      case "DOY" -> "DAYOFYEAR(" + d + ")";
      case "EPOCH" -> steps(d, 1_000_000L);
      default -> unit + "(" + d + ")";
    };
  }

  /** How long an interval is; months have no length of their own. */
  private static String seconds(RenderedExpression interval) {
    if (interval.type().kind() == Type.Kind.INTERVAL_MONTHS) {
      throw Rejection.of(
          RejectionCode.UNSUPPORTED,
          "A number of months has no seconds on MariaDB.",
          "Count the days between two dates instead.");
    }
    return "FLOOR(" + interval.sql() + " / 1000000)";
  }

  /** Whole steps since 1970, downwards before it. */
  private static String steps(String d, long micros) {
    return "FLOOR(TIMESTAMPDIFF(MICROSECOND, " + EPOCH + ", " + d + ") / " + micros + ")";
  }

  static String truncate(String unit, RenderedExpression value, Type type) {
    String cut = once(value.sql(), d -> start(unit, d));
    return "CAST(" + cut + " AS " + (type.kind() == Type.Kind.DATE ? "DATE" : "DATETIME(6)") + ")";
  }

  private static String start(String unit, String d) {
    String day = "DATE(" + d + ")";
    String month = "(" + day + " - INTERVAL (DAYOFMONTH(" + d + ") - 1) DAY)";
    String hour = "(TIMESTAMP(" + day + ") + INTERVAL HOUR(" + d + ") HOUR)";
    String minute = "(" + hour + " + INTERVAL MINUTE(" + d + ") MINUTE)";
    return switch (unit) {
      case "YEAR" -> "(" + day + " - INTERVAL (DAYOFYEAR(" + d + ") - 1) DAY)";
      case "QUARTER" -> "(" + month + " - INTERVAL (MOD(MONTH(" + d + ") - 1, 3)) MONTH)";
      case "MONTH" -> month;
      case "WEEK" -> "(" + day + " - INTERVAL WEEKDAY(" + d + ") DAY)";
      case "DAY" -> day;
      case "HOUR" -> hour;
      case "MINUTE" -> minute;
      case "SECOND" -> "(" + minute + " + INTERVAL SECOND(" + d + ") SECOND)";
      default -> throw new IllegalArgumentException("nothing is cut to " + unit);
    };
  }

  static String add(
      MariaDb dialect, RenderedExpression value, RenderedExpression interval, Type type) {
    String unit = interval.type().kind() == Type.Kind.INTERVAL_MONTHS ? "MONTH" : "MICROSECOND";
    String moment =
        interval.type().kind() == Type.Kind.INTERVAL_MONTHS
            ? value.sql()
            : dialect.cast(value.sql(), value.type(), Type.TIMESTAMP);
    String sum = "(" + moment + " + INTERVAL " + interval.sql() + " " + unit + ")";
    String known =
        unit.equals("MONTH") && !isForward(interval) ? once(sum, MariaDbDates::known) : sum;
    return "CAST(" + known + " AS " + dialect.typeName(type) + ")";
  }

  private static boolean isForward(RenderedExpression interval) {
    return interval.expr() instanceof Expr.Literal literal
        && !literal.isNull()
        && Long.parseLong(literal.value().toString()) >= 0;
  }

  /** Months, and only they, lead into a year 0. */
  private static String known(String d) {
    return "(CASE WHEN " + d + " >= DATE '0001-01-01' THEN " + d + " END)";
  }

  /** An interval taken several times; more than a hundred million times is NULL. */
  static String times(RenderedExpression left, RenderedExpression right) {
    RenderedExpression interval = left.type().isInterval() ? left : right;
    RenderedExpression number = left.type().isInterval() ? right : left;
    return once(
        number.sql(),
        n ->
            Sql.of(
                "(CASE WHEN {n} BETWEEN -100000000 AND 100000000 THEN ROUND(CAST({interval} AS"
                    + " DECIMAL(20, 0)) * {n}) END)",
                n,
                interval.sql()));
  }

  /** Two intervals one after the other. */
  static String sum(RenderedExpression left, RenderedExpression right) {
    return "(" + wide(left) + " + " + wide(right) + ")";
  }

  static String negated(RenderedExpression interval) {
    return "(-" + wide(interval) + ")";
  }

  private static String wide(RenderedExpression interval) {
    return "CAST(" + interval.sql() + " AS DECIMAL(38, 0))";
  }

  /** The time from one moment to another. */
  static String between(RenderedExpression from, RenderedExpression to) {
    return "TIMESTAMPDIFF(MICROSECOND, " + from.sql() + ", " + to.sql() + ")";
  }

  /** How many boundaries of the unit lie between. */
  static String difference(String unit, RenderedExpression from, RenderedExpression to) {
    String last = once(to.sql(), d -> index(unit, d));
    return "(" + last + " - " + once(from.sql(), d -> index(unit, d)) + ")";
  }

  /** Numbers the units: two moments in one unit have one number. */
  private static String index(String unit, String d) {
    return switch (unit) {
      case "YEAR" -> "YEAR(" + d + ")";
      case "QUARTER" -> "(YEAR(" + d + ") * 4 + QUARTER(" + d + "))";
      case "MONTH" -> "(YEAR(" + d + ") * 12 + MONTH(" + d + "))";
      case "WEEK" -> "((TO_DAYS(" + d + ") + 5) DIV 7)"; // day 2 of the year 0 is a Monday
      case "DAY" -> "TO_DAYS(" + d + ")";
      case "HOUR" -> steps(d, 3_600_000_000L);
      case "MINUTE" -> steps(d, 60_000_000L);
      case "SECOND" -> steps(d, 1_000_000L);
      default -> throw new IllegalArgumentException("no difference in " + unit);
    };
  }
}
