package flexdp.server.sql;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Cuts a text into tokens by PostgreSQL's rules, in one pass. It decides only which statements a
 * text holds and who answers each; a question about data is read again, by the analysis.
 */
public final class Lexer {
  private static final String OPERATOR = "+-*/<>=~!@#%^&|`?";

  /** As long as a name of PostgreSQL. */
  private static final int LONGEST_OPERATOR = 63;

  private final String text;
  private final List<Token> tokens = new ArrayList<>();
  private int at;

  private Lexer(String text) {
    this.text = text;
  }

  /**
   * @throws Rejection for a string, name or comment that is never closed
   */
  public static List<Token> tokens(String text) {
    return new Lexer(text).read();
  }

  private List<Token> read() {
    while (true) {
      skip();
      if (at >= text.length()) {
        return tokens;
      }
      int from = at;
      char c = text.charAt(at);
      if (c == '\'') {
        add(Token.Kind.STRING, quoted('\'', false), from);
      } else if (c == '"') {
        add(Token.Kind.QUOTED, quoted('"', false), from);
      } else if (c == '$') {
        dollar(from);
      } else if (isNameStart(c)) {
        word(from);
      } else if (isDigit(c) || c == '.' && isDigit(peek(1))) {
        number(from);
      } else {
        symbol(from);
      }
    }
  }

  private void word(int from) {
    char c = Character.toLowerCase(text.charAt(at));
    if (peek(1) == '\'' && "ebxn".indexOf(c) >= 0) {
      at++;
      add(Token.Kind.STRING, quoted('\'', c == 'e'), from);
      return;
    }
    if (c == 'u' && peek(1) == '&' && (peek(2) == '\'' || peek(2) == '"')) {
      at += 2;
      Token.Kind kind = peek(0) == '"' ? Token.Kind.QUOTED : Token.Kind.STRING;
      add(kind, quoted(peek(0), false), from);
      return;
    }
    while (isNamePart(peek(0))) {
      at++;
    }
    add(Token.Kind.WORD, text.substring(from, at).toLowerCase(Locale.ROOT), from);
  }

  private void number(int from) {
    while (isDigit(peek(0))) {
      at++;
    }
    if (peek(0) == '.' && peek(1) != '.') {
      at++;
      while (isDigit(peek(0))) {
        at++;
      }
    }
    int sign = peek(1) == '+' || peek(1) == '-' ? 2 : 1;
    if ((peek(0) == 'e' || peek(0) == 'E') && isDigit(peek(sign))) {
      at += sign;
      while (isDigit(peek(0))) {
        at++;
      }
    }
    add(Token.Kind.NUMBER, text.substring(from, at), from);
  }

  private void symbol(int from) {
    char c = text.charAt(at);
    if (c == ':' && (peek(1) == ':' || peek(1) == '=')) {
      at += 2;
    } else if (OPERATOR.indexOf(c) < 0) {
      at++;
    } else {
      operator(from);
    }
    add(Token.Kind.SYMBOL, text.substring(from, at), from);
  }

  /**
   * A sign at its end belongs to the number behind it, unless it has one of the special characters.
   * None is longer than a name, so that a text of signs alone is not read again and again.
   */
  private void operator(int from) {
    int end = Math.min(text.length(), from + LONGEST_OPERATOR);
    boolean special = false;
    while (at < end
        && OPERATOR.indexOf(text.charAt(at)) >= 0
        && !text.startsWith("--", at)
        && !text.startsWith("/*", at)) {
      special |= "~!@#%^&|`?".indexOf(text.charAt(at)) >= 0;
      at++;
    }
    while (!special && at - from > 1 && "+-".indexOf(text.charAt(at - 1)) >= 0) {
      at--;
    }
  }

  private void dollar(int from) {
    if (isDigit(peek(1))) {
      at++;
      while (isDigit(peek(0))) {
        at++;
      }
      add(Token.Kind.PARAMETER, text.substring(from + 1, at), from);
      return;
    }
    int close = at + 1;
    while (close < text.length() && isNamePart(text.charAt(close)) && text.charAt(close) != '$') {
      close++;
    }
    if (close >= text.length() || text.charAt(close) != '$') {
      at++;
      add(Token.Kind.SYMBOL, "$", from);
      return;
    }
    String tag = text.substring(at, close + 1);
    int end = text.indexOf(tag, close + 1);
    if (end < 0) {
      throw unclosed("string");
    }
    at = end + tag.length();
    add(Token.Kind.STRING, text.substring(close + 1, end), from);
  }

  private String quoted(char quote, boolean escapes) {
    StringBuilder content = new StringBuilder();
    at++;
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (c == quote) {
        if (peek(0) != quote) {
          return content.toString();
        }
        at++;
      } else if (escapes && c == '\\' && at < text.length()) {
        c = escaped(text.charAt(at++));
      }
      content.append(c);
    }
    throw unclosed(quote == '"' ? "name" : "string");
  }

  private static char escaped(char c) {
    return switch (c) {
      case 'n' -> '\n';
      case 't' -> '\t';
      case 'r' -> '\r';
      case 'b' -> '\b';
      case 'f' -> '\f';
      default -> c;
    };
  }

  private void skip() {
    while (at < text.length()) {
      if (Character.isWhitespace(text.charAt(at))) {
        at++;
      } else if (text.startsWith("--", at)) {
        while (at < text.length() && text.charAt(at) != '\n') {
          at++;
        }
      } else if (text.startsWith("/*", at)) {
        comment();
      } else {
        return;
      }
    }
  }

  private void comment() {
    int open = 0;
    do {
      if (at >= text.length()) {
        throw unclosed("comment");
      }
      int change = text.startsWith("/*", at) ? 1 : text.startsWith("*/", at) ? -1 : 0;
      open += change;
      at += change == 0 ? 1 : 2;
    } while (open > 0);
  }

  private void add(Token.Kind kind, String content, int from) {
    tokens.add(new Token(kind, content, from, at));
  }

  private char peek(int ahead) {
    int index = at + ahead;
    return index < text.length() ? text.charAt(index) : '\0';
  }

  private static Rejection unclosed(String what) {
    return Rejection.of(RejectionCode.SYNTAX, "This " + what + " is never closed.", "Close it.");
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isNameStart(char c) {
    return c == '_' || Character.isLetter(c);
  }

  private static boolean isNamePart(char c) {
    return isNameStart(c) || isDigit(c) || c == '$';
  }
}
