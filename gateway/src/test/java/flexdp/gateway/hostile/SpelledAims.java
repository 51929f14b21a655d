package flexdp.gateway.hostile;

import static flexdp.gateway.hostile.Aimed.row;
import static flexdp.gateway.hostile.Aimed.rows;

import java.util.List;

/**
 * Every function that one or two databases have, asked of a row at the ends of its types: none may
 * fail on it, and none may change a count by more than one.
 */
final class SpelledAims {
  static final String NAME = "functions at the ends of types";
  static final String CONSTANTS = "constants that fail on a row";

  private static final List<String> EXTREME =
      List.of(
          "name LIKE 'victim😀' ESCAPE '😀'",
          "name LIKE '😀' ESCAPE '😀'",
          "name NOT LIKE 'v😀%' ESCAPE '😀'",
          "name LIKE 'v%' ESCAPE 'ab'",
          "name LIKE 'v%' ESCAPE ''",
          "name LIKE 'v!' ESCAPE '!'",
          "name LIKE '%\\'",
          "name LIKE NULL",
          "name ILIKE 'v%' ESCAPE 'I'",
          "name LIKE '" + "漢".repeat(9_999) + "%'",
          "name LIKE '" + "*".repeat(9_999) + "%'",
          "name LIKE '" + "%a".repeat(100) + "'",
          "name LIKE '" + "_".repeat(10_000) + "'",
          "name LIKE '%" + "_".repeat(9_998) + "%'",
          "name ILIKE '" + "İ".repeat(10_000) + "'",
          "name LIKE '" + "a".repeat(50_001) + "%'",
          "CONTAINS_SUBSTR(name, '" + "a".repeat(9_998) + "')",
          "CONTAINS_SUBSTR(name, '" + "a".repeat(50_001) + "')",
          "REGEXP_LIKE(name, '" + "a".repeat(990) + "')",
          "STARTS_WITH(name, '" + "a".repeat(50_001) + "')",
          "POSITION('" + "a".repeat(50_001) + "' IN name) > 0",
          "SPLIT_PART(name, '" + "a".repeat(9_000) + "', 2) = ''",
          "SPLIT_PART(name, 'i', 4294967297) = ''",
          "SUBSTRING(name, -9223372036854775808, 9223372036854775807) = ''",
          "LEFT(name, -2147483648) = ''",
          "RIGHT(name, 9223372036854775807) = ''",
          "ROUND(x, 1000000) > 1",
          "ROUND(x, -1000000) > 1",
          "ROUND(CAST(x AS DECIMAL(38, 10)), -30) > 1",
          "MOD(CAST(x AS INTEGER), -1) = 0",
          "POWER(x, 1e60) > 1",
          "EXP(x * 1e60) > 1",
          "x * 1e300 * 1e300 > 1",
          "d + INTERVAL '49999' YEAR > d",
          "d - INTERVAL '49999' YEAR < d",
          "DATE_ADD(d, 1000000) > d",
          "DATE_TRUNC('decade', d) < d",
          "CAST(name AS DATE) IS NULL",
          "CAST('1e60' AS BIGINT) IS NULL",
          "CAST(x * 1e60 AS BIGINT) IS NULL",
          "TO_TIMESTAMP(name) IS NULL",
          "FROM_UNIXTIME(9223372036854775807) IS NULL",
          "LPAD(name, 1000000000) = ''",
          "REPEAT(name, 1000000000) = ''");

  private static final String WIDE = "9999999999999999999999999999.9999999999";
  private static final String LEAST = "(-9223372036854775807 - 1)";
  private static final String MOST = "9223372036854775807";

  static final List<Aimed> DUCKDB =
      List.of(
          constants(),
          aimed(
              "",
              List.of("1", "1e0", "1", "'a'", "'2024-02-29'::DATE", "'2024-02-29'::TIMESTAMP"),
              MOST,
              "'inf'::DOUBLE",
              WIDE,
              "repeat('a', 100000)",
              "'infinity'::DATE",
              "'infinity'::TIMESTAMP"),
          aimed(
              ", again",
              List.of("1", "1e0", "1", "'a'", "'2024-02-29'::DATE", "'2024-02-29'::TIMESTAMP"),
              LEAST,
              "'NaN'::DOUBLE",
              "-" + WIDE,
              "'a' || chr(0) || 'b'",
              "'5881580-07-10'::DATE",
              "'294247-01-10 04:00:54.775806'::TIMESTAMP"));

  static final List<Aimed> POSTGRESQL =
      List.of(
          constants(),
          aimed(
              "",
              List.of("1", "1e0", "1", "'a'", "'2024-02-29'::date", "'2024-02-29'::timestamp"),
              MOST,
              "'NaN'::float8",
              "'NaN'::numeric",
              "repeat('a', 100000)",
              "'infinity'::date",
              "'infinity'::timestamp"),
          aimed(
              ", again",
              List.of("1", "1e0", "1", "'a'", "'2024-02-29'::date", "'2024-02-29'::timestamp"),
              LEAST,
              "'-Infinity'::float8",
              WIDE,
              "''",
              "'5874897-12-31'::date",
              "'294276-12-31 23:59:59.999999'::timestamp"));

  static final List<Aimed> SQLITE =
      List.of(
          constants(),
          aimed(
              "",
              List.of("1", "1.0", "1", "'a'", "'2024-02-29'", "'2024-02-29 00:00:00'"),
              MOST,
              "9e999",
              WIDE,
              "CAST(x'80' AS TEXT)",
              "'9999-12-31'",
              "'9999-12-31 23:59:59.999999'"),
          aimed(
              ", again",
              List.of("1", "1.0", "1", "'a'", "'2024-02-29'", "'2024-02-29 00:00:00'"),
              LEAST,
              "-9e999",
              "-" + WIDE,
              "''",
              "'0001-01-01'",
              "'no moment'"));

  static final List<Aimed> MARIADB =
      List.of(
          constants(),
          aimed(
              "",
              List.of("1", "1e0", "1", "'a'", "'2024-02-29'", "'2024-02-29 00:00:00'"),
              MOST,
              "1.7976931348623157e308",
              WIDE,
              "REPEAT('a', 3000)",
              "'9999-12-31'",
              "'9999-12-31 23:59:59.999999'"),
          aimed(
              ", again",
              List.of("1", "1e0", "1", "'a'", "'2024-02-29'", "'2024-02-29 00:00:00'"),
              LEAST,
              "-1.7976931348623157e308",
              "-" + WIDE,
              "''",
              "'0001-01-01'",
              "'0001-01-01 00:00:00'"));

  private SpelledAims() {}

  /** Constants at the ends of what is accepted and beyond, for the one row that meets them. */
  static Aimed constants() {
    return Aimed.named(CONSTANTS)
        .columns("name", "x", "d")
        .t(rows(0, 5, "'a'", "1e0", "'2024-02-29'"))
        .changed(0, row(9, "'victim'", "1.5e0", "'2024-02-29'"))
        .asked(EXTREME.stream().map(SpelledAims::onOneRow).toArray(String[]::new));
  }

  private static String onOneRow(String condition) {
    return "SELECT COUNT(*) AS n FROM t WHERE CASE WHEN name = 'victim' THEN " + condition + " END";
  }

  private static Aimed aimed(String which, List<String> usual, String... victim) {
    return Aimed.named(NAME + which)
        .columns("b", "x", "m", "name", "d", "ts")
        .t(rows(0, 5, usual.toArray(String[]::new)))
        .changed(0, row(9, victim))
        .asked(HostileSpellings.questions().toArray(String[]::new));
  }
}
