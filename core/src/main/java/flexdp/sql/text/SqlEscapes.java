package flexdp.sql.text;

import flexdp.failure.Position;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;

/** The escapes of PostgreSQL's E'...' strings, and those of MySQL's and BigQuery's plain ones. */
final class SqlEscapes {
  private SqlEscapes() {}

  /** Where a string ends in which a backslash keeps the next character from ending it; else -1. */
  static int end(String text, int from, char quote) {
    for (int to = from; to < text.length(); to++) {
      boolean doubled = text.startsWith(String.valueOf(quote).repeat(2), to);
      if (text.charAt(to) == '\\' || doubled) {
        to++;
      } else if (text.charAt(to) == quote) {
        return to;
      }
    }
    return -1;
  }

  /**
   * The text of a string in which any character may follow a backslash; an escaped % stays for
   * LIKE.
   */
  static String plain(String escaped, char quote) {
    StringBuilder plain = new StringBuilder(escaped.length());
    for (int i = 0; i < escaped.length(); i++) {
      char c = escaped.charAt(i);
      if (c != '\\' || i + 1 == escaped.length()) {
        plain.append(c);
        i += c == quote ? 1 : 0;
        continue;
      }
      char what = escaped.charAt(++i);
      switch (what) {
        case 'n' -> plain.append('\n');
        case 't' -> plain.append('\t');
        case 'r' -> plain.append('\r');
        case '%', '_' -> plain.append('\\').append(what);
        default -> plain.append(what);
      }
    }
    return plain.toString();
  }

  /** The text that an escaped string stands for. */
  static String decode(String escaped, Position at) {
    StringBuilder plain = new StringBuilder(escaped.length());
    for (int i = 0; i < escaped.length(); i++) {
      char c = escaped.charAt(i);
      if (c == '\'') {
        i++;
        plain.append('\'');
      } else if (c != '\\' || i + 1 == escaped.length()) {
        plain.append(c);
      } else {
        char what = escaped.charAt(++i);
        switch (what) {
          case 'n' -> plain.append('\n');
          case 't' -> plain.append('\t');
          case 'r' -> plain.append('\r');
          case 'b' -> plain.append('\b');
          case 'f' -> plain.append('\f');
          case '\\', '\'', '"', '%', '_' -> plain.append(what);
          default ->
              throw Rejection.of(
                  RejectionCode.SYNTAX,
                  "The escape \\" + what + " is not supported.",
                  "Write the character itself.",
                  at);
        }
      }
    }
    return plain.toString();
  }
}
