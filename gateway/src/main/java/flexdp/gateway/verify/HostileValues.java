package flexdp.gateway.verify;

import flexdp.policy.Type;
import java.util.List;

/**
 * Values that once gave rows away, in families: ends of types, values that are equal in one sense
 * and different in another, values that conversions merge or turn into NULL.
 */
final class HostileValues {
  /** Where doubles are 1024 apart. */
  static final long CROWD = 4611686018427387904L;

  private HostileValues() {}

  /** Families of a type; those of one family belong together. */
  static List<List<String>> of(Type type) {
    return switch (type.kind()) {
      case BOOLEAN -> List.of(List.of("TRUE", "FALSE"));
      case SMALLINT -> List.of(List.of("32767", "-32768"), List.of("0", "255"));
      case INTEGER -> List.of(List.of("2147483647", "-2147483648"), List.of("0", "-1"));
      case BIGINT ->
          List.of(
              List.of(crowd(0), crowd(1), crowd(2), crowd(3)),
              List.of("9007199254740992", "9007199254740993"),
              List.of("9223372036854775807", "(-9223372036854775807 - 1)"));
      case DECIMAL -> decimals(type);
      case DOUBLE ->
          List.of(
              doubles("0", "-0"),
              doubles("-1", "0", "0.5", "800"),
              doubles("4611686018427387904", "9007199254740992"),
              doubles("0.1", "0.10000000000000002", "0.30000000000000004"),
              doubles("NaN", "inf", "-inf"),
              doubles("1.7976931348623157e308", "-1.7976931348623157e308", "4.9e-324"));
      case VARCHAR ->
          List.of(
              List.of("'a'", "'A'", "'a '", "'á'", "'a' || chr(769)"),
              List.of("''", "'a' || chr(0) || 'b'", "repeat('a', 3000)"),
              List.of("'0'", "'-0'", "'00'", "'inf'", "'NaN'", "'1e400'"),
              List.of("'1'", "' 1'", "'-1'", "'99999999999999999999'", "'true'", "'2024-02-30'"),
              List.of("'9999-12-31'", "'2024-02-29'", "'24:00:00'", "'5881580-07-10'"));
      case DATE ->
          List.of(
              dates(type, "infinity", "-infinity", "5881580-07-10"),
              dates(type, "0001-01-01", "9999-12-31", "10000-01-01", "0001-12-31 (BC)"),
              dates(type, "2024-02-29", "2024-03-01", "2023-12-31"));
      case TIME -> List.of(dates(type, "24:00:00", "00:00:00", "23:59:59.999999"));
      case TIMESTAMP ->
          List.of(
              dates(type, "infinity", "-infinity", "294247-01-10 04:00:54.775806"),
              dates(type, "0001-01-01 00:00:00", "9999-12-31 23:59:59.999999"),
              dates(type, "2024-02-29 00:00:00", "2024-02-29 00:00:00.000001"));
      case UUID ->
          List.of(
              dates(
                  type,
                  "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
                  "A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11",
                  "00000000-0000-0000-0000-000000000000"));
      case OPAQUE, INTERVAL_MONTHS, INTERVAL_MICROS ->
          List.of(
              List.of("INTERVAL 1 DAY", "INTERVAL 24 HOUR"),
              List.of("INTERVAL 30 DAY", "INTERVAL 1 MONTH", "INTERVAL 2147483647 MONTH"));
      case NULL -> List.of(List.of(SqlValues.NULL));
    };
  }

  private static String crowd(int i) {
    return Long.toString(CROWD + i);
  }

  private static List<String> doubles(String... texts) {
    return List.of(texts).stream().map(t -> SqlValues.cast(t, Type.DOUBLE)).toList();
  }

  private static List<String> dates(Type type, String... texts) {
    return List.of(texts).stream().map(t -> SqlValues.cast(t, type)).toList();
  }

  private static List<List<String>> decimals(Type type) {
    int whole = type.precision() - type.scale();
    String most = "9".repeat(Math.max(1, whole));
    String full =
        type.scale() == 0 ? most : (whole == 0 ? "0" : most) + "." + "9".repeat(type.scale());
    String least = type.scale() == 0 ? "1" : "0." + "0".repeat(type.scale() - 1) + "1";
    List<String> ends = List.of(full, "-" + full, least, "0");
    // What is cut off makes each two of them one.
    List<String> close =
        type.scale() == 0 || whole == 0 ? ends : List.of("0", least, "1", "1" + least.substring(1));
    return whole < 19
        ? List.of(ends, close)
        : List.of(
            ends,
            close,
            List.of(crowd(0), crowd(1)),
            type.scale() == 0
                ? List.of(crowd(0))
                : List.of(crowd(0), "(" + crowd(0) + " + " + least + ")"));
  }
}
