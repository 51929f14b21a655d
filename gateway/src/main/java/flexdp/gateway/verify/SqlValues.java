package flexdp.gateway.verify;

import flexdp.policy.Type;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Values as SQL of the embedded database. Each value that a constant becomes is written in one way
 * only, so that equal texts are equal values and others are not.
 */
final class SqlValues {
  static final String NULL = "NULL";

  private SqlValues() {}

  /** The type of a column in CREATE TABLE. */
  static String typeName(Type type) {
    return switch (type.kind()) {
      case BOOLEAN, SMALLINT, INTEGER, BIGINT, DOUBLE, VARCHAR, DATE, TIME, TIMESTAMP, UUID ->
          type.kind().name();
      case DECIMAL -> "DECIMAL(" + type.precision() + "," + type.scale() + ")";
      case OPAQUE, INTERVAL_MONTHS, INTERVAL_MICROS -> "INTERVAL";
      case NULL -> "INTEGER";
    };
  }

  static String text(String text) {
    StringBuilder sql = new StringBuilder("'");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      sql.append(c == '\'' ? "''" : c == 0 ? "' || chr(0) || '" : String.valueOf(c));
    }
    return sql.append("'").toString();
  }

  static String cast(String text, Type type) {
    return text(text) + "::" + typeName(type);
  }

  /** A constant and what lies beside it, as far as they are values of a type. */
  static List<String> around(Object constant, Type type) {
    List<String> values = new ArrayList<>();
    of(constant, type).ifPresent(values::add);
    switch (constant) {
      case BigDecimal d when type.isNumeric() -> {
        BigDecimal step = type.isExact() ? BigDecimal.ONE.movePointLeft(type.scale()) : half();
        of(d.add(step), type).ifPresent(values::add);
        of(d.subtract(step), type).ifPresent(values::add);
        of(d.negate(), type).ifPresent(values::add);
      }
      case LocalDate d when d.getYear() > 1 && d.getYear() < 9999 -> {
        of(d.plusDays(1), type).ifPresent(values::add);
        of(d.minusDays(1), type).ifPresent(values::add);
      }
      case LocalDateTime t when t.getYear() > 1 && t.getYear() < 9999 -> {
        of(t.plusSeconds(1), type).ifPresent(values::add);
        of(t.minusSeconds(1), type).ifPresent(values::add);
      }
      case String s when s.indexOf('%') >= 0 || s.indexOf('_') >= 0 ->
          of(s.replace("%", "").replace('_', 'x'), type).ifPresent(values::add);
      default -> {}
    }
    return values;
  }

  private static BigDecimal half() {
    return new BigDecimal("0.5");
  }

  /** A constant, if it is a value of the type. */
  static Optional<String> of(Object constant, Type type) {
    return switch (type.kind()) {
      case BOOLEAN -> constant instanceof Boolean b ? Optional.of(b ? "TRUE" : "FALSE") : none();
      case SMALLINT -> whole(constant, Short.SIZE);
      case INTEGER -> whole(constant, Integer.SIZE);
      case BIGINT -> whole(constant, Long.SIZE);
      case DECIMAL ->
          number(constant)
              .map(d -> d.setScale(type.scale(), RoundingMode.HALF_EVEN))
              .filter(d -> d.precision() <= type.precision())
              .map(BigDecimal::toPlainString);
      case DOUBLE ->
          number(constant)
              .map(BigDecimal::doubleValue)
              .filter(Double::isFinite)
              .map(d -> cast(Double.toString(d + 0.0), type));
      case VARCHAR -> letters(constant).map(SqlValues::text);
      case DATE -> day(constant).map(d -> cast(d.toString(), type));
      case TIME -> constant instanceof LocalTime t ? Optional.of(cast(written(t), type)) : none();
      case TIMESTAMP -> moment(constant).map(t -> cast(written(t), type));
      case UUID -> constant instanceof UUID u ? Optional.of(cast(u.toString(), type)) : none();
      case OPAQUE, INTERVAL_MONTHS, INTERVAL_MICROS, NULL -> none();
    };
  }

  private static Optional<String> none() {
    return Optional.empty();
  }

  /** Numbers and days are written in texts as well, which casts may read. */
  private static Optional<String> letters(Object constant) {
    return switch (constant) {
      case String s -> Optional.of(s);
      case BigDecimal d -> Optional.of(d.toPlainString());
      case LocalDate d -> Optional.of(d.toString());
      default -> Optional.empty();
    };
  }

  private static Optional<BigDecimal> number(Object constant) {
    return switch (constant) {
      case BigDecimal d -> Optional.of(d);
      case Double d when Double.isFinite(d) -> Optional.of(new BigDecimal(d));
      default -> Optional.empty();
    };
  }

  private static Optional<String> whole(Object constant, int bits) {
    return number(constant)
        .map(d -> d.setScale(0, RoundingMode.FLOOR).toBigInteger())
        .filter(i -> i.bitLength() < bits)
        .map(Object::toString);
  }

  private static Optional<LocalDate> day(Object constant) {
    return switch (constant) {
      case LocalDate d -> Optional.of(d);
      case LocalDateTime t -> Optional.of(t.toLocalDate());
      default -> Optional.empty();
    };
  }

  private static Optional<LocalDateTime> moment(Object constant) {
    return switch (constant) {
      case LocalDate d -> Optional.of(d.atStartOfDay());
      case LocalDateTime t -> Optional.of(t);
      case LocalTime t -> Optional.of(LocalDate.of(2024, 2, 29).atTime(t));
      default -> Optional.empty();
    };
  }

  private static String written(LocalDateTime t) {
    return t.toLocalDate() + " " + written(t.toLocalTime());
  }

  private static String written(LocalTime t) {
    return String.format(
        java.util.Locale.ROOT,
        "%02d:%02d:%02d.%06d",
        t.getHour(),
        t.getMinute(),
        t.getSecond(),
        t.getNano() / 1000);
  }
}
