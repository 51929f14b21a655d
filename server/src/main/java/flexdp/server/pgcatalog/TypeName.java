package flexdp.server.pgcatalog;

import flexdp.server.sql.Token;
import java.util.List;
import java.util.Set;

/**
 * The name of a type in a statement.
 *
 * @param duck what DuckDB calls it
 * @param next the place behind it
 */
record TypeName(String name, String duck, int next) {
  private static final Set<String> OBJECTS =
      Set.of(
          "regclass",
          "regtype",
          "regproc",
          "regprocedure",
          "regoperator",
          "regdictionary",
          "regnamespace",
          "regrole");

  static TypeName at(List<Token> tokens, int from) {
    int i = from;
    if (i + 2 < tokens.size() && tokens.get(i + 1).isSymbol(".")) {
      i += 2;
    }
    if (i >= tokens.size()) {
      return new TypeName("", "", i);
    }
    String name = tokens.get(i++).text();
    if (i < tokens.size() && (tokens.get(i).is("precision") || tokens.get(i).is("varying"))) {
      name += " " + tokens.get(i++).text();
    }
    if (i < tokens.size() && tokens.get(i).isSymbol("(")) {
      while (i < tokens.size() && !tokens.get(i).isSymbol(")")) {
        i++;
      }
      i = Math.min(i + 1, tokens.size());
    }
    if (i + 2 < tokens.size()
        && (tokens.get(i).is("with") || tokens.get(i).is("without"))
        && tokens.get(i + 1).is("time")) {
      i += 3;
    }
    String duck = DuckTypes.of(name.startsWith("_") ? name.substring(1) + "[]" : name);
    while (i + 1 < tokens.size()
        && tokens.get(i).isSymbol("[")
        && tokens.get(i + 1).isSymbol("]")) {
      i += 2;
      duck += "[]";
    }
    return new TypeName(name, duck, i);
  }

  /** Whether it stands for an object by its number or its name. */
  boolean isObject() {
    return OBJECTS.contains(name);
  }
}
