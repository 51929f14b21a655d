package flexdp.server.catalogue;

import flexdp.server.sql.Token;
import flexdp.server.sql.Token.Kind;
import java.util.ArrayList;
import java.util.List;

/** CAST(x AS t) written as x::t, so that there is one form. */
final class CatalogueCasts {
  private CatalogueCasts() {}

  static List<Token> shortened(List<Token> tokens) {
    List<Token> out = new ArrayList<>();
    TokenList near = new TokenList(tokens);
    for (int i = 0; i < tokens.size(); i++) {
      int as = tokens.get(i).is("cast") && near.symbol(i + 1, "(") ? as(tokens, i + 1) : -1;
      if (as < 0 || near.closing(i + 1) <= as || !near.symbol(near.closing(i + 1), ")")) {
        out.add(tokens.get(i));
        continue;
      }
      int close = near.closing(i + 1);
      List<Token> operand = shortened(tokens.subList(i + 2, as));
      if (isCastTo(operand, tokens.subList(as + 1, close))) {
        out.addAll(operand);
        i = close;
        continue;
      }
      boolean bare = operand.size() == 1;
      if (!bare) {
        out.add(tokens.get(i + 1));
      }
      out.addAll(operand);
      if (!bare) {
        out.add(tokens.get(close));
      }
      out.add(new Token(Kind.SYMBOL, "::", tokens.get(as).from(), tokens.get(as).to()));
      out.addAll(tokens.subList(as + 1, close));
      i = close;
    }
    return out;
  }

  /** Whether it is one token that is cast to a type already: to do so again changes nothing. */
  private static boolean isCastTo(List<Token> operand, List<Token> type) {
    return operand.size() == type.size() + 2
        && operand.get(1).isSymbol("::")
        && texts(operand.subList(2, operand.size())).equals(texts(type));
  }

  private static List<String> texts(List<Token> tokens) {
    return tokens.stream().map(t -> t.kind() + " " + t.text()).toList();
  }

  /** The place of the AS that belongs to a parenthesis. */
  private static int as(List<Token> tokens, int open) {
    int depth = 0;
    for (int i = open; i < tokens.size(); i++) {
      depth +=
          CatalogueSelects.isOpen(tokens.get(i))
              ? 1
              : CatalogueSelects.isClose(tokens.get(i)) ? -1 : 0;
      if (depth == 0) {
        return -1;
      }
      if (depth == 1 && tokens.get(i).is("as")) {
        return i;
      }
    }
    return -1;
  }
}
