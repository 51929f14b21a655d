package flexdp.server.sql;

import flexdp.failure.Position;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import java.util.List;

/** Goes over the tokens of one statement. */
final class TokenReader {
  private final StatementText piece;
  private int at;

  TokenReader(StatementText piece) {
    this.piece = piece;
  }

  int at() {
    return at;
  }

  void to(int place) {
    at = place;
  }

  boolean hasNext() {
    return at < piece.tokens().size();
  }

  boolean isNext(String word) {
    return hasNext() && piece.tokens().get(at).is(word);
  }

  boolean isNextSymbol(String symbol) {
    return hasNext() && piece.tokens().get(at).isSymbol(symbol);
  }

  /** Passes over a word, if it is the next one. */
  boolean skip(String... words) {
    for (String word : words) {
      if (isNext(word)) {
        at++;
        return true;
      }
    }
    return false;
  }

  boolean skipSymbol(String symbol) {
    if (isNextSymbol(symbol)) {
      at++;
      return true;
    }
    return false;
  }

  void require(String word) {
    if (!skip(word)) {
      throw unexpected();
    }
  }

  void requireSymbol(String symbol) {
    if (!skipSymbol(symbol)) {
      throw unexpected();
    }
  }

  void requireEnd() {
    if (hasNext()) {
      throw unexpected();
    }
  }

  Token next() {
    if (!hasNext()) {
      throw unexpected();
    }
    return piece.tokens().get(at++);
  }

  String name() {
    if (!hasNext() || !piece.tokens().get(at).isName()) {
      throw unexpected();
    }
    return next().text();
  }

  List<Token> rest() {
    return piece.tokens().subList(at, piece.tokens().size());
  }

  Rejection unexpected() {
    String what =
        hasNext()
            ? "Did not expect '" + shortened(piece.text(at, at + 1)) + "' here."
            : "The statement ends where more was expected.";
    int offset = hasNext() ? piece.offset(at) : piece.tokens().getLast().to();
    return Rejection.of(RejectionCode.SYNTAX, what, "", position(piece.sql(), offset));
  }

  private static String shortened(String text) {
    return text.length() > 40 ? text.substring(0, 37) + "..." : text;
  }

  /** A place of the text by line and column, both counted from one. */
  static Position position(String text, int offset) {
    int line = 1;
    int start = 0;
    for (int i = 0; i < offset; i++) {
      if (text.charAt(i) == '\n') {
        line++;
        start = i + 1;
      }
    }
    return new Position(line, text.codePointCount(start, offset) + 1);
  }
}
