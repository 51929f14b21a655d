package flexdp.sql.text;

import flexdp.failure.Position;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;

/** The escapes of PostgreSQL's E'...' strings. */
final class SqlEscapes {
  private SqlEscapes() {}

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
