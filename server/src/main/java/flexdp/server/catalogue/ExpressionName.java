package flexdp.server.catalogue;

import flexdp.server.sql.Token;
import flexdp.server.sql.Token.Kind;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The name that PostgreSQL gives a column that has none: that of the column or function that it is,
 * of the type that it is converted to, or {@code ?column?}.
 */
final class ExpressionName {
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
        found = new Named(found.name(), found.strong(), near.symbol(at + 2, ".") ? at + 4 : at + 2);
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
          CatalogueSelects.isOpen(tokens.get(i))
              ? 1
              : CatalogueSelects.isClose(tokens.get(i)) ? -1 : 0;
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
      return new Named(CatalogueSelects.first(inner), true, close + 1);
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
      if (tokens.get(at).is("case") || CatalogueSelects.isOpen(tokens.get(at))) {
        depth++;
      } else if (CatalogueSelects.isClose(tokens.get(at))) {
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
