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
  private static final String WIDE = "9999999999999999999999999999.9999999999";
  private static final String LEAST = "(-9223372036854775807 - 1)";
  private static final String MOST = "9223372036854775807";

  static final List<Aimed> DUCKDB =
      List.of(
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

  private static Aimed aimed(String which, List<String> usual, String... victim) {
    return Aimed.named(NAME + which)
        .columns("b", "x", "m", "name", "d", "ts")
        .t(rows(0, 5, usual.toArray(String[]::new)))
        .changed(0, row(9, victim))
        .asked(HostileSpellings.questions().toArray(String[]::new));
  }
}
