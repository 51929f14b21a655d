package flexdp.gateway.render;

import flexdp.policy.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Functions of one value, which stands where the dollar sign is: all of ours, and their edges. */
final class FunctionsOfOne {
  private static final List<String> ANY =
      List.of(
          "$",
          "CAST($ AS varchar)",
          "NULLIF($, $)",
          "COALESCE($, $)",
          "LEAST($, $)",
          "CASE WHEN $ = $ THEN $ END");

  private static final List<String> CASTS =
      List.of(
          "CAST($ AS smallint)",
          "CAST($ AS integer)",
          "CAST($ AS bigint)",
          "CAST($ AS decimal(18,2))",
          "CAST($ AS decimal(18,10))",
          "CAST($ AS double)",
          "CAST($ AS boolean)");

  private static final List<String> NUMBERS =
      List.of(
          "DP_BLOCK($, 7)",
          "-$",
          "- - $",
          "ABS($)",
          "SIGN($)",
          "FLOOR($)",
          "CEIL($)",
          "ROUND($)",
          "ROUND($, 2)",
          "ROUND($, -2)",
          "ROUND($, -18)",
          "TRUNC($)",
          "SQRT($)",
          "LN($)",
          "LOG10($)",
          "EXP($)",
          "POWER($, 2)",
          "POWER($, 3)",
          "POWER($, -1)",
          "POWER($, 0.5)",
          "POWER(2, $)",
          "$ + $",
          "$ - $",
          "$ - 5",
          "$ + (-5)",
          "5 - $",
          "$ * $",
          "$ * -1",
          "$ * 0",
          "$ * -0.0",
          "$ * 1e300",
          "$ / 3",
          "0 / $",
          "-1 / $",
          "$ % 2",
          "$ % -3",
          "-7 % $",
          "LEAST($, 0)",
          "GREATEST($, 0)",
          "GREATEST(-$, 0)",
          "CASE WHEN $ < 0 THEN -$ ELSE $ * 2 END",
          "COALESCE($, 0) - 5",
          "WIDTH_BUCKET($, -1, 5, 7)",
          "$ / 1e300 / 1e300",
          "-1 * $ / 1e300 / 1e300");

  private static final List<String> TEXTS =
      List.of(
          "DP_BLOCK($, 7)",
          "LOWER($)",
          "UPPER($)",
          "TRIM($)",
          "LTRIM($)",
          "RTRIM($)",
          "REVERSE($)",
          "SUBSTRING($, 1, 3)",
          "SUBSTRING($, -1, 5)",
          "SUBSTRING($, 2)",
          "LEFT($, 2)",
          "LEFT($, -1)",
          "RIGHT($, 2)",
          "RIGHT($, -1)",
          "CHAR_LENGTH($)",
          "OCTET_LENGTH($)",
          "POSITION('a' IN $)",
          "REPLACE($, 'a', 'bb')",
          "REPLACE('abc', $, 'z')",
          "$ || $",
          "$ || 'z'",
          "$ LIKE 'a%'",
          "$ LIKE '_'",
          "$ ILIKE 'A%'",
          "STARTS_WITH($, 'a')",
          "DP_BLOCK($, 7)",
          "CAST($ AS date)",
          "CAST($ AS timestamp)",
          "CAST($ AS time)",
          "CAST($ AS uuid)",
          "-CAST($ AS double)",
          "CAST($ AS bigint) - 1",
          "$ > 'a'");

  private static final List<String> UNITS =
      List.of("year", "quarter", "month", "week", "day", "hour", "minute", "second");

  private static final List<String> MOMENTS =
      List.of(
          "DP_BLOCK($, 7)",
          "CAST($ AS date)",
          "CAST($ AS timestamp)",
          "CAST($ AS time)",
          "LAST_DAY($)",
          "ADD_MONTHS($, -13)",
          "ADD_MONTHS($, 120000)",
          "$ + INTERVAL '1' DAY",
          "$ - INTERVAL '1' DAY",
          "$ - INTERVAL '1' MONTH",
          "$ - INTERVAL '1' YEAR",
          "$ + INTERVAL '9998' YEAR",
          "$ + INTERVAL '1' SECOND",
          "EXTRACT(epoch FROM $)",
          "EXTRACT(dow FROM $)",
          "EXTRACT(doy FROM $)",
          "TO_CHAR($, 'YYYY-MM-DD HH24:MI:SS')",
          "STRFTIME('%w %j', $)",
          "$ > DATE '2000-01-01'");

  private FunctionsOfOne() {}

  static List<String> of(Type type) {
    List<String> functions = new ArrayList<>(ANY);
    switch (type.kind()) {
      case SMALLINT, INTEGER, BIGINT, DECIMAL, DOUBLE -> {
        functions.addAll(CASTS);
        functions.addAll(NUMBERS);
      }
      case VARCHAR -> {
        functions.addAll(CASTS);
        functions.addAll(TEXTS);
      }
      case DATE, TIMESTAMP -> {
        functions.addAll(MOMENTS);
        UNITS.stream()
            .flatMap(
                u ->
                    Stream.of(
                        "EXTRACT(" + u + " FROM $)",
                        "DATE_TRUNC('" + u + "', $)",
                        "DATE_DIFF('" + u + "', $, DATE '2000-01-01')"))
            .forEach(functions::add);
      }
      case TIME ->
          functions.addAll(
              List.of("EXTRACT(hour FROM $)", "EXTRACT(epoch FROM $)", "$ > TIME '12:00:00'"));
      case BOOLEAN -> functions.addAll(List.of("NOT $", "CAST($ AS integer)", "$ IS TRUE"));
      case UUID, OPAQUE, INTERVAL_MONTHS, INTERVAL_MICROS, NULL -> {}
    }
    return functions;
  }
}
