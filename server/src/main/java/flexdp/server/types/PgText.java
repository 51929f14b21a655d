package flexdp.server.types;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

/** Values as PostgreSQL writes them. */
public final class PgText {
  private static final long DAY = 86_400_000_000L;

  private PgText() {}

  public static byte[] bytes(Object value, PgType type) {
    return of(value, type).getBytes(StandardCharsets.UTF_8);
  }

  /**
   * @throws IllegalArgumentException for a value of a class that answers do not have
   */
  public static String of(Object value, PgType type) {
    return switch (value) {
      case Boolean b -> b ? "t" : "f";
      case BigDecimal d -> d.toPlainString();
      case Double d -> real(d);
      case Float f -> real(Double.parseDouble(f.toString()));
      case Long l -> type == PgType.INTERVAL ? interval(l) : l.toString();
      case Months m -> months(m.count());
      case Number n -> n.toString();
      case String s -> s;
      case LocalDate d -> date(d);
      case LocalTime t -> time(t);
      case LocalDateTime t -> date(t.toLocalDate()) + " " + time(t.toLocalTime());
      case UUID u -> u.toString();
      case List<?> list -> array(list, type);
      default -> throw new IllegalArgumentException("a value of " + value.getClass());
    };
  }

  /** The shortest digits that mean the same number, as PostgreSQL shows them. */
  private static String real(double value) {
    if (Double.isNaN(value)) {
      return "NaN";
    }
    if (Double.isInfinite(value)) {
      return value > 0 ? "Infinity" : "-Infinity";
    }
    if (value == 0) {
      return 1 / value < 0 ? "-0" : "0";
    }
    BigDecimal digits = new BigDecimal(Double.toString(value)).stripTrailingZeros();
    int exponent = digits.precision() - digits.scale() - 1;
    if (exponent >= -4 && exponent < 15) {
      return digits.toPlainString();
    }
    String unscaled = digits.unscaledValue().abs().toString();
    return (value < 0 ? "-" : "")
        + unscaled.charAt(0)
        + (unscaled.length() > 1 ? "." + unscaled.substring(1) : "")
        + String.format(Locale.ROOT, "e%s%02d", exponent < 0 ? "-" : "+", Math.abs(exponent));
  }

  private static String date(LocalDate date) {
    int year = date.getYear();
    String shown =
        String.format(
            Locale.ROOT,
            "%04d-%02d-%02d",
            year > 0 ? year : 1 - year,
            date.getMonthValue(),
            date.getDayOfMonth());
    return year > 0 ? shown : shown + " BC";
  }

  private static String time(LocalTime time) {
    int micros = time.get(ChronoField.MICRO_OF_SECOND);
    String shown =
        String.format(
            Locale.ROOT, "%02d:%02d:%02d", time.getHour(), time.getMinute(), time.getSecond());
    return micros == 0
        ? shown
        : shown + String.format(Locale.ROOT, ".%06d", micros).replaceAll("0+$", "");
  }

  private static String interval(long micros) {
    long days = micros / DAY;
    long rest = micros % DAY;
    StringBuilder text = new StringBuilder();
    if (days != 0) {
      text.append(days).append(Math.abs(days) == 1 && days > 0 ? " day" : " days");
    }
    if (rest != 0 || days == 0) {
      text.append(days == 0 ? "" : " ").append(rest < 0 ? "-" : days < 0 ? "+" : "");
      text.append(time(LocalTime.ofNanoOfDay(Math.abs(rest) * 1_000)));
    }
    return text.toString();
  }

  private static String months(long months) {
    long years = months / 12;
    long rest = months % 12;
    StringBuilder text = new StringBuilder();
    if (years != 0) {
      text.append(years).append(years == 1 ? " year" : " years");
    }
    if (rest != 0) {
      text.append(years == 0 ? "" : " ").append(rest).append(rest == 1 ? " mon" : " mons");
    }
    return text.isEmpty() ? "00:00:00" : text.toString();
  }

  private static String array(List<?> list, PgType type) {
    StringBuilder text = new StringBuilder("{");
    for (Object element : list) {
      text.append(text.length() > 1 ? "," : "");
      // In quotes a list within a list would double its backslashes at every level.
      text.append(
          switch (element) {
            case null -> "NULL";
            case List<?> inner -> array(inner, type);
            default -> quoted(of(element, type));
          });
    }
    return text.append('}').toString();
  }

  private static String quoted(String element) {
    boolean plain =
        !element.isEmpty()
            && !element.equalsIgnoreCase("null")
            && element.chars().noneMatch(c -> "{},\"\\ \t\n\r".indexOf(c) >= 0);
    return plain ? element : '"' + element.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
