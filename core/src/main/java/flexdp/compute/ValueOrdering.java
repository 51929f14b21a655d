package flexdp.compute;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Equality and order of values that are not NULL, as the database has them. */
public final class ValueOrdering {
  private ValueOrdering() {}

  /** Negative, zero or positive; numbers compare with numbers, dates with timestamps. */
  public static int compare(Object left, Object right) {
    return switch (left) {
      case Double d when right instanceof BigDecimal b -> Double.compare(plain(d), b.doubleValue());
      case Double d -> Double.compare(plain(d), plain((Double) right));
      case BigDecimal b when right instanceof Double d -> Double.compare(b.doubleValue(), plain(d));
      case BigDecimal b -> b.compareTo((BigDecimal) right);
      case String s -> compareText(s, (String) right);
      case Boolean b -> b.compareTo((Boolean) right);
      case LocalDate d when right instanceof LocalDate o -> d.compareTo(o);
      case LocalDate d -> d.atStartOfDay().compareTo(moment(right));
      case LocalDateTime d -> d.compareTo(moment(right));
      case LocalTime t -> t.compareTo((LocalTime) right);
      case Long n -> n.compareTo((Long) right);
      case UUID u -> u.toString().compareTo(right.toString());
      default -> throw new IllegalArgumentException("not a value: " + left.getClass());
    };
  }

  /** Compares two values, with NULL before or after all others. */
  public static int nullable(Object left, Object right, boolean descending, boolean nullsFirst) {
    if (left == null || right == null) {
      int nullFirst = left == null ? (right == null ? 0 : -1) : 1;
      return nullsFirst ? nullFirst : -nullFirst;
    }
    int values = compare(left, right);
    return descending ? -values : values;
  }

  private static double plain(double value) {
    return value + 0.0;
  }

  private static LocalDateTime moment(Object value) {
    return value instanceof LocalDate d ? d.atStartOfDay() : (LocalDateTime) value;
  }

  /** By code point, which UTF-16 order is not. */
  private static int compareText(String left, String right) {
    int common = Math.min(left.length(), right.length());
    for (int i = 0; i < common; i++) {
      char a = left.charAt(i);
      char b = right.charAt(i);
      if (a != b) {
        boolean surrogate = Character.isSurrogate(a) != Character.isSurrogate(b);
        return surrogate ? (Character.isSurrogate(a) ? 1 : -1) : Character.compare(a, b);
      }
    }
    return Integer.compare(left.length(), right.length());
  }

  /** One object per value, so that equal values of a column are equal objects; never throws. */
  public static Object canonical(Object value) {
    return switch (value) {
      case null -> null;
      case BigDecimal b -> b.signum() == 0 ? BigDecimal.ZERO : b.stripTrailingZeros();
      case Double d when Double.isFinite(d) -> canonical(new BigDecimal(d));
      case LocalDate d -> d.atStartOfDay();
      default -> value;
    };
  }

  /** Rows by their first values, NULL last. */
  public static int rows(List<Object> one, List<Object> two, int width) {
    for (int i = 0; i < width; i++) {
      int order = nullable(one.get(i), two.get(i), false, false);
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  /** A whole row, for DISTINCT and set operations, where NULL equals NULL. */
  public static List<Object> canonical(List<Object> row) {
    List<Object> key = new ArrayList<>(row.size());
    row.forEach(value -> key.add(canonical(value)));
    return key;
  }
}
