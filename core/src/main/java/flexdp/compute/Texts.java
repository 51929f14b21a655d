package flexdp.compute;

import flexdp.algebra.Function;
import flexdp.hash.PortableHash;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.regex.Pattern;

/** Functions of text, no argument NULL. Positions count code points from one. */
final class Texts {
  private Texts() {}

  static Object of(Function function, List<Object> arguments) {
    String text = Conversion.text(arguments.get(0));
    return switch (function) {
      case CONCAT -> {
        StringBuilder all = new StringBuilder();
        arguments.forEach(a -> all.append(Conversion.text(a)));
        yield all.toString();
      }
      case LOWER -> mapped(text, Character::toLowerCase);
      case LOWER_ASCII -> mapped(text, c -> c >= 'A' && c <= 'Z' ? c + 32 : c);
      case UPPER_ASCII -> mapped(text, c -> c >= 'a' && c <= 'z' ? c - 32 : c);
      case UPPER -> mapped(text, Character::toUpperCase);
      case TRIM -> trimmed(text, taken(arguments), true, true);
      case LTRIM -> trimmed(text, taken(arguments), true, false);
      case RTRIM -> trimmed(text, taken(arguments), false, true);
      case SUBSTRING -> substring(text, arguments);
      case CHAR_LENGTH -> number(text.codePointCount(0, text.length()));
      case BYTE_LENGTH -> number(text.getBytes(StandardCharsets.UTF_8).length);
      case POSITION -> position(text, Conversion.text(arguments.get(1)));
      case REPLACE -> {
        String from = Conversion.text(arguments.get(1));
        yield from.isEmpty() ? text : text.replace(from, Conversion.text(arguments.get(2)));
      }
      case LEFT -> part(text, whole(arguments.get(1)), true);
      case RIGHT -> part(text, whole(arguments.get(1)), false);
      case REVERSE -> new StringBuilder(text).reverse().toString();
      case STARTS_WITH -> text.startsWith(Conversion.text(arguments.get(1)));
      case HASH -> BigDecimal.valueOf(PortableHash.of(text));
      default -> throw new IllegalArgumentException("not a function of text: " + function);
    };
  }

  /** One character for one, as databases do it. */
  private static String mapped(String text, IntUnaryOperator each) {
    return text.codePoints()
        .map(each)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  private static String taken(List<Object> arguments) {
    return arguments.size() > 1 ? Conversion.text(arguments.get(1)) : " ";
  }

  /** No character that is taken off needs two of Java's. */
  private static String trimmed(String text, String taken, boolean left, boolean right) {
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

  private static String substring(String text, List<Object> arguments) {
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

  private static BigDecimal position(String needle, String haystack) {
    int at = haystack.indexOf(needle);
    return number(at < 0 ? 0 : haystack.codePointCount(0, at) + 1);
  }

  /** A negative count leaves out that many at the other end. */
  private static String part(String text, long count, boolean left) {
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
