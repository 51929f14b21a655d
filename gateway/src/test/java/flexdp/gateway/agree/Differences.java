package flexdp.gateway.agree;

import flexdp.policy.Wording;
import java.util.List;
import java.util.Map;

/**
 * What is not compared: the differences that docs/dialects.md states, and words that a database
 * accepts though it has no such words, by what an expression holds.
 */
final class Differences {
  private static final Map<Wording, List<String>> KNOWN =
      Map.of(
          Wording.DUCKDB,
          List.of(
              // Turns negative where it grows too large.
              "ROUND\\(.*, -1\\)",
              // What is divided by zero is NULL, and not endless.
              "\\(.*/ ",
              // Beyond the beginning of ASCII text it begins with the first character.
              "SUBSTR\\(.*, [^-0-9]"),
          Wording.SQLITE,
          List.of(
              // Decimals are decimals, days are days, and not any number or text.
              "AS DECIMAL",
              "\\bd\\b",
              "AS DATE\\)",
              "AS SIGNED",
              "STRFTIME\\([^']",
              // Beyond 64 bits is NULL, and no float.
              "b \\* 30000000",
              // Of floats, where whole numbers end to be exact.
              "MOD\\("),
          Wording.MYSQL,
          List.of(
              // Shown with six digits.
              "PI\\(\\)",
              // Too large is NULL, and not the largest; so is text that is no number.
              "AS DECIMAL",
              "TIMEDIFF",
              // Before 1970 is a moment.
              "FROM_UNIXTIME",
              // Case does not count, whatever the column's collation is.
              "\\bc\\b.* LIKE 'A",
              // Texts are compared by their bytes, and accents count.
              "POSITION\\(",
              "LOCATE\\(",
              "INSTR\\(",
              "FIELD\\(",
              "É"));

  private Differences() {}

  static boolean isKnown(Wording dialect, String expression) {
    return KNOWN.getOrDefault(dialect, List.of()).stream()
        .anyMatch(pattern -> expression.matches("(?s).*" + pattern + ".*"));
  }
}
