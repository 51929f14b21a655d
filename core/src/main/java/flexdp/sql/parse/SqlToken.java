package flexdp.sql.parse;

import flexdp.failure.Position;
import java.util.Locale;

/**
 * One word, name, constant or symbol of the analyst's text.
 *
 * @param text what it says: names and strings without their quotes and escapes, everything else as
 *     written
 * @param upper the text in upper case, for words; the text itself otherwise
 * @param keyword whether a word stands where it has its meaning in the grammar
 * @param spaceBefore whether white space or a comment precedes it
 */
record SqlToken(
    Kind kind,
    String text,
    String upper,
    boolean keyword,
    boolean spaceBefore,
    Position from,
    Position to) {
  /** What a token is. */
  enum Kind {
    WORD,
    QUOTED_NAME,
    STRING,
    NUMBER,
    SYMBOL,
    END
  }

  static SqlToken of(Kind kind, String text, boolean spaceBefore, Position from, Position to) {
    String upper = kind == Kind.WORD ? text.toUpperCase(Locale.ROOT) : text;
    return new SqlToken(kind, text, upper, false, spaceBefore, from, to);
  }

  /** Another token standing at the same place of the text. */
  SqlToken as(Kind other, String text) {
    return of(other, text, spaceBefore, from, to);
  }

  /** A word with its meaning in the grammar, at this place. */
  SqlToken asKeyword(String word) {
    return new SqlToken(Kind.WORD, word, word, true, spaceBefore, from, to);
  }

  SqlToken asSymbol(String symbol) {
    return as(Kind.SYMBOL, symbol);
  }

  boolean isWord(String word) {
    return kind == Kind.WORD && upper.equals(word);
  }

  boolean isSymbol(String symbol) {
    return kind == Kind.SYMBOL && text.equals(symbol);
  }

  boolean isEnd() {
    return kind == Kind.END;
  }

  /** Whether it is a word that has its meaning in the grammar. */
  boolean isKeyword(String word) {
    return keyword && upper.equals(word);
  }

  /** How messages show it. */
  String shown() {
    String shown =
        switch (kind) {
          case WORD, NUMBER, SYMBOL -> text;
          case QUOTED_NAME -> '"' + text + '"';
          case STRING -> "'" + text + "'";
          case END -> "the end of the text";
        };
    return shown.length() <= 40 ? shown : shown.substring(0, 37) + "...";
  }
}
