package flexdp.gateway.hostile;

import java.util.List;
import java.util.Random;

/** What values are, by what can be done with them, and constants as an attacker writes them. */
enum Family {
  INT(
      List.of("BIGINT", "INTEGER", "SMALLINT"),
      "0",
      "1",
      "-1",
      "2",
      "255",
      "-32768",
      "2147483647",
      "9007199254740992",
      "9007199254740993",
      "4611686018427387904",
      "9223372036854775807"),
  DEC(
      List.of("DECIMAL(9,2)", "DECIMAL(38,10)", "DECIMAL(38,0)", "DECIMAL(38,38)", "DECIMAL(18,3)"),
      "0.0",
      "-0.5",
      "1.5",
      "0.0000000001",
      "4611686018427387904.0",
      "9007199254740993.0",
      "1234567890123456789.0000000001",
      "9999999999999999999999999999.9999999999",
      "99999999999999999999999999999999999999"),
  DBL(
      List.of("DOUBLE", "REAL"),
      "0e0",
      "CAST('-0' AS DOUBLE)",
      "-1e0",
      "1e0",
      "0.1e0",
      "9007199254740992e0",
      "4611686018427387904e0",
      "1.7976931348623157e308",
      "4.9e-324",
      "CAST('NaN' AS DOUBLE)",
      "CAST('inf' AS DOUBLE)"),
  TEXT(
      List.of("VARCHAR", "VARCHAR(3)", "CHAR(2)"),
      "''",
      "'a'",
      "'A'",
      "'a '",
      "'á'",
      "'victim'",
      "'0'",
      "'-0'",
      "'inf'",
      "'NaN'",
      "'24:00:00'",
      "'1 day'",
      "'9999-12-31'",
      "'2024-02-29 12:00:00'"),
  DATE(
      List.of("DATE"),
      "DATE '1970-01-01'",
      "DATE '2024-02-29'",
      "DATE '0001-01-01'",
      "DATE '9999-12-31'"),
  STAMP(
      List.of("TIMESTAMP"),
      "TIMESTAMP '1970-01-01 00:00:00'",
      "TIMESTAMP '2024-02-29 00:00:00'",
      "TIMESTAMP '0001-01-01 00:00:00'",
      "TIMESTAMP '9999-12-31 23:59:59.999999'"),
  TIME(List.of("TIME"), "TIME '00:00:00'", "TIME '12:00:00'", "TIME '23:59:59.999999'"),
  SPAN(
      List.of(),
      "INTERVAL '1' DAY",
      "INTERVAL '24' HOUR",
      "INTERVAL '0' DAY",
      "INTERVAL '1' MONTH",
      "INTERVAL '12' MONTH",
      "INTERVAL '1' YEAR",
      "INTERVAL '99999' DAY"),
  BOOL(List.of("BOOLEAN"), "TRUE", "FALSE"),
  UUID(
      List.of("UUID"),
      "CAST('a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11' AS UUID)",
      "CAST('00000000-0000-0000-0000-000000000000' AS UUID)"),
  OPAQUE(List.of());

  private final List<String> types;
  private final List<String> constants;

  Family(List<String> types, String... constants) {
    this.types = types;
    this.constants = List.of(constants);
  }

  /** Types that it can be converted to. */
  List<String> types() {
    return types;
  }

  List<String> constants() {
    return constants;
  }

  /** A constant, and more often than not the one that many values of tables are or become. */
  String constant(Random random) {
    int landmark =
        switch (this) {
          case INT -> 9;
          case DEC -> 4;
          case DBL -> 6;
          case TEXT, DATE, TIME, STAMP -> 1;
          case SPAN, BOOL, UUID, OPAQUE -> 0;
        };
    return constants.get(random.nextInt(3) == 0 ? landmark : random.nextInt(constants.size()));
  }

  boolean isNumber() {
    return this == INT || this == DEC || this == DBL;
  }

  boolean isDay() {
    return this == DATE || this == STAMP;
  }

  /** Whether values of both may stand on the two sides of an operator. */
  boolean meets(Family other) {
    return this == other || isNumber() && other.isNumber() || isDay() && other.isDay();
  }
}
