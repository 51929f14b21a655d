package flexdp.server.pgcatalog;

import flexdp.server.sql.Token;
import flexdp.server.sql.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The columns that a statement lists, as PostgreSQL names them. */
final class CatalogSelects {
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

  CatalogSelects(List<Token> tokens) {
    this.tokens = tokens;
  }

  /**
   * The names of the result's columns.
   *
   * @param found those that the database gave
   */
  static List<String> names(List<Token> tokens, List<String> found) {
    List<Item> items = new CatalogSelects(tokens).items(0);
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
    List<Item> items = new CatalogSelects(query).items(0);
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

  /**
   * The name that PostgreSQL gives a column that has none: that of the column or function that it
   * is, of the type that it is converted to, or {@code ?column?}.
   */
  static final class ExpressionName {
    private static final String NONE = "?column?";

    private static final Map<String, String> TYPES =
        Map.ofEntries(
            Map.entry("int", "int4"),
            Map.entry("integer", "int4"),
            Map.entry("bigint", "int8"),
            Map.entry("smallint", "int2"),
            Map.entry("boolean", "bool"),
            Map.entry("character", "bpchar"),
            Map.entry("char", "bpchar"),
            Map.entry("character varying", "varchar"),
            Map.entry("double precision", "float8"),
            Map.entry("real", "float4"),
            Map.entry("decimal", "numeric"),
            Map.entry("timestamp with time zone", "timestamptz"));

    private static final Set<String> TYPED =
        Set.of("date", "time", "timestamp", "interval", "text", "name", "oid", "regclass");

    private final List<Token> tokens;
    private final TokenList near;

    /**
     * How an expression is called.
     *
     * @param strong whether a conversion keeps it
     * @param next the place behind it
     */
    private record Named(Optional<String> name, boolean strong, int next) {}

    ExpressionName(List<Token> tokens) {
      this.tokens = tokens;
      this.near = new TokenList(tokens);
    }

    String name() {
      return whole().name().orElse(NONE);
    }

    /** Nothing when it is more than one operand. */
    private Named whole() {
      Named found = primary();
      while (found.next() < tokens.size()) {
        int at = found.next();
        if (near.symbol(at, "::")) {
          TypeName type = TypeName.at(tokens, at + 1);
          found = converted(found, type.name(), type.next());
        } else if (near.word(at, "collate")) {
          found =
              new Named(found.name(), found.strong(), near.symbol(at + 2, ".") ? at + 4 : at + 2);
        } else if (near.symbol(at, "[")) {
          found = new Named(found.name(), found.strong(), closing(at) + 1);
        } else if (near.symbol(at, ".") && at + 1 < tokens.size() && tokens.get(at + 1).isName()) {
          found = new Named(Optional.of(tokens.get(at + 1).text()), true, at + 2);
        } else if (near.word(at, "filter") || near.word(at, "over")) {
          found = new Named(found.name(), found.strong(), closing(at + 1) + 1);
        } else {
          return new Named(Optional.empty(), false, tokens.size());
        }
      }
      return found;
    }

    private static Named converted(Named from, String type, int next) {
      String plain = type.replaceAll("\\[\\]|\\(.*", "").strip();
      return from.strong()
          ? new Named(from.name(), true, next)
          : new Named(Optional.of(TYPES.getOrDefault(plain, plain)), false, next);
    }

    private int closing(int open) {
      int depth = 0;
      for (int i = open; i < tokens.size(); i++) {
        depth +=
            CatalogSelects.isOpen(tokens.get(i))
                ? 1
                : CatalogSelects.isClose(tokens.get(i)) ? -1 : 0;
        if (depth == 0) {
          return i;
        }
      }
      return tokens.size() - 1;
    }

    private Named primary() {
      Token first = tokens.getFirst();
      if (first.isSymbol("(")) {
        return parenthesis();
      }
      if (!first.isName()) {
        boolean constant = first.kind() != Kind.SYMBOL;
        return new Named(Optional.empty(), false, constant ? 1 : tokens.size());
      }
      if (first.kind() == Kind.WORD) {
        Optional<Named> word = word(first.text());
        if (word.isPresent()) {
          return word.get();
        }
      }
      int at = 1;
      while (near.symbol(at, ".") && at + 1 < tokens.size() && tokens.get(at + 1).isName()) {
        at += 2;
      }
      Optional<String> name = Optional.of(tokens.get(at - 1).text());
      return new Named(name, true, near.symbol(at, "(") ? closing(at) + 1 : at);
    }

    private Optional<Named> word(String word) {
      return switch (word) {
        case "null", "true", "false" -> Optional.of(new Named(Optional.empty(), false, 1));
        case "not" -> Optional.of(new Named(Optional.empty(), false, tokens.size()));
        case "case" -> Optional.of(cases());
        case "array" -> Optional.of(new Named(Optional.of("array"), true, closing(1) + 1));
        case "trim" -> {
          String side =
              near.word(2, "trailing") ? "rtrim" : near.word(2, "leading") ? "ltrim" : "btrim";
          yield Optional.of(new Named(Optional.of(side), true, closing(1) + 1));
        }
        case "cast" -> Optional.of(cast());
        default ->
            TYPED.contains(word) && tokens.size() > 1 && tokens.get(1).kind() == Kind.STRING
                ? Optional.of(new Named(Optional.of(word), false, 2))
                : Optional.empty();
      };
    }

    private Named parenthesis() {
      int close = closing(0);
      List<Token> inner = tokens.subList(1, close);
      if (!inner.isEmpty() && (inner.getFirst().is("select") || inner.getFirst().is("with"))) {
        return new Named(CatalogSelects.first(inner), true, close + 1);
      }
      if (inner.isEmpty()) {
        return new Named(Optional.empty(), false, close + 1);
      }
      Named within = new ExpressionName(inner).whole();
      return new Named(within.name(), within.strong(), close + 1);
    }

    private Named cast() {
      int close = closing(1);
      for (int i = close - 1; i > 2; i--) {
        if (tokens.get(i).is("as")) {
          Named from = new ExpressionName(tokens.subList(2, i)).whole();
          return converted(from, TypeName.at(tokens, i + 1).name(), close + 1);
        }
      }
      return new Named(Optional.empty(), false, close + 1);
    }

    /** A CASE is called like what stands behind its ELSE. */
    private Named cases() {
      int depth = 0;
      int otherwise = -1;
      int at = 0;
      for (; at < tokens.size(); at++) {
        if (tokens.get(at).is("case") || CatalogSelects.isOpen(tokens.get(at))) {
          depth++;
        } else if (CatalogSelects.isClose(tokens.get(at))) {
          depth--;
        } else if (tokens.get(at).is("else") && depth == 1) {
          otherwise = at + 1;
        } else if (tokens.get(at).is("end") && --depth == 0) {
          break;
        }
      }
      int next = Math.min(at + 1, tokens.size());
      if (otherwise > 0 && otherwise < at) {
        Named last = new ExpressionName(tokens.subList(otherwise, at)).whole();
        if (last.strong()) {
          return new Named(last.name(), true, next);
        }
      }
      return new Named(Optional.of("case"), false, next);
    }
  }
}
