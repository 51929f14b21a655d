package flexdp.compute;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.regex.Pattern;

/** Functions of text, no argument NULL. Positions count code points from one. */
final class TextEvaluation {
  private TextEvaluation() {}

  static String joined(List<Object> arguments) {
    StringBuilder all = new StringBuilder();
    arguments.forEach(a -> all.append(ValueConversion.text(a)));
    return all.toString();
  }

  static int small(int letter) {
    return letter >= 'A' && letter <= 'Z' ? letter + 32 : letter;
  }

  static int capital(int letter) {
    return letter >= 'a' && letter <= 'z' ? letter - 32 : letter;
  }

  static BigDecimal characters(String text) {
    return number(text.codePointCount(0, text.length()));
  }

  static BigDecimal bytes(String text) {
    return number(text.getBytes(StandardCharsets.UTF_8).length);
  }

  static String replaced(String text, List<Object> arguments) {
    String from = ValueConversion.text(arguments.get(1));
    return from.isEmpty() ? text : text.replace(from, ValueConversion.text(arguments.get(2)));
  }

  static String reversed(String text) {
    return new StringBuilder(text).reverse().toString();
  }

  /** One character for one, as databases do it. */
  static String mapped(String text, IntUnaryOperator each) {
    return text.codePoints()
        .map(each)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  /** No character that is taken off needs two of Java's. */
  static String trimmed(String text, List<Object> arguments, boolean left, boolean right) {
    String taken = arguments.size() > 1 ? ValueConversion.text(arguments.get(1)) : " ";
    int from = 0;
    int to = text.length();
    while (left && from < to && taken.indexOf(text.charAt(from)) >= 0) {
      from++;
    }
    while (right && to > from && taken.indexOf(text.charAt(to - 1)) >= 0) {
      to--;
    }
    return text.substring(from, to);
  }

  private static BigDecimal number(int value) {
    return BigDecimal.valueOf(value);
  }

  private static long whole(Object value) {
    BigDecimal number = value instanceof Double d ? new BigDecimal(d) : (BigDecimal) value;
    BigDecimal most = BigDecimal.valueOf(Integer.MAX_VALUE);
    return number.min(most).max(most.negate()).longValue();
  }

  static String substring(String text, List<Object> arguments) {
    long length = text.codePointCount(0, text.length());
    long from = whole(arguments.get(1));
    long to = arguments.size() > 2 ? from + whole(arguments.get(2)) : Long.MAX_VALUE;
    if (to < from) {
      return null;
    }
    long first = Math.min(Math.max(from, 1), length + 1);
    long after = Math.min(Math.max(to, first), length + 1);
    return cut(text, (int) first - 1, (int) after - 1);
  }

  private static String cut(String text, int from, int to) {
    return text.substring(text.offsetByCodePoints(0, from), text.offsetByCodePoints(0, to));
  }

  static BigDecimal position(String needle, Object in) {
    String haystack = ValueConversion.text(in);
    int at = haystack.indexOf(needle);
    return number(at < 0 ? 0 : haystack.codePointCount(0, at) + 1);
  }

  /** A negative count leaves out that many at the other end. */
  static String part(String text, Object number, boolean left) {
    long count = whole(number);
    int length = text.codePointCount(0, text.length());
    int kept = (int) Math.max(0, Math.min(length, count < 0 ? length + count : count));
    return left ? cut(text, 0, kept) : cut(text, length - kept, length);
  }

  /** A LIKE pattern as a regular expression; a lone escape at the end matches nothing. */
  static Pattern like(String pattern, String escape, boolean ignoreCase) {
    StringBuilder regex = new StringBuilder();
    for (int i = 0; i < pattern.length(); ) {
      int c = pattern.codePointAt(i);
      i += Character.charCount(c);
      if (!escape.isEmpty() && c == escape.codePointAt(0)) {
        if (i >= pattern.length()) {
          return Pattern.compile("(?!)");
        }
        c = pattern.codePointAt(i);
        i += Character.charCount(c);
        regex.append(Pattern.quote(Character.toString(c)));
      } else {
        regex.append(c == '%' ? ".*" : c == '_' ? "." : Pattern.quote(Character.toString(c)));
      }
    }
    int flags = Pattern.DOTALL;
    if (ignoreCase) {
      flags |= Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE;
    }
    return Pattern.compile(regex.toString(), flags);
  }
}
