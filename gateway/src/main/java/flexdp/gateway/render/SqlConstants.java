package flexdp.gateway.render;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Constants as the standard writes them. */
public final class SqlConstants {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss.SSSSSS", Locale.ROOT);

  private SqlConstants() {}

  /** Text in single quotes, where a backslash is a character like any other. */
  public static String text(String value) {
    return "'" + value.replace("'", "''") + "'";
  }

  /** Text in single quotes, where a backslash begins an escape. */
  public static String escaped(String value) {
    return text(value.replace("\\", "\\\\"));
  }

  /**
   * Text in single quotes; a NUL character, which no literal can hold, is spelled by the caller.
   */
  public static String quoted(String value, String nul) {
    if (value.indexOf('\0') < 0) {
      return text(value);
    }
    return Arrays.stream(value.split("\0", -1))
        .map(part -> quoted(part, nul))
        .collect(Collectors.joining(" || " + nul + " || ", "(", ")"));
  }

  public static String date(LocalDate date) {
    if (date.getYear() < 1) {
      return String.format(
          Locale.ROOT,
          "%04d-%02d-%02d (BC)",
          1 - date.getYear(),
          date.getMonthValue(),
          date.getDayOfMonth());
    }
    return String.format(
        Locale.ROOT, "%04d-%02d-%02d", date.getYear(), date.getMonthValue(), date.getDayOfMonth());
  }

  public static String time(LocalTime time) {
    return time.format(TIME);
  }

  public static String timestamp(LocalDateTime timestamp) {
    String date = date(timestamp.toLocalDate());
    String clock = time(timestamp.toLocalTime());
    return date.endsWith(" (BC)")
        ? date.substring(0, date.length() - 5) + " " + clock + " (BC)"
        : date + " " + clock;
  }
}
