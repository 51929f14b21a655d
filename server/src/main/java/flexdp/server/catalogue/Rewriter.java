package flexdp.server.catalogue;

import flexdp.server.session.Catalogue.Visitor;
import flexdp.server.session.Settings;
import flexdp.server.session.SqlError;
import flexdp.server.sql.Token;
import flexdp.server.sql.Token.Kind;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Writes a client's statement about the catalogue as DuckDB reads it: PostgreSQL's schemas under
 * other names, its functions as macros, its types as those that DuckDB has. It works on tokens;
 * every string and name is quoted anew.
 */
final class Rewriter {
  /** Functions that the catalogue has macros for. */
  private static final Set<String> FUNCTIONS = Macros.names();

  private final List<Token> in;
  private final Visitor visitor;
  private final boolean effects;
  private final List<Token> out = new ArrayList<>();

  /**
   * @param effects whether set_config sets something
   */
  Rewriter(List<Token> tokens, List<Object> values, Visitor visitor, boolean effects) {
    this.visitor = visitor;
    this.effects = effects;
    this.in = new ArrayList<>();
    for (Token token : tokens) {
      in.add(token.kind() == Kind.PARAMETER ? value(token, values) : token);
    }
  }

  private static Token value(Token token, List<Object> values) {
    int number = Integer.parseInt(token.text());
    if (number > values.size()) {
      throw SqlError.at(token.from(), "42P02", "there is no parameter $" + number, "");
    }
    return switch (values.get(number - 1)) {
      case null -> new Token(Kind.WORD, "null", token.from(), token.to());
      case BigDecimal d when d.signum() >= 0 ->
          new Token(Kind.NUMBER, d.toPlainString(), token.from(), token.to());
      case Boolean b -> new Token(Kind.WORD, b.toString(), token.from(), token.to());
      case Object other -> new Token(Kind.STRING, other.toString(), token.from(), token.to());
    };
  }

  String sql() {
    for (int i = 0; i < in.size(); ) {
      i = one(i);
    }
    StringBuilder text = new StringBuilder();
    for (Token token : out) {
      text.append(written(token)).append(' ');
    }
    return text.toString();
  }

  private static String written(Token token) {
    return switch (token.kind()) {
      case STRING -> quoted(token.text());
      case QUOTED -> '"' + token.text().replace("\"", "\"\"") + '"';
      case WORD, NUMBER, SYMBOL, PARAMETER -> token.text();
    };
  }

  /** Takes the token at a place, and gives the place of the next one. */
  private int one(int i) {
    Token token = in.get(i);
    if (!token.isName()) {
      out.add(token);
      return i + 1;
    }
    if (symbol(i + 1, ".") && i + 2 < in.size()) {
      Optional<Integer> next = qualified(i);
      if (next.isPresent()) {
        return next.get();
      }
    }
    boolean part = symbol(i - 1, ".");
    if (!part && symbol(i + 1, "(")) {
      return function(i);
    }
    if (!part && token.kind() == Kind.WORD) {
      switch (token.text()) {
        case "current_user", "session_user", "current_role", "user" -> {
          string(visitor.user());
          return i + 1;
        }
        case "current_catalog" -> {
          string(visitor.database());
          return i + 1;
        }
        case "current_schema" -> {
          string("public");
          return i + 1;
        }
        default -> {}
      }
    }
    out.add(token);
    return i + 1;
  }

  private Optional<Integer> qualified(int i) {
    switch (in.get(i).text()) {
      case "flexdp" -> {
        word("temp.main.fdx_" + in.get(i + 2).text());
        return Optional.of(i + 3);
      }
      case "pg_catalog" -> {
        if (symbol(i + 3, "(")) {
          return Optional.of(function(i + 2));
        }
        word("pgc." + in.get(i + 2).text());
        return Optional.of(i + 3);
      }
      case "information_schema" -> {
        word("pgi." + in.get(i + 2).text());
        return Optional.of(i + 3);
      }
      default -> {
        return Optional.empty();
      }
    }
  }

  /** A call whose name stands at a place. */
  private int function(int i) {
    String name = in.get(i).text();
    Optional<List<String>> constants = constants(i + 1);
    switch (name) {
      case "version" -> {
        string("PostgreSQL " + Settings.VERSION);
        return i + 3;
      }
      case "current_database" -> {
        string(visitor.database());
        return i + 3;
      }
      case "current_schema" -> {
        string("public");
        return i + 3;
      }
      case "current_setting" -> {
        if (constants.isPresent()) {
          return setting(i, constants.get());
        }
      }
      case "set_config" -> {
        if (constants.isPresent() && constants.get().size() == 3) {
          if (effects) {
            visitor.settings().set(constants.get().get(0), Optional.of(constants.get().get(1)));
          }
          string(constants.get().get(1));
          return i + 8;
        }
      }
      default -> {}
    }
    out.add(
        FUNCTIONS.contains(name)
            ? new Token(Kind.WORD, "pgc.fdx_" + name, in.get(i).from(), in.get(i).to())
            : in.get(i));
    return i + 1;
  }

  private int setting(int i, List<String> constants) {
    Optional<String> value = visitor.settings().value(constants.getFirst());
    boolean lenient = constants.size() > 1 && constants.get(1).startsWith("t");
    if (value.isEmpty() && !lenient) {
      throw SqlError.at(
          in.get(i).from(),
          "42704",
          "unrecognized configuration parameter \"" + constants.getFirst() + "\"",
          "");
    }
    value.ifPresentOrElse(this::string, () -> word("NULL"));
    return i + 2 + constants.size() * 2;
  }

  /** The arguments of a call whose parenthesis stands at a place, when all are constants. */
  private Optional<List<String>> constants(int open) {
    List<String> constants = new ArrayList<>();
    int i = open + 1;
    while (i < in.size() && !symbol(i, ")")) {
      Token token = in.get(i);
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

  private boolean symbol(int i, String symbol) {
    return i >= 0 && i < in.size() && in.get(i).isSymbol(symbol);
  }

  private void word(String text) {
    out.add(new Token(Kind.WORD, text, 0, 0));
  }

  private void string(String text) {
    out.add(new Token(Kind.STRING, text, 0, 0));
  }

  static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }
}
