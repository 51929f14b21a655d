package flexdp.release;

import flexdp.compute.ValueConversion;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.UUID;

/**
 * The one form that a value has once it is read, so that equal values look the same whichever row
 * they come from (guarantee §12). Total: what has no such form, as NaN, an infinity, a day outside
 * the years 1 to 9999 or an object of another class, is no value, and a row with it is dropped like
 * one whose label is not listed. An error in its place would tell that such a row exists.
 */
public final class CanonicalValue {
  private static final int FIRST_YEAR = 1;
  private static final int LAST_YEAR = 9999;

  /** Far more digits than any type has; to compute with more would only take time. */
  private static final int MOST_DIGITS = 400;

  private CanonicalValue() {}

  /** A value that is not NULL in the form of its type, if it has one. */
  public static Optional<Object> of(Type type, Object value) {
    boolean fits =
        switch (type.kind()) {
          case BOOLEAN -> value instanceof Boolean;
          case SMALLINT, INTEGER, BIGINT, DECIMAL -> value instanceof BigDecimal n && isShort(n);
          case DOUBLE -> value instanceof Double;
          case VARCHAR -> value instanceof String s && isText(s);
          case DATE -> value instanceof LocalDate d && isNear(d);
          case TIME -> value instanceof LocalTime t && isWhole(t);
          case TIMESTAMP ->
              value instanceof LocalDateTime t
                  && isNear(t.toLocalDate())
                  && isWhole(t.toLocalTime());
          case UUID -> value instanceof UUID;
          case INTERVAL_MONTHS, INTERVAL_MICROS -> false;
          case OPAQUE, NULL -> value instanceof String;
        };
    return fits ? Optional.ofNullable(ValueConversion.to(type, value)) : Optional.empty();
  }

  static boolean isShort(BigDecimal number) {
    return Math.abs((long) number.scale()) <= MOST_DIGITS && number.precision() <= MOST_DIGITS;
  }

  private static boolean isNear(LocalDate day) {
    return day.getYear() >= FIRST_YEAR && day.getYear() <= LAST_YEAR;
  }

  /** Databases count microseconds; the last nanosecond of a day is how drivers say 24:00. */
  private static boolean isWhole(LocalTime time) {
    return time.equals(time.truncatedTo(ChronoUnit.MICROS));
  }

  /** Half of a pair of surrogates is no character, and no database has one. */
  private static boolean isText(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        i++;
      } else if (Character.isSurrogate(c)) {
        return false;
      }
    }
    return true;
  }
}
