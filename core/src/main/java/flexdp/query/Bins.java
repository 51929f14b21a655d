package flexdp.query;

import flexdp.algebra.Conversions;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;

/**
 * Labels supplied by the analyst: a table of values as they were written (null, Boolean, number or
 * String), one column per GROUP BY key.
 */
public record Bins(List<String> columns, List<List<Object>> rows) {
  public Bins {
    columns = List.copyOf(columns);
    Set<String> seen = new LinkedHashSet<>();
    for (String column : columns) {
      if (!seen.add(column.toLowerCase(Locale.ROOT))) {
        throw bad("The column " + column + " stands twice in the labels.");
      }
    }
    for (List<Object> row : rows) {
      if (row.size() != columns.size()) {
        throw bad(
            "A row of labels has " + row.size() + " values for " + columns.size() + " columns.");
      }
    }
  }

  /** The rows as values of the given types, columns in the given order, duplicates merged. */
  public List<List<Object>> typed(List<Integer> order, List<Type> types) {
    Set<List<Object>> distinct = new LinkedHashSet<>();
    for (List<Object> row : rows) {
      List<Object> values = new ArrayList<>();
      for (int i = 0; i < order.size(); i++) {
        values.add(value(row.get(order.get(i)), types.get(i)));
      }
      distinct.add(values);
    }
    return List.copyOf(distinct);
  }

  private static Object value(Object written, Type type) {
    if (written == null) {
      return null;
    }
    try {
      String text = written.toString().strip();
      return switch (type.kind()) {
        case BOOLEAN -> bool(text, written, type);
        case SMALLINT, INTEGER, BIGINT, DECIMAL -> plain(exact(number(written, text), type));
        case DOUBLE -> real(number(written, text));
        case VARCHAR -> string(written, type);
        case DATE -> day(LocalDate.parse(text));
        case TIME -> micros(LocalTime.parse(text));
        case TIMESTAMP -> moment(text);
        case UUID -> UUID.fromString(text);
        case INTERVAL_MONTHS, INTERVAL_MICROS, OPAQUE, NULL -> throw mismatch(written, type);
      };
    } catch (DateTimeException | ArithmeticException | IllegalArgumentException e) {
      throw mismatch(written, type);
    }
  }

  /** A number that the type would round is none of its values, and would stand for another. */
  private static BigDecimal exact(BigDecimal number, Type type) {
    if (!Conversions.isExact(number, type)) {
      throw new ArithmeticException("not a value of the type");
    }
    return number;
  }

  private static Double real(BigDecimal number) {
    double value = number.doubleValue() + 0.0;
    if (Double.isInfinite(value)) {
      throw new ArithmeticException("not a value of the type");
    }
    return value;
  }

  private static LocalDateTime moment(String text) {
    if (text.length() == 10) {
      return day(LocalDate.parse(text)).atStartOfDay();
    }
    LocalDateTime moment = LocalDateTime.parse(text.replace(' ', 'T'));
    return day(moment.toLocalDate()).atTime(micros(moment.toLocalTime()));
  }

  /** Within the calendar that all databases share. */
  private static LocalDate day(LocalDate day) {
    if (day.getYear() < 1 || day.getYear() > 9999) {
      throw new DateTimeException("not a value of the type");
    }
    return day;
  }

  private static LocalTime micros(LocalTime time) {
    if (time.getNano() % 1000 != 0) {
      throw new DateTimeException("not a value of the type");
    }
    return time;
  }

  private static String string(Object written, Type type) {
    if (written instanceof String s) {
      return s;
    }
    throw mismatch(written, type);
  }

  private static Boolean bool(String text, Object written, Type type) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true", "t" -> true;
      case "false", "f" -> false;
      default -> throw mismatch(written, type);
    };
  }

  private static BigDecimal number(Object written, String text) {
    return switch (written) {
      case BigDecimal d -> d;
      case BigInteger i -> new BigDecimal(i);
      default -> new BigDecimal(text);
    };
  }

  /** One spelling per value, so that 1.0 and 1.00 are one label. */
  private static BigDecimal plain(BigDecimal value) {
    return value.signum() == 0 ? BigDecimal.ZERO : value.stripTrailingZeros();
  }

  private static Rejection mismatch(Object written, Type type) {
    return bad("The label '" + written + "' is not a " + type + ".");
  }

  private static Rejection bad(String message) {
    return Rejection.of(
        RejectionCode.BAD_LABELS,
        message,
        "Supply one column per GROUP BY key, headed by the key's name, with values of its type.");
  }
}
