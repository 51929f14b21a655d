package flexdp.policy;

import static flexdp.policy.Wording.BIGQUERY;
import static flexdp.policy.Wording.DUCKDB;
import static flexdp.policy.Wording.MYSQL;
import static flexdp.policy.Wording.POSTGRESQL;
import static flexdp.policy.Wording.SNOWFLAKE;
import static flexdp.policy.Wording.SQLITE;
import static flexdp.policy.Wording.TRINO;
import static flexdp.policy.Wording.TSQL;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Spellings that mean one thing in some dialects and another in others. Whoever binds one asks here
 * how it is to be read; docs/dialects.md is this table in words, which a test compares.
 */
public enum Spelling {
  QUOTIENT("`7 / 2`", Sense.WHOLE, in(Sense.REAL, DUCKDB, MYSQL, SNOWFLAKE, BIGQUERY)),
  PART_QUOTIENT("`EXTRACT(u FROM d) / 2` of 7", Sense.WHOLE, in(Sense.REAL, POSTGRESQL)),
  ROUNDED_QUOTIENT("`ROUND(i) / 2` of 7", Sense.WHOLE, in(Sense.REAL, POSTGRESQL, SQLITE)),
  FLOOR_QUOTIENT(
      "`FLOOR(i) / 2`, `CEIL`, `SIGN`, `TRUNC`, `DIV` of 7",
      Sense.WHOLE,
      in(Sense.REAL, POSTGRESQL)),
  SIGN(
      "`SIGN(x)` of a float or a decimal is",
      Sense.SAME_TYPE,
      in(Sense.WHOLE_NUMBER, DUCKDB, MYSQL, SQLITE)),
  SUM_QUOTIENT(
      "`SUM(b) / 2` of 64 bits, 7 in all", Sense.REAL, in(Sense.WHOLE, TRINO, SQLITE, TSQL)),
  AVERAGE("`AVG(i)` of 3 and 4", Sense.REAL, in(Sense.WHOLE, TSQL)),
  WHOLE_NUMBERS(
      "`i + j`, `i * j`, `CAST(x AS INTEGER)`",
      Sense.OWN_WIDTH,
      in(Sense.LONG, MYSQL, SQLITE, SNOWFLAKE, BIGQUERY)),
  LENGTHS(
      "`LENGTH(s) + i`, `POSITION`, `STRPOS`",
      Sense.OWN_WIDTH,
      in(Sense.LONG, DUCKDB, TRINO, MYSQL, SQLITE, SNOWFLAKE, BIGQUERY)),
  TO_WHOLE("`CAST(2.7 AS INTEGER)`", Sense.ROUNDED, in(Sense.CUT, SQLITE, TSQL)),
  TEXT_TO_WHOLE(
      "`CAST(s AS INTEGER)` of text reads",
      Sense.ANY_NUMBER,
      in(Sense.DIGITS, POSTGRESQL, TRINO, TSQL, BIGQUERY)),
  DECIMAL(
      "`CAST(x AS DECIMAL)`",
      Sense.DECIMAL_38_10,
      in(Sense.DECIMAL_18_3, DUCKDB),
      in(Sense.DECIMAL_38_0, TRINO, SNOWFLAKE),
      in(Sense.DECIMAL_10_0, MYSQL),
      in(Sense.DECIMAL_18_0, TSQL),
      in(Sense.DECIMAL_38_9, BIGQUERY)),
  HALVES("`ROUND(2.5)` of a float", Sense.AWAY, in(Sense.EVEN, POSTGRESQL, MYSQL)),
  ROUND_WHOLE(
      "`ROUND(3, 2)` of a whole number, as text",
      Sense.NO_POINT,
      in(Sense.FILLED_UP, POSTGRESQL),
      in(Sense.POINT_AND_ZERO, SQLITE)),
  ROUND_DECIMAL(
      "`ROUND(3.0, 2)` of a decimal or a quotient, as text",
      Sense.POINT_AND_ZERO,
      in(Sense.FILLED_UP, POSTGRESQL, MYSQL)),
  TENS("`ROUND(x, -1)`", Sense.TENS, in(Sense.ONES, SQLITE)),
  REST("`x % 2`", Sense.EXACT_REST, in(Sense.WHOLE_REST, SQLITE)),
  LOG("`LOG(x)`", Sense.DECIMAL_LOG, in(Sense.NATURAL, MYSQL, TSQL, BIGQUERY)),
  LOG_BASE("`LOG(a, b)`", Sense.BASE_FIRST, in(Sense.BASE_LAST, TSQL, BIGQUERY)),
  NULL_ORDER(
      "`ORDER BY x`",
      Sense.NULL_LARGEST,
      in(Sense.NULL_LAST, DUCKDB, TRINO),
      in(Sense.NULL_SMALLEST, MYSQL, SQLITE, TSQL, BIGQUERY)),
  EXTREMES(
      "`LEAST`, `GREATEST`",
      Sense.NULL_PASSED_OVER,
      in(Sense.NULL_WINS, TRINO, MYSQL, SQLITE, SNOWFLAKE, BIGQUERY)),
  CONCAT(
      "`CONCAT(x, y)`",
      Sense.NULL_PASSED_OVER,
      in(Sense.NULL_WINS, TRINO, MYSQL, SNOWFLAKE, BIGQUERY)),
  TRUTH("`CAST(b AS VARCHAR)` of a truth", Sense.WORDS, in(Sense.NUMBERS, MYSQL, SQLITE, TSQL)),
  FLOAT_TEXT(
      "`CAST(x AS VARCHAR)` of the float 2",
      Sense.BARE,
      in(Sense.POINT_ZERO, DUCKDB, TRINO, SQLITE)),
  JOINED_TRUTH(
      "`CONCAT(b, x)` of a truth",
      Sense.WORDS,
      in(Sense.LETTERS, POSTGRESQL),
      in(Sense.NUMBERS, MYSQL, SQLITE, TSQL)),
  LIKE(
      "`x LIKE 'a%'`",
      Sense.SAME_CASE, in(Sense.ANY_CASE, MYSQL, TSQL), in(Sense.ASCII_CASE, SQLITE)),
  PATTERN(
      "`x LIKE 'a\\%'`",
      Sense.PLAIN_BACKSLASH, in(Sense.ESCAPING_BACKSLASH, POSTGRESQL, MYSQL, BIGQUERY)),
  LETTERS("`LOWER(x)`, `UPPER(x)` change", Sense.ALL_LETTERS, in(Sense.ASCII_LETTERS, SQLITE)),
  SUBSTRING(
      "`SUBSTRING(x, n)` with n below 1",
      Sense.BEFORE,
      in(Sense.FROM_END, DUCKDB, SQLITE),
      in(Sense.FROM_END_OR_EMPTY, TRINO, MYSQL),
      in(Sense.FROM_END_OR_ONE, SNOWFLAKE),
      in(Sense.FROM_END_OR_FIRST, BIGQUERY)),
  PART("`LEFT(x, -2)`, `RIGHT(x, -2)`", Sense.ALL_BUT, in(Sense.NOTHING, MYSQL, SNOWFLAKE)),
  TRIM(
      "`TRIM(x)`, `LTRIM(x)`, `RTRIM(x)` take off",
      Sense.SPACES,
      in(Sense.UNICODE_SPACES, DUCKDB),
      in(Sense.JAVA_WHITESPACE, TRINO),
      in(Sense.UNICODE_WHITESPACE, BIGQUERY)),
  SPLIT("`SPLIT_PART(x, s, n)` of fewer parts", Sense.NOTHING, in(Sense.NO_VALUE, TRINO)),
  LENGTH("`LENGTH(x)`", Sense.CHARACTERS, in(Sense.BYTES, MYSQL)),
  LEN("`LEN(x)`", Sense.CHARACTERS, in(Sense.NO_BLANKS, TSQL)),
  REGEX("`x RLIKE 'p'`, `REGEXP_LIKE`", Sense.ANYWHERE, in(Sense.ENTIRE, SNOWFLAKE)),
  SPREAD("`STDDEV`, `VARIANCE`", Sense.SAMPLE, in(Sense.POPULATION, MYSQL)),
  SKEWNESS("`SKEWNESS`", Sense.SAMPLE, in(Sense.POPULATION, TRINO)),
  DAY_OF_WEEK(
      "`DAYOFWEEK`, `DATEPART(weekday, d)`",
      Sense.SUNDAY_0,
      in(Sense.MONDAY_1, TRINO),
      in(Sense.SUNDAY_1, MYSQL, TSQL, BIGQUERY)),
  DOW("`DOW`, `EXTRACT(dow FROM d)`", Sense.SUNDAY_0, in(Sense.MONDAY_1, TRINO)),
  WEEKDAY("`WEEKDAY(d)`", Sense.MONDAY_0, in(Sense.SUNDAY_0, DUCKDB)),
  WEEK("`WEEK(d)`", Sense.ISO, in(Sense.WEEK_0, MYSQL, BIGQUERY), in(Sense.JANUARY_1, TSQL)),
  YEAR_WEEK("`YEARWEEK(d)`", Sense.WEEK_OF_SUNDAY, in(Sense.ISO, DUCKDB)),
  WEEK_START("`DATE_TRUNC(week, d)`", Sense.FROM_MONDAY, in(Sense.FROM_SUNDAY, TSQL, BIGQUERY)),
  WEEKS(
      "`DATEDIFF(week, d, e)`",
      Sense.FROM_MONDAY,
      in(Sense.SEVEN_DAYS, DUCKDB),
      in(Sense.FROM_SUNDAY, TSQL, BIGQUERY)),
  DAYS("`d + 1`, `d - e` of days", Sense.ADDS_DAYS, in(Sense.NO_SENSE, MYSQL, SQLITE)),
  DATE_DIFF(
      "`DATE_DIFF`, `DATEDIFF`, `DATETIME_DIFF`", Sense.BOUNDARIES, in(Sense.COMPLETE, TRINO)),
  TIMESTAMPDIFF("`TIMESTAMPDIFF`", Sense.BOUNDARIES, in(Sense.COMPLETE, MYSQL)),
  TIMESTAMP_DIFF("`TIMESTAMP_DIFF`", Sense.BOUNDARIES, in(Sense.COMPLETE, BIGQUERY)),
  NAMES("`DAYNAME`, `MONTHNAME`", Sense.IN_FULL, in(Sense.THREE_LETTERS, SNOWFLAKE));

  private record Some(Sense sense, List<Wording> dialects) {}

  private final String example;
  private final Sense usual;
  private final List<Some> others;

  Spelling(String example, Sense usual, Some... others) {
    this.example = example;
    this.usual = usual;
    this.others = List.of(others);
  }

  private static Some in(Sense sense, Wording... dialects) {
    return new Some(sense, List.of(dialects));
  }

  /** How a dialect reads it. */
  public Sense in(Wording dialect) {
    return others.stream()
        .filter(some -> some.dialects.contains(dialect))
        .map(Some::sense)
        .findFirst()
        .orElse(usual);
  }

  /** Its row of docs/dialects.md. */
  public String line() {
    Stream<String> senses =
        others.stream()
            .map(
                some ->
                    some.dialects.stream().map(Wording::word).collect(Collectors.joining(", "))
                        + ": "
                        + some.sense.words());
    List<String> parts = new ArrayList<>(senses.toList());
    parts.add("else: " + usual.words());
    return "| " + example + " | " + String.join("; ", parts) + " |";
  }
}
