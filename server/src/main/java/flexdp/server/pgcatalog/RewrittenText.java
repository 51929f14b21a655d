package flexdp.server.pgcatalog;

import flexdp.server.sql.Token;
import java.util.ArrayList;
import java.util.List;

/** The text that is written, in pieces that keep their order. */
final class RewrittenText {
  private final List<String> pieces = new ArrayList<>();

  void add(Token token) {
    pieces.add(
        switch (token.kind()) {
          case STRING -> quoted(token.text());
          case QUOTED -> '"' + token.text().replace("\"", "\"\"") + '"';
          case WORD, NUMBER, SYMBOL, PARAMETER -> token.text();
        });
  }

  void raw(String text) {
    pieces.add(text);
  }

  void replaceLast(String text) {
    pieces.set(pieces.size() - 1, text);
  }

  String removeLast() {
    return pieces.removeLast();
  }

  /** Where the operand begins that was written last. */
  int operand() {
    int at = pieces.size() - 1;
    String last = pieces.get(at);
    if (last.equals(")") || last.equals("]")) {
      int depth = 0;
      for (; at > 0; at--) {
        String piece = pieces.get(at);
        depth += piece.equals(")") || piece.equals("]") ? 1 : 0;
        depth -= piece.equals("(") || piece.startsWith("[") ? 1 : 0;
        if (depth == 0) {
          break;
        }
      }
      if (at > 0 && pieces.get(at - 1).matches("(?i)[\\w.\"]+") && !isWord(pieces.get(at - 1))) {
        at--;
      }
    }
    while (at > 1 && pieces.get(at - 1).equals(".")) {
      at -= 2;
    }
    return at > 1 && pieces.get(at - 1).equals("::") ? before(at - 2) : at;
  }

  /** Words that stand before a parenthesis and call nothing. */
  private static boolean isWord(String piece) {
    return piece.matches(
        "(?i)select|and|or|not|in|when|then|else|on|where|any|all|from|as|by|case|is|like|join");
  }

  private int before(int last) {
    List<String> rest = new ArrayList<>(pieces.subList(last + 1, pieces.size()));
    pieces.subList(last + 1, pieces.size()).clear();
    int at = operand();
    pieces.addAll(rest);
    return at;
  }

  /** Whether what begins at a place is text and not a number. */
  boolean isText(int at) {
    return pieces.get(at).startsWith("'")
        || pieces.subList(at, pieces.size()).contains("||")
        || pieces.get(at).endsWith("fdx_quote_ident");
  }

  /** Whether what begins at a place is an array of the rows of a query. */
  boolean isArray(int at) {
    return pieces.get(at).equalsIgnoreCase("array") && pieces.get(at + 1).equals("(");
  }

  void wrap(int at, String head, String tail) {
    pieces.add(at, head);
    pieces.add(tail);
    // One piece, so that what follows sees one operand.
    String whole = String.join(" ", pieces.subList(at, pieces.size()));
    pieces.subList(at, pieces.size()).clear();
    pieces.add(whole);
  }

  static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  @Override
  public String toString() {
    return String.join(" ", pieces);
  }
}
