package flexdp.cli;

import java.util.Locale;

/** Where the statements of a prompt end, and which words stand in them. */
final class ShellText {
  private ShellText() {}

  static boolean isCommand(String text) {
    return text.stripLeading().startsWith("\\");
  }

  /** Whether a statement ends here: with a semicolon that stands in no quotes and no comment. */
  static boolean isWhole(String text) {
    boolean ended = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\'' || c == '"') {
        int end = text.indexOf(c, i + 1);
        if (end < 0) {
          return false;
        }
        i = end;
        ended = false;
      } else if (c == '-' && text.startsWith("--", i)) {
        int end = text.indexOf('\n', i);
        i = end < 0 ? text.length() : end;
      } else if (c == '/' && text.startsWith("/*", i)) {
        int end = text.indexOf("*/", i + 2);
        if (end < 0) {
          return false;
        }
        i = end + 1;
      } else if (!Character.isWhitespace(c)) {
        ended = c == ';';
      }
    }
    return ended;
  }

  /** A statement without its last semicolon. */
  static String statement(String text) {
    String bare = text.strip();
    return bare.endsWith(";") ? bare.substring(0, bare.length() - 1).stripTrailing() : bare;
  }

  /** Where the word begins that ends at the cursor. */
  static int wordStart(String text, int cursor) {
    int start = cursor;
    while (start > 0 && isWord(text.charAt(start - 1))) {
      start--;
    }
    return start > 0 && text.charAt(start - 1) == '\\' ? start - 1 : start;
  }

  private static boolean isWord(char c) {
    return Character.isLetterOrDigit(c) || c == '_' || c == '.';
  }

  /** Whether a table is what comes next: after FROM and JOIN. */
  static boolean wantsTable(String text, int at) {
    String before = text.substring(0, at).stripTrailing().toLowerCase(Locale.ROOT);
    return before.endsWith("from") || before.endsWith("join");
  }

  static boolean mentions(String text, String name) {
    String low = text.toLowerCase(Locale.ROOT);
    String wanted = name.toLowerCase(Locale.ROOT);
    for (int at = low.indexOf(wanted); at >= 0; at = low.indexOf(wanted, at + 1)) {
      int end = at + wanted.length();
      boolean begins = at == 0 || !isWord(low.charAt(at - 1));
      if (begins && (end == low.length() || !isWord(low.charAt(end)))) {
        return true;
      }
    }
    return false;
  }
}
