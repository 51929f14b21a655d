package flexdp.gateway.program;

import flexdp.algebra.Column;
import flexdp.gateway.database.Reading;
import flexdp.gateway.database.Session;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;

/**
 * Rows as programs read them. NULL and what cannot be read are NaN; truth values are 0 and 1, days
 * count from 1970, moments are seconds since then, times of day seconds since midnight. Every value
 * has one form: there is no negative zero, and one NaN.
 */
final class RowNumbers {
  private static final double NANOS = 1e9;

  private RowNumbers() {}

  /** The numbers of a row, whose columns stand from the given place on. Never throws. */
  static double[] of(Session session, ResultSet row, int first, List<Column> columns) {
    double[] numbers = new double[columns.size()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] =
          switch (session.value(row, first + i, columns.get(i).type())) {
            case Reading.Value(Object value) -> number(value);
            case Reading.Unreadable() -> Double.NaN;
          };
    }
    return numbers;
  }

  static double number(Object value) {
    return switch (value) {
      case null -> Double.NaN;
      case Boolean b -> b ? 1 : 0;
      case BigDecimal n -> n.doubleValue() + 0.0;
      case Double d -> Double.isNaN(d) ? Double.NaN : d + 0.0;
      case LocalDate d -> d.toEpochDay();
      case LocalTime t -> t.toNanoOfDay() / NANOS;
      case LocalDateTime t -> t.toEpochSecond(ZoneOffset.UTC) + t.getNano() / NANOS;
      default -> Double.NaN;
    };
  }
}
