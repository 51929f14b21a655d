package flexdp.server.sql;

import flexdp.failure.Rejection;
import java.util.ArrayList;
import java.util.List;

/**
 * One statement of a text that may hold several.
 *
 * @param sql the whole text
 */
public record StatementText(String sql, List<Token> tokens) {
  /** Cuts at semicolons; what is empty falls out. */
  public static List<StatementText> of(String sql) {
    List<StatementText> pieces = new ArrayList<>();
    List<Token> current = new ArrayList<>();
    for (Token token : Lexer.tokens(sql)) {
      if (token.isSymbol(";")) {
        add(pieces, sql, current);
        current = new ArrayList<>();
      } else {
        current.add(token);
      }
    }
    add(pieces, sql, current);
    return List.copyOf(pieces);
  }

  /**
   * A text without comments and with one blank between its words, for people; one that cannot be
   * read is left as it is.
   */
  public static String bare(String sql) {
    try {
      StringBuilder bare = new StringBuilder();
      int end = 0;
      for (Token token : Lexer.tokens(sql)) {
        bare.append(bare.isEmpty() || token.from() == end ? "" : " ");
        bare.append(sql, token.from(), token.to());
        end = token.to();
      }
      return bare.toString();
    } catch (Rejection e) {
      return sql;
    }
  }

  private static void add(List<StatementText> pieces, String sql, List<Token> tokens) {
    if (!tokens.isEmpty()) {
      pieces.add(new StatementText(sql, List.copyOf(tokens)));
    }
  }

  String text(int from, int to) {
    return sql.substring(tokens.get(from).from(), tokens.get(to - 1).to());
  }

  int offset(int from) {
    return tokens.get(from).from();
  }
}
