package flexdp.server.sql;

import java.util.List;
import java.util.Set;

/**
 * Decides whether a query is about data or about the catalogue, by the relations that it names. The
 * catalogue knows nothing of any data, so a wrong guess is an error and never a leak.
 */
final class CatalogRoute {
  private static final Set<String> ENDS =
      Set.of(
          "where",
          "group",
          "having",
          "order",
          "limit",
          "offset",
          "fetch",
          "window",
          "union",
          "intersect",
          "except",
          "select",
          "on",
          "using");
  private static final Set<String> SCHEMAS = Set.of("pg_catalog", "information_schema", "flexdp");
  private static final Set<String> SERIES =
      Set.of(
          "generate_series",
          "unnest",
          "generate_subscripts",
          "current_schemas",
          "current_schema",
          "current_database",
          "version");

  private CatalogRoute() {}

  /** Whether the catalogue answers it. */
  static boolean toCatalogue(List<Token> tokens) {
    boolean named = false;
    boolean other = false;
    int depth = 0;
    boolean[] inFrom = new boolean[tokens.size() + 2];
    boolean expects = false;
    for (int i = 0; i < tokens.size(); i++) {
      Token token = tokens.get(i);
      if (token.isSymbol("(")) {
        depth++;
        inFrom[depth] = expects;
        continue;
      }
      if (token.isSymbol(")")) {
        inFrom[depth] = false;
        depth = Math.max(0, depth - 1);
        expects = false;
        continue;
      }
      if (token.is("from") || token.is("join")) {
        boolean distinct = i > 0 && tokens.get(i - 1).is("distinct");
        inFrom[depth] = true;
        expects = !distinct;
        continue;
      }
      if (token.isSymbol(",")) {
        expects = inFrom[depth];
        continue;
      }
      if (token.kind() == Token.Kind.WORD && ENDS.contains(token.text())) {
        inFrom[depth] = token.is("on") || token.is("using");
        expects = false;
        continue;
      }
      if (expects && (token.is("lateral") || token.is("only") || token.is("rows"))) {
        continue;
      }
      if (expects && token.is("values")) {
        inFrom[depth] = false; // constants, and commas between them
        expects = false;
        continue;
      }
      if (expects && token.isName()) {
        named |= isCatalogue(tokens, i);
        other |= !isCatalogue(tokens, i) && !isSeries(tokens, i);
      }
      expects = false;
    }
    return named || !other;
  }

  private static boolean isCatalogue(List<Token> tokens, int i) {
    String name = tokens.get(i).text();
    boolean qualified = i + 1 < tokens.size() && tokens.get(i + 1).isSymbol(".");
    if (qualified) {
      return SCHEMAS.contains(name);
    }
    return name.startsWith("pg_");
  }

  /** Rows that belong to whatever stands beside them. */
  private static boolean isSeries(List<Token> tokens, int i) {
    boolean call = i + 1 < tokens.size() && tokens.get(i + 1).isSymbol("(");
    return call && SERIES.contains(tokens.get(i).text());
  }
}
