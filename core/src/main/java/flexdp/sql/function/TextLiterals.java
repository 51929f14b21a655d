package flexdp.sql.function;

import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.failure.Position;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.UUID;

/** Reads text literals as values of other types. */
public final class TextLiterals {
  private TextLiterals() {}

  /** The literal in another type; a text that does not fit is a mismatch. */
  static Expr.Literal as(String text, Type type, Position at) {
    return switch (type.kind()) {
      case DATE, TIMESTAMP -> moment(text, at);
      case TIME -> new Expr.Literal(time(text.trim(), at), Type.TIME);
      case SMALLINT, INTEGER, BIGINT, DECIMAL, DOUBLE -> number(text, at);
      case BOOLEAN -> truth(text, at);
      case UUID -> uuid(text, at);
      case INTERVAL_MONTHS, INTERVAL_MICROS -> IntervalFunctions.parse(text, at);
      case VARCHAR, NULL, OPAQUE -> Exprs.text(text);
    };
  }

  static Expr.Literal number(String text, Position at) {
    try {
      return LiteralBinder.number(new BigDecimal(text.trim()), at);
    } catch (NumberFormatException e) {
      throw Rejections.types("'" + shown(text) + "' is not a number.", "Write a number here.", at);
    }
  }

  private static Expr.Literal truth(String text, Position at) {
    return switch (text.trim().toLowerCase(Locale.ROOT)) {
      case "t", "true", "yes", "y", "on", "1" -> Expr.Literal.TRUE;
      case "f", "false", "no", "n", "off", "0" -> Expr.Literal.FALSE;
      default ->
          throw Rejections.types(
              "'" + shown(text) + "' is neither true nor false.", "Write TRUE or FALSE.", at);
    };
  }

  private static Expr.Literal uuid(String text, Position at) {
    try {
      return new Expr.Literal(UUID.fromString(text.trim()), Type.UUID);
    } catch (IllegalArgumentException e) {
      throw Rejections.types(
          "'" + shown(text) + "' is not a UUID.", "Write all 36 characters.", at);
    }
  }

  /** A date, or a timestamp when a time of day is written. */
  static Expr.Literal moment(String text, Position at) {
    String trimmed = text.trim();
    int split = separator(trimmed);
    LocalDate date = date(split < 0 ? trimmed : trimmed.substring(0, split), text, at);
    if (split < 0) {
      return new Expr.Literal(date, Type.DATE);
    }
    LocalTime time = time(withoutZone(trimmed.substring(split + 1).trim()), at);
    return new Expr.Literal(LocalDateTime.of(date, time), Type.TIMESTAMP);
  }

  static LocalDateTime timestamp(String text, Position at) {
    return moment(text, at).value() instanceof LocalDate date
        ? date.atStartOfDay()
        : (LocalDateTime) moment(text, at).value();
  }

  private static int separator(String text) {
    int blank = text.indexOf(' ');
    return blank >= 0 ? blank : text.indexOf('T');
  }

  /** UTC is the only zone that timestamps have here. */
  private static String withoutZone(String time) {
    for (String utc : new String[] {"Z", "+00:00", "+00", " UTC"}) {
      if (time.endsWith(utc)) {
        return time.substring(0, time.length() - utc.length()).trim();
      }
    }
    return time;
  }

  private static LocalDate date(String text, String whole, Position at) {
    try {
      if (text.length() == 8 && text.chars().allMatch(Character::isDigit)) {
        return day(text.substring(0, 4), text.substring(4, 6), text.substring(6));
      }
      char mark = text.indexOf('/') > 0 ? '/' : '-';
      int first = text.indexOf(mark);
      int second = text.indexOf(mark, first + 1);
      if (first == 4 && second > first && text.indexOf('+') < 0) {
        return day(
            text.substring(0, first),
            text.substring(first + 1, second),
            text.substring(second + 1));
      }
    } catch (DateTimeException | NumberFormatException e) {
      // Said below, in our own words.
    }
    throw Rejections.types(
        "'" + shown(whole) + "' is not a date.", "Write dates as '2020-12-31'.", at);
  }

  /** Of the years 1 to 9999, which every database has; the caller admits four digits only. */
  private static LocalDate day(String year, String month, String day) {
    LocalDate date =
        LocalDate.of(Integer.parseInt(year), Integer.parseInt(month), Integer.parseInt(day));
    if (date.getYear() < 1) {
      throw new DateTimeException("not in every database's calendar");
    }
    return date;
  }

  static LocalTime time(String text, Position at) {
    try {
      // Databases keep microseconds, and so does every value of ours.
      return LocalTime.parse(text.length() > 1 && text.charAt(1) == ':' ? "0" + text : text)
          .truncatedTo(ChronoUnit.MICROS);
    } catch (DateTimeException e) {
      throw Rejections.types(
          "'" + shown(text) + "' is not a time of day.", "Write times as '23:59:59'.", at);
    }
  }

  public static String shown(String text) {
    return text.length() <= 40 ? text : text.substring(0, 40) + "…";
  }
}
