package flexdp.sql.function;

import flexdp.algebra.Expr;
import flexdp.policy.Type;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * TO_DATE, STR_TO_DATE, STRPTIME and PARSE_DATE of constants: read here, since databases differ in
 * what they do with text that does not fit. Of one argument they convert as CAST does.
 */
final class DateParsing {
  private DateParsing() {}

  static Expr of(Arguments a) {
    String name = FunctionFinder.nameOf(a.call());
    boolean day = name.endsWith("DATE") && (!name.equals("STR_TO_DATE") || !hasClock(a));
    if (a.count() == 1) {
      return day ? CastFunctions.cast(a.any(0), Type.DATE, a.at()) : DateFunctions.fromEpoch(a);
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
    throw Rejections.types(
        "Only constants are read by a format.",
        "Write a date as DATE '2024-12-31', or cast text of that form: CAST(x AS date).",
        a.at());
  }

  private static LocalDateTime read(String text, String format, String name, Arguments a) {
    boolean percent = format.indexOf('%') >= 0;
    String function = name.equals("STR_TO_DATE") ? "DATE_FORMAT" : percent ? name : "TO_CHAR";
    List<String[][]> known = DateFormats.known(function, format);
    String pattern = DateFormats.expanded(format, function);
    boolean letters = function.equals("TO_CHAR");
    int[] parts = {1970, 1, 1, 0, 0, 0};
    Set<Integer> given = new HashSet<>();
    long micros = 0;
    boolean quoted = false;
    List<String> units = List.of("YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND");
    int at = 0;
    for (int i = 0; i < pattern.length(); ) {
      if (letters && pattern.charAt(i) == '"') {
        quoted = !quoted;
        i++;
        continue;
      }
      int fraction = letters && !quoted ? fraction(pattern, i) : 0;
      if (fraction > 0) {
        int end = digits(text, at, fraction);
        if (end == at) {
          throw wrong(a);
        }
        micros = Long.parseLong((text.substring(at, end) + "00000").substring(0, 6));
        at = end;
        i += 2;
        continue;
      }
      String[] field = quoted ? null : DateFormats.field(known, pattern, i);
      if (field == null) {
        // A letter that stands for nothing here may stand for something there.
        if (letters && !quoted && Character.isLetter(pattern.charAt(i))) {
          throw wrong(a);
        }
        if (at >= text.length() || text.charAt(at++) != pattern.charAt(i++)) {
          throw wrong(a);
        }
        continue;
      }
      int unit = units.indexOf(field[1].toUpperCase(Locale.ROOT));
      int end = digits(text, at, DateFormats.digits(field));
      if (unit < 0 || end == at || DateFormats.digits(field) < (unit == 0 ? 4 : 2)) {
        throw wrong(a);
      }
      // What is given twice is an error there where it differs.
      if (!given.add(unit) && letters) {
        throw wrong(a);
      }
      parts[unit] = Integer.parseInt(text.substring(at, end));
      at = end;
      i += field[0].length();
    }
    // Without a year it is the first one before our era there.
    if (letters && !given.contains(0)) {
      throw wrong(a);
    }
    try {
      if (at == text.length() && parts[0] >= 1) {
        return LocalDateTime.of(parts[0], parts[1], parts[2], parts[3], parts[4], parts[5])
            .plusNanos(micros * 1_000);
      }
    } catch (DateTimeException e) {
      // Said below.
    }
    throw wrong(a);
  }

  /** How many digits the field for parts of a second has that stands here; 0 for another. */
  private static int fraction(String pattern, int at) {
    return pattern.startsWith("US", at) ? 6 : pattern.startsWith("MS", at) ? 3 : 0;
  }

  /** Where so many digits end at most. */
  private static int digits(String text, int from, int most) {
    int end = from;
    while (end < text.length()
        && end - from < most
        && text.charAt(end) >= '0'
        && text.charAt(end) <= '9') {
      end++;
    }
    return end;
  }

  private static flexdp.failure.Rejection wrong(Arguments a) {
    return Rejections.types(
        "The text is no date of this format, or the format has no rule.",
        "Write a date as DATE '2024-12-31'.",
        a.at());
  }
}
