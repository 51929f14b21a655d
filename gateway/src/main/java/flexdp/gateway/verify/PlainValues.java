package flexdp.gateway.verify;

import flexdp.policy.Type;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Values for columns that name rows or people: as many different ones as wanted, of which equal
 * texts are equal values. Columns that are to meet get the same ones.
 */
final class PlainValues {
  private PlainValues() {}

  /**
   * @param start the first whole number, where the type has room for it
   */
  static List<String> of(Type type, int count, long start) {
    List<String> values = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      if (type.kind() == Type.Kind.OPAQUE) {
        values.add("INTERVAL " + i + " DAY");
      }
      SqlValues.of(constant(type, i, start), type)
          .or(() -> SqlValues.of(BigDecimal.valueOf(values.size()), type))
          .ifPresent(values::add);
    }
    return values.stream().distinct().toList();
  }

  private static Object constant(Type type, int i, long start) {
    return switch (type.kind()) {
      case BOOLEAN -> i % 2 == 0;
      case SMALLINT, INTEGER, BIGINT, DECIMAL, DOUBLE ->
          BigDecimal.valueOf(start).add(BigDecimal.valueOf(i));
      case VARCHAR -> Character.toString((char) ('a' + i % 26)) + (i < 26 ? "" : i / 26);
      case DATE, TIMESTAMP -> LocalDate.of(2024, 2, 28).plusDays(i);
      case TIME -> LocalTime.of(i % 24, 0);
      case UUID -> new UUID(0, i + 1L);
      case OPAQUE, INTERVAL_MONTHS, INTERVAL_MICROS, NULL -> i;
    };
  }
}
