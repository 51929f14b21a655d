package flexdp.server.pgcatalog;

import flexdp.server.sql.Token;
import flexdp.server.sql.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The tokens of a statement, with what is asked about their neighbours. */
final class TokenList {
  private final List<Token> tokens;

  TokenList(List<Token> tokens) {
    this.tokens = tokens;
  }

  /** A function in FROM gives its alias to its column too. */
  void named(int i) {
    int before = symbol(i - 1, ".") ? i - 3 : i - 1;
    boolean from =
        word(before, "from")
            || word(before, "join")
            || word(before, "lateral")
            || symbol(before, ",");
    int alias = closing(i + 1) + 1;
    alias += word(alias, "as") ? 1 : 0;
    boolean bare =
        alias < tokens.size()
            && tokens.get(alias).isName()
            && !Set.of("where", "with", "on", "join", "left", "order", "group", "cross", "inner")
                .contains(tokens.get(alias).text())
            && !symbol(alias + 1, "(");
    if (from && bare && (!symbol(before, ",") || !word(alias - 1, "as"))) {
      Token name = tokens.get(alias);
      tokens.add(alias + 1, new Token(Kind.SYMBOL, ")", 0, 0));
      tokens.add(alias + 1, name);
      tokens.add(alias + 1, new Token(Kind.SYMBOL, "(", 0, 0));
    }
  }

  int closing(int open) {
    int depth = 0;
    for (int i = open; i < tokens.size(); i++) {
      depth += symbol(i, "(") ? 1 : symbol(i, ")") ? -1 : 0;
      if (depth == 0) {
        return i;
      }
    }
    return tokens.size() - 1;
  }

  /** The arguments of a call whose parenthesis stands at a place, when all are constants. */
  Optional<List<String>> constants(int open) {
    List<String> constants = new ArrayList<>();
    int i = open + 1;
    while (i < tokens.size() && !symbol(i, ")")) {
      Token token = tokens.get(i);
      boolean constant =
          token.kind() == Kind.STRING
              || token.kind() == Kind.NUMBER
              || token.is("true")
              || token.is("false");
      if (!constant || !symbol(i + 1, ",") && !symbol(i + 1, ")")) {
        return Optional.empty();
      }
      constants.add(token.text());
      i += symbol(i + 1, ",") ? 2 : 1;
    }
    return constants.isEmpty() ? Optional.empty() : Optional.of(constants);
  }

  /** The relation that an alias stands for. */
  String relation(String alias) {
    for (int i = 1; i < tokens.size(); i++) {
      int before = tokens.get(i - 1).is("as") ? i - 2 : i - 1;
      if (tokens.get(i).text().equals(alias) && before >= 0 && tokens.get(before).isName()) {
        String name = tokens.get(before).text();
        if (name.startsWith("pg_")) {
          return name;
        }
      }
    }
    return alias.replace("'", "");
  }

  boolean symbol(int i, String symbol) {
    return i >= 0 && i < tokens.size() && tokens.get(i).isSymbol(symbol);
  }

  boolean word(int i, String word) {
    return i >= 0 && i < tokens.size() && tokens.get(i).is(word);
  }

  /** The clause in which a token stands, not deeper: select, from, or nothing. */
  String clause(int place) {
    int depth = 0;
    for (int i = place - 1; i >= 0; i--) {
      if (symbol(i, ")")) {
        depth++;
      } else if (symbol(i, "(") && depth-- == 0) {
        return "";
      } else if (depth == 0 && (word(i, "from") || word(i, "join"))) {
        return "from";
      } else if (depth == 0 && word(i, "select")) {
        return "select";
      } else if (depth == 0 && (word(i, "where") || word(i, "on") || word(i, "by"))) {
        return "";
      }
    }
    return "";
  }
}
