package flexdp.server.catalogue;

import flexdp.server.sql.Token;
import java.util.List;

/**
 * Matching: PostgreSQL's ~ looks anywhere in a text where DuckDB's wants the whole of it, and LIKE
 * has a backslash to escape with.
 */
final class Patterns {
  private Patterns() {}

  /** An operator with a tilde at a place; gives the place behind what was written. */
  static int match(List<Token> in, int i, Output out) {
    String operator = in.get(i).text();
    boolean not = operator.startsWith("!");
    boolean anyCase = operator.endsWith("*");
    boolean literal = i + 1 < in.size() && in.get(i + 1).kind() == Token.Kind.STRING;
    out.raw(not ? "!~" : "~");
    if (!literal) {
      return i + 1;
    }
    String pattern = in.get(i + 1).text();
    String open = pattern.startsWith("^") ? "" : ".*";
    String close = pattern.endsWith("$") ? "" : ".*";
    out.raw(Output.quoted((anyCase ? "(?is)" : "(?s)") + open + "(" + pattern + ")" + close));
    return i + 2;
  }

  static int like(List<Token> in, int i, Output out) {
    out.add(in.get(i));
    if (i + 1 >= in.size() || in.get(i + 1).kind() != Token.Kind.STRING) {
      return i + 1;
    }
    out.add(in.get(i + 1));
    boolean escaped = i + 2 < in.size() && in.get(i + 2).is("escape");
    if (!escaped && in.get(i + 1).text().contains("\\")) {
      out.raw("ESCAPE '\\'");
    }
    return i + 2;
  }
}
