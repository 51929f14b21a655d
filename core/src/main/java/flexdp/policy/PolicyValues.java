package flexdp.policy;

import flexdp.document.DocumentNode;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.UUID;

/** Values of a column as people write them: labels and ends of ranges. */
final class PolicyValues {
  private static final BigDecimal MICROS = BigDecimal.valueOf(1_000_000);

  private PolicyValues() {}

  /** A label, of the Java class that stands for the type; null is the NULL label. */
  static Object label(DocumentNode node, Type type) {
    if (node.isNull()) {
      return null;
    }
    return switch (type.kind()) {
      case BOOLEAN -> node.bool();
      case SMALLINT -> whole(node, type, Short.SIZE);
      case INTEGER -> whole(node, type, Integer.SIZE);
      case BIGINT -> whole(node, type, Long.SIZE);
      case DECIMAL -> fitting(node, type);
      case DOUBLE -> node.decimal().doubleValue() + 0.0;
      case VARCHAR -> text(node);
      case DATE -> shared(node, date(node).atStartOfDay()).toLocalDate();
      case TIME -> shared(node, time(node).atDate(LocalDate.EPOCH)).toLocalTime();
      case TIMESTAMP -> shared(node, timestamp(node));
      case UUID -> uuid(node);
      case OPAQUE, INTERVAL_MONTHS, INTERVAL_MICROS, NULL ->
          throw node.error("a column of type " + type + " has no labels that can be listed");
    };
  }

  /** One end of a range, as a number: dates count days, timestamps microseconds since 1970. */
  static BigDecimal bound(DocumentNode node, Type type) {
    return switch (type.kind()) {
      case SMALLINT, INTEGER, BIGINT, DECIMAL, DOUBLE -> node.decimal();
      case DATE -> BigDecimal.valueOf(date(node).toEpochDay());
      case TIMESTAMP -> micros(timestamp(node));
      case BOOLEAN, VARCHAR, TIME, UUID, OPAQUE, INTERVAL_MONTHS, INTERVAL_MICROS, NULL ->
          throw node.error("only numbers, dates and timestamps have ranges, not " + type);
    };
  }

  /** A number that a label stands for, to compare it with a range. */
  static BigDecimal number(Object label) {
    return switch (label) {
      case BigDecimal d -> d;
      case Double d -> BigDecimal.valueOf(d);
      case LocalDate d -> BigDecimal.valueOf(d.toEpochDay());
      case LocalDateTime t -> micros(t);
      default -> throw new IllegalArgumentException("no number: " + label.getClass());
    };
  }

  private static BigDecimal micros(LocalDateTime t) {
    return BigDecimal.valueOf(t.toEpochSecond(ZoneOffset.UTC))
        .multiply(MICROS)
        .add(BigDecimal.valueOf(t.getNano() / 1000));
  }

  private static BigDecimal whole(DocumentNode node, Type type, int bits) {
    BigDecimal value = new BigDecimal(node.integer());
    if (value.toBigInteger().bitLength() >= bits) {
      throw node.error(value.toPlainString() + " does not fit " + type);
    }
    return canonical(value);
  }

  private static BigDecimal fitting(DocumentNode node, Type type) {
    BigDecimal value = canonical(node.decimal());
    if (value.scale() > type.scale() || value.precision() - value.scale() > type.wholeDigits()) {
      throw node.error(value.toPlainString() + " does not fit " + type);
    }
    return value;
  }

  /** One representation per number, so that equal labels are equal objects. */
  private static BigDecimal canonical(BigDecimal value) {
    BigDecimal stripped = value.stripTrailingZeros();
    return stripped.scale() < 0 ? stripped.setScale(0) : stripped;
  }

  private static String text(DocumentNode node) {
    if (node.raw() instanceof String text) {
      return text;
    }
    throw node.error("a label of a text column must be text; put it in quotes");
  }

  private static LocalDate date(DocumentNode node) {
    try {
      return LocalDate.parse(node.text().strip());
    } catch (DateTimeException e) {
      throw node.error("must be a date such as 2024-01-31");
    }
  }

  private static LocalTime time(DocumentNode node) {
    try {
      return LocalTime.parse(node.text().strip());
    } catch (DateTimeException e) {
      throw node.error("must be a time such as 23:59:59");
    }
  }

  private static LocalDateTime timestamp(DocumentNode node) {
    String text = node.text().strip().replace(' ', 'T').toUpperCase(Locale.ROOT);
    try {
      return text.contains("T") ? LocalDateTime.parse(text) : LocalDate.parse(text).atStartOfDay();
    } catch (DateTimeException e) {
      throw node.error("must be a timestamp such as 2024-01-31 23:59:59");
    }
  }

  /** A label outside of what every database stores would never be met, or stand for another. */
  private static LocalDateTime shared(DocumentNode node, LocalDateTime moment) {
    if (moment.getYear() < 1 || moment.getYear() > 9999 || moment.getNano() % 1000 != 0) {
      throw node.error("must lie in the years 1 to 9999 and have at most 6 digits of a second");
    }
    return moment;
  }

  private static UUID uuid(DocumentNode node) {
    String text = node.text();
    try {
      UUID uuid = UUID.fromString(text);
      if (uuid.toString().equalsIgnoreCase(text)) {
        return uuid;
      }
    } catch (IllegalArgumentException e) {
      // Falls through to the complaint below, which says the same.
      throw node.error("must be a UUID");
    }
    throw node.error("must be a UUID");
  }
}
