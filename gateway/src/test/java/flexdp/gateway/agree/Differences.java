package flexdp.gateway.agree;

import flexdp.policy.InputDialect;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What is not compared, by what an expression holds: the differences that docs/dialects.md states,
 * each with its sentence there.
 */
final class Differences {
  private static final String FAILS = "what a database fails at";
  private static final String TEXTS = "are compared by their bytes, in mysql and tsql too";
  private static final String LITE =
      "are numbers with so many digits and days, not floats and text";

  /** Of logarithms and powers databases say the last digit each in its way. */
  private static final String LAST_DIGIT =
      "(CONCAT\\(|\\|\\||AS VARCHAR|AS CHAR).*(LOG|LN\\(|SQRT|EXP|POWER)";

  private static final String BEYOND = "in sqlite they would become floats, in DuckDB";

  /**
   * One of them.
   *
   * @param counted whether it shows only where rows are counted by the expression
   * @param sentence how the page says it
   */
  record Known(InputDialect dialect, Pattern pattern, boolean counted, String sentence) {
    Known(InputDialect dialect, String pattern, String sentence) {
      this(dialect, Pattern.compile(pattern, Pattern.DOTALL), false, sentence);
    }
  }

  /** In whole questions too. */
  private static final Known NOT_ALL =
      new Known(InputDialect.MYSQL, "NOT \\(.*> ALL \\(", "MariaDB 11.4 loses one of the two");

  static final List<Known> ALL =
      List.of(
          new Known(InputDialect.DUCKDB, "ROUND\\(.*, -1\\)", BEYOND),
          new Known(
              InputDialect.DUCKDB,
              "INTERVAL '?1'? (DAY|MONTH|YEAR)\\)+ - ",
              "a day, and not a moment at midnight"),
          new Known(InputDialect.DUCKDB, "\\(.*/ ", FAILS),
          new Known(InputDialect.DUCKDB, Pattern.compile("[/%] "), true, FAILS),
          new Known(
              InputDialect.DUCKDB,
              "SUBSTR\\(.*, [^-0-9]",
              "where n is beyond the beginning | takes up"),
          new Known(InputDialect.DUCKDB, "REVERSE\\(", "character by character: an accent"),
          new Known(InputDialect.SQLITE, "AS DECIMAL", LITE),
          new Known(InputDialect.SQLITE, "\\bd\\b", LITE),
          new Known(InputDialect.SQLITE, "AS DATE\\)", LITE),
          new Known(InputDialect.SQLITE, "AS SIGNED", "SQLite a part of the text"),
          new Known(InputDialect.SQLITE, "STRFTIME\\([^']", LITE),
          new Known(InputDialect.SQLITE, "\\bb\\b.*\\* 30000000", BEYOND),
          new Known(InputDialect.SQLITE, "(POWER\\(|\\* ).*% ", BEYOND),
          new Known(InputDialect.SQLITE, LAST_DIGIT, "or more than 15 digits"),
          new Known(InputDialect.DUCKDB, LAST_DIGIT, "or more than 15 digits"),
          new Known(InputDialect.POSTGRESQL, LAST_DIGIT, "or more than 15 digits"),
          new Known(InputDialect.MYSQL, LAST_DIGIT, "or more than 15 digits"),
          new Known(InputDialect.DUCKDB, "% 0", FAILS),
          new Known(
              InputDialect.POSTGRESQL,
              "CONCAT\\(.*(LEAST|GREATEST|COALESCE|CASE)[ (].*\\bd\\b",
              "of a decimal and a whole number, as text, in postgresql"),
          new Known(
              InputDialect.MYSQL,
              "CONCAT\\(.*/ ",
              "doubles, and not truncated after four digits more"),
          new Known(
              InputDialect.POSTGRESQL,
              "INTERVAL '1' (DAY|MONTH)\\) - ",
              "a day, and not a moment at midnight"),
          new Known(InputDialect.SQLITE, "MOD\\(", "exact for whole numbers beyond 2⁵³"),
          new Known(InputDialect.SQLITE, "ROUND\\(b\\b", "or more than 15 digits"),
          new Known(InputDialect.POSTGRESQL, "ROUND\\(b\\)", "or more than 15 digits"),
          new Known(
              InputDialect.POSTGRESQL,
              "(CONCAT\\(|\\|\\|).*AS DECIMAL\\)",
              "as text, in postgresql | with ten digits after the point"),
          new Known(InputDialect.MYSQL, "ROUND\\(SUM\\(j\\), 1", "a whole number, and no decimal"),
          NOT_ALL,
          new Known(
              InputDialect.POSTGRESQL,
              "CONCAT\\(.*/ ",
              "not with the digits of PostgreSQL's quotients"),
          new Known(
              InputDialect.POSTGRESQL,
              "DIV\\(.*\\* 30000000",
              "in postgresql `DIV` a longer decimal"),
          new Known(
              InputDialect.DUCKDB,
              "- .*INTERVAL '?1'? (DAY|MONTH|YEAR)",
              "a day, and not a moment at midnight"),
          new Known(
              InputDialect.POSTGRESQL,
              "- .*INTERVAL '1' (DAY|MONTH)",
              "a day, and not a moment at midnight"),
          new Known(InputDialect.MYSQL, "PI\\(\\)", "`PI()` has all its digits"),
          new Known(InputDialect.MYSQL, "AS DECIMAL", "the largest decimal or a warning"),
          new Known(InputDialect.MYSQL, "TIMEDIFF", "`TIMEDIFF` has no end at 838 hours"),
          new Known(InputDialect.MYSQL, "FROM_UNIXTIME", "moments before 1970 too"),
          new Known(InputDialect.MYSQL, "\\bc\\b.* LIKE '", "whatever the column's collation is"),
          new Known(InputDialect.MYSQL, "(POSITION|LOCATE|INSTR|FIELD|NULLIF)\\(", TEXTS),
          new Known(InputDialect.MYSQL, "É", "and accents count"),
          new Known(InputDialect.MYSQL, "'abc' (<|=|>=) '", TEXTS));

  private Differences() {}

  static boolean isKnownOfWhole(InputDialect dialect, String sql) {
    return dialect == NOT_ALL.dialect() && NOT_ALL.pattern().matcher(sql).find();
  }

  /** Whether rows are not counted by an expression, though it is compared row by row. */
  static boolean isUncounted(InputDialect dialect, String expression) {
    return isKnown(dialect, expression, true);
  }

  static boolean isKnown(InputDialect dialect, String expression) {
    return isKnown(dialect, expression, false);
  }

  private static boolean isKnown(InputDialect dialect, String expression, boolean counted) {
    return ALL.stream()
        .anyMatch(
            known ->
                known.dialect() == dialect
                    && known.counted() == counted
                    && known.pattern().matcher(expression).find());
  }
}
