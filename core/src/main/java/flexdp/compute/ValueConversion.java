package flexdp.compute;

import flexdp.policy.Type;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.Locale;
import java.util.UUID;

/** Conversions between types; what has no value in the other type becomes NULL. */
public final class ValueConversion {
  private static final DateTimeFormatter CLOCK =
      new DateTimeFormatterBuilder()
          .appendPattern("HH:mm:ss")
          .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
          .toFormatter(Locale.ROOT);

  private ValueConversion() {}

  public static Object to(Type type, Object value) {
    if (value == null) {
      return null;
    }
    try {
      return switch (type.kind()) {
        case BOOLEAN -> bool(value);
        case SMALLINT -> whole(value, 15);
        case INTEGER -> whole(value, 31);
        case BIGINT -> whole(value, 63);
        case DECIMAL -> decimal(value, type);
        case DOUBLE -> real(value);
        case VARCHAR -> text(value);
        case DATE -> date(value);
        case TIME -> time(value);
        case TIMESTAMP -> timestamp(value);
        case UUID -> value instanceof UUID ? value : UUID.fromString(value.toString().strip());
        case INTERVAL_MONTHS, INTERVAL_MICROS -> value instanceof Long ? value : null;
        case OPAQUE, NULL -> value;
      };
    } catch (ArithmeticException | DateTimeException | IllegalArgumentException e) {
      return null;
    }
  }

  private static Boolean bool(Object value) {
    return switch (value) {
      case Boolean b -> b;
      case BigDecimal n -> n.signum() != 0;
      case Double d -> d != 0;
      case String s ->
          switch (s.strip().toLowerCase(Locale.ROOT)) {
            case "true", "t", "yes", "y", "1" -> true;
            case "false", "f", "no", "n", "0" -> false;
            default -> null;
          };
      default -> null;
    };
  }

  /** Floats round to even, exact numbers away from zero, as databases do. */
  private static BigDecimal whole(Object value, int bits) {
    BigDecimal number =
        value instanceof Double d
            ? new BigDecimal(d).setScale(0, RoundingMode.HALF_EVEN)
            : rounded(value, 0);
    if (number != null && number.precision() <= 18) {
      // Nothing is lost: the scale is 0. Most numbers are of this kind.
      long small = number.longValue() >> bits;
      return small == 0 || small == -1 ? number : null;
    }
    return number != null && number.toBigIntegerExact().bitLength() <= bits ? number : null;
  }

  private static BigDecimal decimal(Object value, Type type) {
    BigDecimal number = rounded(value, type.scale());
    return number != null && number.precision() <= type.precision() ? number : null;
  }

  private static BigDecimal rounded(Object value, int scale) {
    BigDecimal number =
        switch (value) {
          case BigDecimal n -> n;
          case Double d -> new BigDecimal(d);
          case Boolean b -> b ? BigDecimal.ONE : BigDecimal.ZERO;
          case String s -> parsed(s);
          default -> null;
        };
    return number == null ? null : number.setScale(scale, RoundingMode.HALF_UP);
  }

  /** Exponents beyond what any type holds would only cost memory. */
  private static BigDecimal parsed(String text) {
    BigDecimal number = new BigDecimal(text.strip());
    return Math.abs((long) number.scale()) > 400 ? null : number;
  }

  /** NaN and infinities are NULL, and there is one zero (guarantee §12). */
  static Double finite(double value) {
    return Double.isFinite(value) ? Double.valueOf(value + 0.0) : null;
  }

  private static Double real(Object value) {
    return switch (value) {
      case Double d -> finite(d);
      case BigDecimal n -> finite(n.doubleValue());
      case Boolean b -> b ? 1.0 : 0.0;
      case String s -> finite(Double.parseDouble(s.strip()));
      default -> null;
    };
  }

  static String text(Object value) {
    return switch (value) {
      case BigDecimal n -> n.toPlainString();
      case Double d when Math.abs(d) >= 1e-4 && Math.abs(d) < 1e15 -> {
        String plain = new BigDecimal(d.toString()).toPlainString();
        yield plain.indexOf('.') < 0 ? plain + ".0" : plain;
      }
      case LocalTime t -> t.format(CLOCK);
      case LocalDateTime t -> t.toLocalDate() + " " + t.toLocalTime().format(CLOCK);
      default -> value.toString();
    };
  }

  private static LocalDate date(Object value) {
    return switch (value) {
      case LocalDate d -> d;
      case LocalDateTime t -> t.toLocalDate();
      case String s -> LocalDate.parse(s.strip().split("[ T]", 2)[0]);
      default -> null;
    };
  }

  private static LocalTime time(Object value) {
    return switch (value) {
      case LocalTime t -> t;
      case LocalDateTime t -> t.toLocalTime();
      case String s -> LocalTime.parse(s.strip());
      default -> null;
    };
  }

  private static LocalDateTime timestamp(Object value) {
    return switch (value) {
      case LocalDateTime t -> t;
      case LocalDate d -> d.atStartOfDay();
      case String s ->
          s.strip().length() <= 10
              ? LocalDate.parse(s.strip()).atStartOfDay()
              : LocalDateTime.parse(s.strip().replace(' ', 'T'));
      default -> null;
    };
  }
}
