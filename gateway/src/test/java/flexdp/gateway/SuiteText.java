package flexdp.gateway;

import java.math.BigDecimal;
import java.math.MathContext;
import java.sql.Date;
import java.sql.Timestamp;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Rows as the suite's data file writes them. */
final class SuiteText {
  /** Averages are computed in floating point here and in NUMERIC there. */
  private static final MathContext DIGITS = new MathContext(12);

  private SuiteText() {}

  static String row(List<Object> values) {
    return values.stream().map(SuiteText::value).collect(Collectors.joining(" | "));
  }

  private static String value(Object value) {
    return switch (value) {
      case null -> "NULL";
      case String text -> "'" + text.replace("'", "''") + "'";
      case Number number -> number(number);
      case Date date -> date.toLocalDate().toString();
      case Timestamp timestamp -> timestamp.toLocalDateTime().toString();
      default -> value.toString();
    };
  }

  private static String number(Number number) {
    BigDecimal exact = new BigDecimal(number.toString()).round(DIGITS);
    return exact.signum() == 0 ? "0" : exact.stripTrailingZeros().toPlainString();
  }

  /** Whether all the numbers of a row are 0, and there is one; the first may be a label. */
  static boolean isZero(String row) {
    List<String> numbers =
        Arrays.stream(row.split(" \\| "))
            .skip(row.contains(" | ") ? 1 : 0)
            .filter(v -> v.matches("-?[0-9.]+"))
            .toList();
    return !numbers.isEmpty() && numbers.stream().allMatch("0"::equals);
  }
}
