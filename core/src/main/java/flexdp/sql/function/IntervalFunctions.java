package flexdp.sql.function;

import flexdp.algebra.ConstantLimits;
import flexdp.algebra.Expr;
import flexdp.failure.Position;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.time.LocalTime;
import java.util.Locale;

/** Lengths of time: a number of months, or of microseconds. */
final class IntervalFunctions {
  static final long DAY = 86_400_000_000L;

  private static final long MOST_MICROS = 18_262_500L * DAY;

  private IntervalFunctions() {}

  /** A length of so many units. */
  static Expr.Literal of(String unit, BigDecimal count, Position at) {
    long months = months(unit);
    try {
      return months > 0
          ? length(
              count.multiply(BigDecimal.valueOf(months)).longValueExact(), Type.INTERVAL_MONTHS, at)
          : length(
              count.multiply(BigDecimal.valueOf(micros(unit, at))).longValueExact(),
              Type.INTERVAL_MICROS,
              at);
    } catch (ArithmeticException e) {
      throw Rejections.types(
          count + " " + unit.toLowerCase(Locale.ROOT) + " is no whole length of time.",
          "Write a smaller whole number of units.",
          at);
    }
  }

  /** A constant length of time. */
  static Expr.Literal length(long value, Type type, Position at) {
    long most = type.kind() == Type.Kind.INTERVAL_MONTHS ? ConstantLimits.MOST_MONTHS : MOST_MICROS;
    if (value > most || value < -most) {
      throw Rejections.types("The interval is too long.", "Write a shorter one.", at);
    }
    return new Expr.Literal(value, type);
  }

  /** The length of one unit whose number is computed: interval '1 day' for DAY. */
  static Expr.Literal one(String unit, Position at) {
    return of(unit, BigDecimal.ONE, at);
  }

  /** Reads '7 days', '1 year 2 months', '02:30:00', '1 day 12:00'. */
  static Expr.Literal parse(String text, Position at) {
    return parse(text, "", at);
  }

  /** Reads a length of time; a bare number counts {@code unit}s. */
  static Expr.Literal parse(String text, String unit, Position at) {
    String[] words = text.trim().split("\\s+");
    long months = 0;
    long micros = 0;
    for (int i = 0; i < words.length; i++) {
      String word = words[i];
      if (word.indexOf(':') > 0) {
        LocalTime time = TextLiterals.time(word.startsWith("-") ? word.substring(1) : word, at);
        micros += (word.startsWith("-") ? -1 : 1) * time.toNanoOfDay() / 1000;
        continue;
      }
      int end = 0;
      while (end < word.length() && "+-.0123456789".indexOf(word.charAt(end)) >= 0) {
        end++;
      }
      String name =
          end < word.length()
              ? word.substring(end)
              : i + 1 < words.length && words[i + 1].indexOf(':') < 0 ? words[++i] : bare(unit, at);
      Expr.Literal part = of(unitName(name, at), decimal(word.substring(0, end), text, at), at);
      if (part.type().kind() == Type.Kind.INTERVAL_MONTHS) {
        months = (Long) length(months + (Long) part.value(), part.type(), at).value();
      } else {
        micros = (Long) length(micros + (Long) part.value(), part.type(), at).value();
      }
    }
    if (months != 0 && micros != 0) {
      throw Rejections.types(
          "An interval of months and days together has no single length.",
          "Add them one after the other: d + interval '1 month' + interval '1 day'.",
          at);
    }
    return months != 0
        ? new Expr.Literal(months, Type.INTERVAL_MONTHS)
        : new Expr.Literal(micros, Type.INTERVAL_MICROS);
  }

  private static String bare(String unit, Position at) {
    if (unit.isEmpty()) {
      throw Rejections.types(
          "The interval does not say of what.", "Write a unit, as in interval '7 days'.", at);
    }
    return unit;
  }

  private static BigDecimal decimal(String number, String whole, Position at) {
    try {
      return new BigDecimal(number);
    } catch (NumberFormatException e) {
      throw Rejections.types(
          "'" + TextLiterals.shown(whole) + "' is not a length of time.",
          "Write intervals as interval '7 days'.",
          at);
    }
  }

  private static long months(String unit) {
    return switch (unit) {
      case "MONTH" -> 1;
      case "QUARTER" -> 3;
      case "YEAR" -> 12;
      case "DECADE" -> 120;
      case "CENTURY" -> 1200;
      default -> 0;
    };
  }

  private static long micros(String unit, Position at) {
    return switch (unit) {
      case "WEEK" -> 7 * DAY;
      case "DAY" -> DAY;
      case "HOUR" -> 3_600_000_000L;
      case "MINUTE" -> 60_000_000L;
      case "SECOND" -> 1_000_000L;
      case "MILLISECOND" -> 1_000L;
      case "MICROSECOND" -> 1L;
      default ->
          throw Rejections.types(
              "'" + unit.toLowerCase(Locale.ROOT) + "' is not a unit of time that can be added.",
              "Use year, quarter, month, week, day, hour, minute or second.",
              at);
    };
  }

  /** The standard name of a unit of time, from any spelling: days, mon, hh, isodow, ... */
  static String unitName(String written, Position at) {
    String unit = written.trim().toUpperCase(Locale.ROOT);
    return switch (unit) {
      case "YEAR", "YEARS", "YR", "YRS", "Y", "YY", "YYYY" -> "YEAR";
      case "QUARTER", "QUARTERS", "QTR", "Q", "QQ" -> "QUARTER";
      case "MONTH", "MONTHS", "MON", "MONS", "MM", "M" -> "MONTH";
      case "WEEK", "WEEKS", "W", "WK", "WW", "ISOWEEK", "ISO_WEEK", "WEEKOFYEAR" -> "WEEK";
      case "DAY", "DAYS", "D", "DD", "DAYOFMONTH" -> "DAY";
      case "HOUR", "HOURS", "H", "HH", "HR", "HRS" -> "HOUR";
      case "MINUTE", "MINUTES", "MIN", "MINS", "MI", "N" -> "MINUTE";
      case "SECOND", "SECONDS", "SEC", "SECS", "S", "SS" -> "SECOND";
      case "MILLISECOND", "MILLISECONDS", "MS" -> "MILLISECOND";
      case "MICROSECOND", "MICROSECONDS", "US" -> "MICROSECOND";
      case "DOW", "DAYOFWEEK", "WEEKDAY", "DW" -> "DOW";
      case "ISODOW", "DAYOFWEEK_ISO", "DAY_OF_WEEK" -> "ISODOW";
      case "DOY", "DAYOFYEAR", "DAY_OF_YEAR", "DY" -> "DOY";
      case "EPOCH", "EPOCH_SECOND" -> "EPOCH";
      case "ISOYEAR", "YEAROFWEEK", "YOW" -> "ISOYEAR";
      case "DECADE", "DECADES" -> "DECADE";
      case "CENTURY", "CENTURIES" -> "CENTURY";
      default ->
          throw Rejections.types(
              "'" + TextLiterals.shown(written) + "' is not a unit of time.",
              "Use year, quarter, month, week, day, hour, minute or second.",
              at);
    };
  }
}
