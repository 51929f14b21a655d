package flexdp.sql.parse;

/** Which characters names and numbers are made of, and how messages show others. */
final class SqlCharacters {
  private SqlCharacters() {}

  static String shown(char c) {
    return Character.isISOControl(c) || Character.isSurrogate(c)
        ? String.format("U+%04X", (int) c)
        : String.valueOf(c);
  }

  /** Whether no half of a pair of surrogates stands alone: drivers would send another character. */
  static boolean areWhole(String text) {
    return text.codePoints()
        .noneMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
  }

  static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  static boolean isNameStart(char c) {
    return c == '_' || Character.isLetter(c);
  }

  static boolean isNamePart(char c) {
    return isNameStart(c) || isDigit(c) || c == '$' || Character.isDigit(c);
  }

  /** Where a number that begins at an index ends. */
  static int numberEnd(String text, int start) {
    int at = digitsEnd(text, start);
    if (at(text, at) == '.' && at(text, at + 1) != '.') {
      at = digitsEnd(text, at + 1);
    }
    if (at(text, at) == 'e' || at(text, at) == 'E') {
      int sign = at(text, at + 1) == '+' || at(text, at + 1) == '-' ? 2 : 1;
      if (isDigit(at(text, at + sign))) {
        at = digitsEnd(text, at + sign);
      }
    }
    return at;
  }

  private static int digitsEnd(String text, int start) {
    int at = start;
    while (isDigit(at(text, at))
        || at(text, at) == '_' && isDigit(at(text, at + 1)) && isDigit(at(text, at - 1))) {
      at++;
    }
    return at;
  }

  static char at(String text, int index) {
    return index >= 0 && index < text.length() ? text.charAt(index) : '\0';
  }
}
