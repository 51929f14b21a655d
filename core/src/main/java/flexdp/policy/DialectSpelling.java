package flexdp.policy;

import static flexdp.policy.InputDialect.BIGQUERY;
import static flexdp.policy.InputDialect.DUCKDB;
import static flexdp.policy.InputDialect.MYSQL;
import static flexdp.policy.InputDialect.POSTGRESQL;
import static flexdp.policy.InputDialect.SNOWFLAKE;
import static flexdp.policy.InputDialect.SQLITE;
import static flexdp.policy.InputDialect.TRINO;
import static flexdp.policy.InputDialect.TSQL;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Spellings that mean one thing in some dialects and another in others. Whoever binds one asks here
 * how it is to be read; docs/dialects.md is this table in words, which a test compares.
 */
public enum DialectSpelling {
  QUOTIENT(
      "`7 / 2`",
      SpellingMeaning.WHOLE,
      in(SpellingMeaning.REAL, DUCKDB, MYSQL, SNOWFLAKE, BIGQUERY)),
  PART_QUOTIENT(
      "`EXTRACT(u FROM d) / 2` of 7", SpellingMeaning.WHOLE, in(SpellingMeaning.REAL, POSTGRESQL)),
  ROUNDED_QUOTIENT(
      "`ROUND(i) / 2` of 7", SpellingMeaning.WHOLE, in(SpellingMeaning.REAL, POSTGRESQL, SQLITE)),
  FLOOR_QUOTIENT(
      "`FLOOR(i) / 2`, `CEIL`, `SIGN`, `TRUNC`, `DIV` of 7",
      SpellingMeaning.WHOLE,
      in(SpellingMeaning.REAL, POSTGRESQL)),
  SIGN(
      "`SIGN(x)` of a float or a decimal is",
      SpellingMeaning.SAME_TYPE,
      in(SpellingMeaning.WHOLE_NUMBER, DUCKDB, MYSQL, SQLITE)),
  SUM_QUOTIENT(
      "`SUM(b) / 2` of 64 bits, 7 in all",
      SpellingMeaning.REAL,
      in(SpellingMeaning.WHOLE, TRINO, SQLITE, TSQL)),
  AVERAGE("`AVG(i)` of 3 and 4", SpellingMeaning.REAL, in(SpellingMeaning.WHOLE, TSQL)),
  WHOLE_NUMBERS(
      "`i + j`, `i * j`, `CAST(x AS INTEGER)`",
      SpellingMeaning.OWN_WIDTH,
      in(SpellingMeaning.LONG, MYSQL, SQLITE, SNOWFLAKE, BIGQUERY)),
  LENGTHS(
      "`LENGTH(s) + i`, `POSITION`, `STRPOS`",
      SpellingMeaning.OWN_WIDTH,
      in(SpellingMeaning.LONG, DUCKDB, TRINO, MYSQL, SQLITE, SNOWFLAKE, BIGQUERY)),
  TO_WHOLE(
      "`CAST(2.7 AS INTEGER)`", SpellingMeaning.ROUNDED, in(SpellingMeaning.CUT, SQLITE, TSQL)),
  TEXT_TO_WHOLE(
      "`CAST(s AS INTEGER)` of text reads",
      SpellingMeaning.ANY_NUMBER,
      in(SpellingMeaning.DIGITS, POSTGRESQL, TRINO, TSQL, BIGQUERY)),
  DECIMAL(
      "`CAST(x AS DECIMAL)`",
      SpellingMeaning.DECIMAL_38_10,
      in(SpellingMeaning.DECIMAL_18_3, DUCKDB),
      in(SpellingMeaning.DECIMAL_38_0, TRINO, SNOWFLAKE),
      in(SpellingMeaning.DECIMAL_10_0, MYSQL),
      in(SpellingMeaning.DECIMAL_18_0, TSQL),
      in(SpellingMeaning.DECIMAL_38_9, BIGQUERY)),
  HALVES(
      "`ROUND(2.5)` of a float", SpellingMeaning.AWAY, in(SpellingMeaning.EVEN, POSTGRESQL, MYSQL)),
  ROUND_WHOLE(
      "`ROUND(3, 2)` of a whole number, as text",
      SpellingMeaning.NO_POINT,
      in(SpellingMeaning.FILLED_UP, POSTGRESQL),
      in(SpellingMeaning.POINT_AND_ZERO, SQLITE)),
  ROUND_DECIMAL(
      "`ROUND(3.0, 2)` of a decimal or a quotient, as text",
      SpellingMeaning.POINT_AND_ZERO,
      in(SpellingMeaning.FILLED_UP, POSTGRESQL, MYSQL)),
  TENS("`ROUND(x, -1)`", SpellingMeaning.TENS, in(SpellingMeaning.ONES, SQLITE)),
  REST("`x % 2`", SpellingMeaning.EXACT_REST, in(SpellingMeaning.WHOLE_REST, SQLITE)),
  LOG("`LOG(x)`", SpellingMeaning.DECIMAL_LOG, in(SpellingMeaning.NATURAL, MYSQL, TSQL, BIGQUERY)),
  LOG_BASE(
      "`LOG(a, b)`", SpellingMeaning.BASE_FIRST, in(SpellingMeaning.BASE_LAST, TSQL, BIGQUERY)),
  NULL_ORDER(
      "`ORDER BY x`",
      SpellingMeaning.NULL_LARGEST,
      in(SpellingMeaning.NULL_LAST, DUCKDB, TRINO),
      in(SpellingMeaning.NULL_SMALLEST, MYSQL, SQLITE, TSQL, BIGQUERY)),
  EXTREMES(
      "`LEAST`, `GREATEST`",
      SpellingMeaning.NULL_PASSED_OVER,
      in(SpellingMeaning.NULL_WINS, TRINO, MYSQL, SQLITE, SNOWFLAKE, BIGQUERY)),
  CONCAT(
      "`CONCAT(x, y)`",
      SpellingMeaning.NULL_PASSED_OVER,
      in(SpellingMeaning.NULL_WINS, TRINO, MYSQL, SNOWFLAKE, BIGQUERY)),
  TRUTH(
      "`CAST(b AS VARCHAR)` of a truth",
      SpellingMeaning.WORDS,
      in(SpellingMeaning.NUMBERS, MYSQL, SQLITE, TSQL)),
  FLOAT_TEXT(
      "`CAST(x AS VARCHAR)` of the float 2",
      SpellingMeaning.BARE,
      in(SpellingMeaning.POINT_ZERO, DUCKDB, TRINO, SQLITE)),
  JOINED_TRUTH(
      "`CONCAT(b, x)` of a truth",
      SpellingMeaning.WORDS,
      in(SpellingMeaning.LETTERS, POSTGRESQL),
      in(SpellingMeaning.NUMBERS, MYSQL, SQLITE, TSQL)),
  LIKE(
      "`x LIKE 'a%'`",
      SpellingMeaning.SAME_CASE,
      in(SpellingMeaning.ANY_CASE, MYSQL, TSQL),
      in(SpellingMeaning.ASCII_CASE, SQLITE)),
  PATTERN(
      "`x LIKE 'a\\%'`",
      SpellingMeaning.PLAIN_BACKSLASH,
      in(SpellingMeaning.ESCAPING_BACKSLASH, POSTGRESQL, MYSQL, BIGQUERY)),
  LETTERS(
      "`LOWER(x)`, `UPPER(x)` change",
      SpellingMeaning.ALL_LETTERS,
      in(SpellingMeaning.ASCII_LETTERS, SQLITE)),
  SUBSTRING(
      "`SUBSTRING(x, n)` with n below 1",
      SpellingMeaning.BEFORE,
      in(SpellingMeaning.FROM_END, DUCKDB, SQLITE),
      in(SpellingMeaning.FROM_END_OR_EMPTY, TRINO, MYSQL),
      in(SpellingMeaning.FROM_END_OR_ONE, SNOWFLAKE),
      in(SpellingMeaning.FROM_END_OR_FIRST, BIGQUERY)),
  PART(
      "`LEFT(x, -2)`, `RIGHT(x, -2)`",
      SpellingMeaning.ALL_BUT,
      in(SpellingMeaning.NOTHING, MYSQL, SNOWFLAKE)),
  TRIM(
      "`TRIM(x)`, `LTRIM(x)`, `RTRIM(x)` take off",
      SpellingMeaning.SPACES,
      in(SpellingMeaning.UNICODE_SPACES, DUCKDB),
      in(SpellingMeaning.JAVA_WHITESPACE, TRINO),
      in(SpellingMeaning.UNICODE_WHITESPACE, BIGQUERY)),
  SPLIT(
      "`SPLIT_PART(x, s, n)` of fewer parts",
      SpellingMeaning.NOTHING,
      in(SpellingMeaning.NO_VALUE, TRINO)),
  LENGTH("`LENGTH(x)`", SpellingMeaning.CHARACTERS, in(SpellingMeaning.BYTES, MYSQL)),
  LEN("`LEN(x)`", SpellingMeaning.CHARACTERS, in(SpellingMeaning.NO_BLANKS, TSQL)),
  REGEX(
      "`x RLIKE 'p'`, `REGEXP_LIKE`",
      SpellingMeaning.ANYWHERE,
      in(SpellingMeaning.ENTIRE, SNOWFLAKE)),
  SPREAD("`STDDEV`, `VARIANCE`", SpellingMeaning.SAMPLE, in(SpellingMeaning.POPULATION, MYSQL)),
  SKEWNESS("`SKEWNESS`", SpellingMeaning.SAMPLE, in(SpellingMeaning.POPULATION, TRINO)),
  DAY_OF_WEEK(
      "`DAYOFWEEK`, `DATEPART(weekday, d)`",
      SpellingMeaning.SUNDAY_0,
      in(SpellingMeaning.MONDAY_1, TRINO),
      in(SpellingMeaning.SUNDAY_1, MYSQL, TSQL, BIGQUERY)),
  DOW(
      "`DOW`, `EXTRACT(dow FROM d)`",
      SpellingMeaning.SUNDAY_0,
      in(SpellingMeaning.MONDAY_1, TRINO)),
  WEEKDAY("`WEEKDAY(d)`", SpellingMeaning.MONDAY_0, in(SpellingMeaning.SUNDAY_0, DUCKDB)),
  WEEK(
      "`WEEK(d)`",
      SpellingMeaning.ISO,
      in(SpellingMeaning.WEEK_0, MYSQL, BIGQUERY),
      in(SpellingMeaning.JANUARY_1, TSQL)),
  YEAR_WEEK("`YEARWEEK(d)`", SpellingMeaning.WEEK_OF_SUNDAY, in(SpellingMeaning.ISO, DUCKDB)),
  WEEK_START(
      "`DATE_TRUNC(week, d)`",
      SpellingMeaning.FROM_MONDAY,
      in(SpellingMeaning.FROM_SUNDAY, TSQL, BIGQUERY)),
  WEEKS(
      "`DATEDIFF(week, d, e)`",
      SpellingMeaning.FROM_MONDAY,
      in(SpellingMeaning.SEVEN_DAYS, DUCKDB),
      in(SpellingMeaning.FROM_SUNDAY, TSQL, BIGQUERY)),
  DAYS(
      "`d + 1`, `d - e` of days",
      SpellingMeaning.ADDS_DAYS,
      in(SpellingMeaning.NO_SENSE, MYSQL, SQLITE)),
  DATE_DIFF(
      "`DATE_DIFF`, `DATEDIFF`, `DATETIME_DIFF`",
      SpellingMeaning.BOUNDARIES,
      in(SpellingMeaning.COMPLETE, TRINO)),
  TIMESTAMPDIFF("`TIMESTAMPDIFF`", SpellingMeaning.BOUNDARIES, in(SpellingMeaning.COMPLETE, MYSQL)),
  TIMESTAMP_DIFF(
      "`TIMESTAMP_DIFF`", SpellingMeaning.BOUNDARIES, in(SpellingMeaning.COMPLETE, BIGQUERY)),
  NAMES(
      "`DAYNAME`, `MONTHNAME`",
      SpellingMeaning.IN_FULL,
      in(SpellingMeaning.THREE_LETTERS, SNOWFLAKE));

  private record Some(SpellingMeaning sense, List<InputDialect> dialects) {}

  private final String example;
  private final SpellingMeaning usual;
  private final List<Some> others;

  DialectSpelling(String example, SpellingMeaning usual, Some... others) {
    this.example = example;
    this.usual = usual;
    this.others = List.of(others);
  }

  private static Some in(SpellingMeaning sense, InputDialect... dialects) {
    return new Some(sense, List.of(dialects));
  }

  /** How a dialect reads it. */
  public SpellingMeaning in(InputDialect dialect) {
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
                    some.dialects.stream().map(InputDialect::word).collect(Collectors.joining(", "))
                        + ": "
                        + some.sense.words());
    List<String> parts = new ArrayList<>(senses.toList());
    parts.add("else: " + usual.words());
    return "| " + example + " | " + String.join("; ", parts) + " |";
  }
}
