package flexdp.gateway.sqlite;

import static flexdp.gateway.sqlite.Sqlite.MICROS_PER_DAY;
import static flexdp.gateway.sqlite.Sqlite.once;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.gateway.render.RenderedExpression;
import flexdp.gateway.render.Sql;
import flexdp.gateway.render.TimeUnits;
import flexdp.policy.Type;
import java.util.Locale;

/** Days and microseconds since 1970, of the years 1 to 9999 (guarantee §12); others are NULL. */
public final class SqliteDates {
  private static final long FIRST_DAY = -719_162;
  private static final long LAST_DAY = 2_932_896;
  private static final String DAY = "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]";

  private SqliteDates() {}

  /**
   * The day that a text of the form 2024-02-29 names, if there is such a day. A plus sign takes the
   * affinity of a column away, which would make 1 of '0001'.
   */
  public static String dateOfText(String v) {
    return Sql.of(
        "CASE WHEN {v} GLOB '{day}' AND +{v} >= '0001' AND date({v}) = {v} THEN unixepoch({v}) /"
            + " 86400 END",
        v,
        DAY);
  }

  /** As 2024-02-29 23:59[:59[.999999]], with a blank or a T; digits beyond those are cut off. */
  public static String timestampOfText(String v) {
    String moment = "replace(substr(" + v + ", 1, 19), 'T', ' ')";
    String minute = "replace(substr(" + v + ", 1, 16), 'T', ' ')";
    return Sql.of(
        "CASE WHEN +{v} < '0001' THEN NULL WHEN {v} GLOB '{day}' THEN ({date}) * {micros} WHEN"
            + " length({v}) = 16 AND strftime('%Y-%m-%d %H:%M', {v}) = {minute} THEN unixepoch({v})"
            + " * 1000000 WHEN strftime('%Y-%m-%d %H:%M:%S', substr({v}, 1, 19)) = {moment} AND"
            + " (length({v}) = 19 OR {v} GLOB '???????????????????.[0-9]*' AND substr({v}, 21) NOT"
            + " GLOB '*[^0-9]*') THEN unixepoch(substr({v}, 1, 19)) * 1000000 +"
            + " CAST(substr(substr({v}, 21) || '000000', 1, 6) AS INTEGER) END",
        v, DAY, dateOfText(v), MICROS_PER_DAY, minute, moment);
  }

  static String textOfTimestamp(String v) {
    String fraction = SqliteCasts.modulo(v, 1_000_000);
    return Sql.of(
        "(datetime({seconds}, 'unixepoch') || CASE WHEN {fraction} = 0 THEN '' ELSE '.' ||"
            + " rtrim(substr('00000' || {fraction}, -6), '0') END)",
        seconds(v),
        fraction);
  }

  /** The digits of a decimal. */
  static String digits(String v, int scale) {
    return Sql.of(
        "CASE WHEN {v} < 0 THEN '-' ELSE '' END || abs({v} / {step}) || '.' || substr('{zeros}' ||"
            + " abs({v} % {step}), -{scale})",
        v, SqliteCasts.power(scale), "0".repeat(scale - 1), scale);
  }

  private static String seconds(String micros) {
    return SqliteCasts.floor(micros, 1_000_000);
  }

  /** The moment as SQLite's functions take it, whole seconds since 1970. */
  private static String moment(String v, Type type) {
    return (type.kind() == Type.Kind.DATE ? v + " * 86400" : seconds(v)) + ", 'unixepoch'";
  }

  static String extract(String unit, RenderedExpression from) {
    if (!from.type().isDateTime()) {
      throw unsupported("A part of a value of type " + from.type());
    }
    return once(
        from.sql(),
        v ->
            Sql.of(
                "CASE WHEN {known} THEN {part} END",
                inCalendar(v, from.type()),
                part(unit, v, from.type())));
  }

  private static String part(String unit, String v, Type type) {
    return switch (unit) {
      case "YEAR" -> field("%Y", v, type);
      case "MONTH" -> field("%m", v, type);
      case "DAY" -> field("%d", v, type);
      case "HOUR" -> field("%H", v, type);
      case "MINUTE" -> field("%M", v, type);
      case "SECOND" -> field("%S", v, type);
      case "DOW" -> field("%w", v, type);
      case "DOY" -> field("%j", v, type);
      case "WEEK" -> field("%V", v, type);
      case "ISOYEAR" -> field("%G", v, type);
      case "QUARTER" -> "((" + field("%m", v, type) + " + 2) / 3)";
      case "EPOCH" -> type.kind() == Type.Kind.DATE ? "(" + v + " * 86400)" : seconds(v);
      default -> throw new IllegalArgumentException("no such unit: " + unit);
    };
  }

  private static String field(String format, String v, Type type) {
    return "CAST(strftime('" + format + "', " + moment(v, type) + ") AS INTEGER)";
  }

  static String truncate(String unit, RenderedExpression value) {
    Type type = value.type();
    return once(
        value.sql(),
        v -> {
          String days = type.kind() == Type.Kind.DATE ? v : SqliteCasts.floor(v, MICROS_PER_DAY);
          String cut =
              switch (unit) {
                case "YEAR" -> start(v, type, "'start of year'");
                case "MONTH" -> start(v, type, "'start of month'");
                case "QUARTER" ->
                    start(
                        v,
                        type,
                        "'start of month', '-' || (("
                            + field("%m", v, type)
                            + " - 1) % 3) || ' months'");
                case "WEEK" ->
                    once(
                        days,
                        d -> "(" + d + " - " + SqliteCasts.modulo("(" + d + " + 3)", 7) + ")");
                case "DAY" -> days;
                case "HOUR" -> within(v, type, 3_600_000_000L);
                case "MINUTE" -> within(v, type, 60_000_000L);
                case "SECOND" -> within(v, type, 1_000_000L);
                default -> throw new IllegalArgumentException("no such unit: " + unit);
              };
          boolean wholeDays = !TimeUnits.isWithinDay(unit) && type.kind() == Type.Kind.TIMESTAMP;
          return Sql.of(
              "CASE WHEN {known} THEN {cut}{micros} END",
              inCalendar(v, type),
              cut,
              wholeDays ? " * " + MICROS_PER_DAY : "");
        });
  }

  private static String start(String v, Type type, String modifiers) {
    return "(unixepoch(" + moment(v, type) + ", " + modifiers + ") / 86400)";
  }

  private static String within(String v, Type type, long micros) {
    return type.kind() == Type.Kind.DATE
        ? v
        : "(" + v + " - " + SqliteCasts.modulo(v, micros) + ")";
  }

  private static String inCalendar(String v, Type type) {
    boolean day = type.kind() == Type.Kind.DATE;
    return Sql.of(
        "{v} BETWEEN {first} AND {last}",
        v,
        day ? FIRST_DAY : FIRST_DAY * MICROS_PER_DAY,
        day ? LAST_DAY : (LAST_DAY + 1) * MICROS_PER_DAY - 1);
  }

  /** The last day of a month stays its last day. */
  static String add(RenderedExpression value, RenderedExpression interval, Type type) {
    boolean date = value.type().kind() == Type.Kind.DATE;
    boolean months = interval.type().kind() == Type.Kind.INTERVAL_MONTHS;
    String sum;
    if (months) {
      String day = date ? "a" : SqliteCasts.floor("a", MICROS_PER_DAY);
      String rest =
          date ? "" : " * " + MICROS_PER_DAY + " + " + SqliteCasts.modulo("a", MICROS_PER_DAY);
      sum = "unixepoch(" + day + " * 86400, 'unixepoch', b || ' months', 'floor') / 86400" + rest;
    } else {
      sum = (date ? "a * " + MICROS_PER_DAY : "a") + " + b";
      sum =
          type.kind() == Type.Kind.DATE ? SqliteCasts.floor("(" + sum + ")", MICROS_PER_DAY) : sum;
    }
    Type made = months ? value.type() : type;
    String limit = months ? "120000" : String.valueOf(4_000_000 * MICROS_PER_DAY);
    return Sql.of(
        "(SELECT CASE WHEN {known} THEN {made} END FROM (SELECT CASE WHEN {inside} AND b BETWEEN"
            + " -{limit} AND {limit} THEN {sum} END AS s FROM (SELECT {value} AS a, {interval} AS"
            + " b)))",
        inCalendar("s", made),
        SqliteCasts.cast("s", made, type),
        inCalendar("a", value.type()),
        limit,
        sum,
        value.sql(),
        interval.sql());
  }

  /** How many boundaries of the unit lie between. */
  static String difference(String unit, RenderedExpression from, RenderedExpression to) {
    return Sql.of(
        "(SELECT CASE WHEN {known} AND {other} THEN {last} - {first} END FROM (SELECT {from} AS a,"
            + " {to} AS b))",
        inCalendar("a", from.type()),
        inCalendar("b", to.type()),
        index(unit, "b", to.type()),
        index(unit, "a", from.type()),
        from.sql(),
        to.sql());
  }

  private static String index(String unit, String v, Type type) {
    String days = type.kind() == Type.Kind.DATE ? v : SqliteCasts.floor(v, MICROS_PER_DAY);
    String micros = type.kind() == Type.Kind.DATE ? "(" + v + " * " + MICROS_PER_DAY + ")" : v;
    return switch (unit.toUpperCase(Locale.ROOT)) {
      case "YEAR" -> part("YEAR", v, type);
      case "QUARTER" -> "(" + part("YEAR", v, type) + " * 4 + " + part("QUARTER", v, type) + ")";
      case "MONTH" -> "(" + part("YEAR", v, type) + " * 12 + " + part("MONTH", v, type) + ")";
      case "WEEK" -> SqliteCasts.floor("(" + days + " + 3)", 7);
      case "DAY" -> days;
      case "HOUR" -> SqliteCasts.floor(micros, 3_600_000_000L);
      case "MINUTE" -> SqliteCasts.floor(micros, 60_000_000L);
      case "SECOND" -> SqliteCasts.floor(micros, 1_000_000L);
      default -> throw new IllegalArgumentException("no difference in " + unit);
    };
  }

  static Rejection unsupported(String what) {
    return Rejection.of(
        RejectionCode.UNSUPPORTED, what + " has no form on SQLite.", "Use a date or a timestamp.");
  }
}
