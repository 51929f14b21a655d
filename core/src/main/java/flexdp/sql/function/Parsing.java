package flexdp.sql.function;

import flexdp.algebra.Expr;
import flexdp.policy.Type;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Locale;

/**
 * TO_DATE, STR_TO_DATE, STRPTIME and PARSE_DATE of constants: read here, since databases differ in
 * what they do with text that does not fit. Of one argument they convert as CAST does.
 */
final class Parsing {
  private Parsing() {}

  static Expr of(Arguments a) {
    String name = FunctionFinder.nameOf(a.call());
    boolean day = name.endsWith("DATE") && (!name.equals("STR_TO_DATE") || !hasClock(a));
    if (a.count() == 1) {
      return day ? Casts.cast(a.any(0), Type.DATE, a.at()) : DateFunctions.fromEpoch(a);
    }
    boolean formatFirst = name.startsWith("PARSE");
    String text = constant(a, formatFirst ? 1 : 0);
    String format = constant(a, formatFirst ? 0 : 1);
    LocalDateTime read = read(text, format, name, a);
    return day
        ? new Expr.Literal(read.toLocalDate(), Type.DATE)
        : new Expr.Literal(read, Type.TIMESTAMP);
  }

  private static boolean hasClock(Arguments a) {
    String format = a.count() == 2 ? constant(a, 1) : "";
    return format.contains("%H") || format.contains("%T") || format.contains("%h");
  }

  private static String constant(Arguments a, int i) {
    if (a.any(i) instanceof Expr.Literal literal && literal.value() instanceof String text) {
      return text;
    }
    throw Reject.types(
        "Only constants are read by a format.",
        "Write a date as DATE '2024-12-31', or cast text of that form: CAST(x AS date).",
        a.at());
  }

  private static LocalDateTime read(String text, String format, String name, Arguments a) {
    boolean percent = format.indexOf('%') >= 0;
    String function = name.equals("STR_TO_DATE") ? "DATE_FORMAT" : percent ? name : "TO_CHAR";
    List<String[][]> known = Formats.known(function, format);
    String pattern = Formats.expanded(format, function);
    int[] parts = {1970, 1, 1, 0, 0, 0};
    List<String> units = List.of("YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND");
    int at = 0;
    for (int i = 0; i < pattern.length(); ) {
      String[] field = Formats.field(known, pattern, i);
      if (field == null) {
        if (at >= text.length() || text.charAt(at++) != pattern.charAt(i++)) {
          throw wrong(a);
        }
        continue;
      }
      int unit = units.indexOf(field[1].toUpperCase(Locale.ROOT));
      int end = at;
      while (end < text.length()
          && end - at < Formats.digits(field)
          && Character.digit(text.charAt(end), 10) >= 0
          && text.charAt(end) < 128) {
        end++;
      }
      if (unit < 0 || end == at || Formats.digits(field) < (unit == 0 ? 4 : 2)) {
        throw wrong(a);
      }
      parts[unit] = Integer.parseInt(text.substring(at, end));
      at = end;
      i += field[0].length();
    }
    try {
      if (at == text.length() && parts[0] >= 1) {
        return LocalDateTime.of(parts[0], parts[1], parts[2], parts[3], parts[4], parts[5]);
      }
    } catch (DateTimeException e) {
      // Said below.
    }
    throw wrong(a);
  }

  private static flexdp.failure.Rejection wrong(Arguments a) {
    return Reject.types(
        "The text is no date of this format, or the format has no rule.",
        "Write a date as DATE '2024-12-31'.",
        a.at());
  }
}
