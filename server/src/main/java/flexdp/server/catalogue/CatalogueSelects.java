package flexdp.server.catalogue;

import flexdp.server.sql.Token;
import flexdp.server.sql.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The columns that a statement lists, as PostgreSQL names them. */
final class CatalogueSelects {
  private static final Set<String> ENDS =
      Set.of(
          ("from where group having order limit union intersect except window fetch offset for into"
                  + " with")
              .split(" "));

  /** Words that stand at the end of an expression and are no alias. */
  private static final Set<String> LAST =
      Set.of("null true false end precision varying zone isnull notnull unknown day".split(" "));

  /** Words after which a name is a part of the expression. */
  private static final Set<String> JOINING =
      Set.of(
          ("and or not is in like ilike between collate from distinct when then else select case as"
                  + " operator any all some similar to escape at time interval date timestamp double"
                  + " character")
              .split(" "));

  private final List<Token> tokens;

  /** One of the columns; a star has no name. */
  private record Item(Optional<String> name) {}

  CatalogueSelects(List<Token> tokens) {
    this.tokens = tokens;
  }

  /**
   * The names of the result's columns.
   *
   * @param found those that the database gave
   */
  static List<String> names(List<Token> tokens, List<String> found) {
    List<Item> items = new CatalogueSelects(tokens).items(0);
    long stars = items.stream().filter(i -> i.name().isEmpty()).count();
    if (stars == 0 ? items.size() != found.size() : stars > 1 || found.size() < items.size() - 1) {
      return found;
    }
    List<String> names = new ArrayList<>(found);
    for (int i = 0; i < items.size() && items.get(i).name().isPresent(); i++) {
      names.set(i, items.get(i).name().get());
    }
    for (int i = 1; i <= items.size() && items.get(items.size() - i).name().isPresent(); i++) {
      names.set(found.size() - i, items.get(items.size() - i).name().get());
    }
    return names;
  }

  /** The name of the first column of a query in parentheses, or of a whole statement. */
  static Optional<String> first(List<Token> query) {
    List<Item> items = new CatalogueSelects(query).items(0);
    return items.isEmpty() ? Optional.empty() : items.getFirst().name();
  }

  private List<Item> items(int from) {
    int start = from;
    while (start < tokens.size() && tokens.get(start).isSymbol("(")) {
      start++;
    }
    int at = afterSelect(start);
    List<Item> items = new ArrayList<>();
    int depth = 0;
    int begin = at;
    for (; at < tokens.size(); at++) {
      Token token = tokens.get(at);
      if (isOpen(token)) {
        depth++;
      } else if (isClose(token)) {
        depth--;
      }
      boolean here = depth == 0 && !(at > begin && tokens.get(at - 1).isSymbol("."));
      if (depth < 0 || here && token.kind() == Kind.WORD && ENDS.contains(token.text())) {
        break;
      }
      if (here && token.isSymbol(",")) {
        items.add(item(tokens.subList(begin, at)));
        begin = at + 1;
      }
    }
    if (begin < at) {
      items.add(item(tokens.subList(begin, Math.min(at, tokens.size()))));
    }
    return items;
  }

  /** The place behind the main SELECT and its DISTINCT. */
  private int afterSelect(int start) {
    int depth = 0;
    for (int i = start; i < tokens.size(); i++) {
      depth += isOpen(tokens.get(i)) ? 1 : isClose(tokens.get(i)) ? -1 : 0;
      if (depth == 0 && tokens.get(i).is("select")) {
        int next = i + 1;
        if (next < tokens.size() && tokens.get(next).is("all")) {
          return next + 1;
        }
        if (next < tokens.size() && tokens.get(next).is("distinct")) {
          boolean on = next + 1 < tokens.size() && tokens.get(next + 1).is("on");
          return on ? new TokenList(tokens).closing(next + 2) + 1 : next + 1;
        }
        return next;
      }
    }
    return tokens.size();
  }

  private static Item item(List<Token> item) {
    if (item.isEmpty() || item.getLast().isSymbol("*") && isStar(item)) {
      return new Item(Optional.empty());
    }
    return new Item(Optional.of(alias(item).orElseGet(() -> new ExpressionName(item).name())));
  }

  private static boolean isStar(List<Token> item) {
    return item.size() == 1 || item.get(item.size() - 2).isSymbol(".");
  }

  private static Optional<String> alias(List<Token> item) {
    Token last = item.getLast();
    if (item.size() < 2 || !last.isName()) {
      return Optional.empty();
    }
    Token before = item.get(item.size() - 2);
    if (before.is("as")) {
      return Optional.of(last.text());
    }
    if (last.kind() == Kind.WORD && LAST.contains(last.text())) {
      return Optional.empty();
    }
    boolean operand =
        switch (before.kind()) {
          case STRING, NUMBER, PARAMETER, QUOTED -> true;
          case SYMBOL -> isClose(before);
          case WORD -> !JOINING.contains(before.text());
        };
    return operand ? Optional.of(last.text()) : Optional.empty();
  }

  static boolean isOpen(Token token) {
    return token.isSymbol("(") || token.isSymbol("[");
  }

  static boolean isClose(Token token) {
    return token.isSymbol(")") || token.isSymbol("]");
  }
}
