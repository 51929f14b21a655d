package flexdp.gateway.policydraft;

import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Scalars as YAML that reads back as the same value. */
final class YamlScalars {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
  private static final Set<String> WORDS =
      Set.of("true", "false", "null", "yes", "no", "on", "off", "y", "n");

  private YamlScalars() {}

  static String text(String value) {
    if (PLAIN.matcher(value).matches() && !WORDS.contains(value.toLowerCase(Locale.ROOT))) {
      return value;
    }
    StringBuilder quoted = new StringBuilder("\"");
    value
        .codePoints()
        .forEach(
            c -> {
              if (c == '"' || c == '\\') {
                quoted.append('\\').appendCodePoint(c);
              } else if (c < 0x20
                  || c >= 0x7f && c < 0xa0
                  || c == 0x2028
                  || c == 0x2029
                  || c == 0xfeff) {
                quoted.append(String.format(Locale.ROOT, "\\u%04x", c));
              } else {
                quoted.appendCodePoint(c);
              }
            });
    return quoted.append('"').toString();
  }

  /** A label or the end of a range. */
  static String value(Object value) {
    return switch (value) {
      case null -> "null";
      case BigDecimal number -> number.toPlainString();
      case String text -> text(text);
      default -> text(value.toString());
    };
  }

  static String list(List<?> values) {
    return values.stream().map(YamlScalars::value).collect(Collectors.joining(", ", "[", "]"));
  }

  /** For a comment, which ends with its line. */
  static String comment(String value) {
    return value.replaceAll("[\\p{Cntrl}\\u2028\\u2029]", " ");
  }
}
