package flexdp.server.sql;

import java.util.Locale;

/**
 * A word, constant or symbol of a statement.
 *
 * @param text the content: names and strings without their quotes, unquoted words in lower case
 * @param from where it begins in the text
 * @param to where it ends
 */
public record Token(Kind kind, String text, int from, int to) {
  /** What a token is. */
  public enum Kind {
    WORD,
    QUOTED,
    STRING,
    NUMBER,
    PARAMETER,
    SYMBOL
  }

  /** Whether it is an unquoted word, whatever its case. */
  public boolean is(String word) {
    return kind == Kind.WORD && text.equals(word.toLowerCase(Locale.ROOT));
  }

  public boolean isSymbol(String symbol) {
    return kind == Kind.SYMBOL && text.equals(symbol);
  }

  public boolean isName() {
    return kind == Kind.WORD || kind == Kind.QUOTED;
  }
}
