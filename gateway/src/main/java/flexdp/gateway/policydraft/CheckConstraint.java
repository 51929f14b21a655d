package flexdp.gateway.policydraft;

import flexdp.gateway.policydraft.CheckConstraint.CheckTokens.Kind;
import flexdp.gateway.policydraft.CheckConstraint.CheckTokens.Token;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads what a CHECK constraint proves: a conjunction of comparisons of a bare column with
 * constants, BETWEEN, IN, and IS NOT NULL. Whatever else stands in it proves nothing, and a
 * constraint that is not understood to its end proves nothing at all.
 */
final class CheckConstraint {
  private static final Set<String> TEXT_TYPES = Set.of("text", "varchar", "character", "bpchar");

  /** A part that is not one of our shapes. */
  private static final class NotUnderstood extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotUnderstood() {
      super(null, null, false, false);
    }
  }

  private sealed interface Operand {
    record Column(String name) implements Operand {}

    record Constant(Object value) implements Operand {}
  }

  private final List<Token> tokens;
  private int at;

  private CheckConstraint(List<Token> tokens) {
    this.tokens = tokens;
  }

  static List<CheckFact> facts(String sql) {
    List<Token> tokens = CheckTokens.of(sql);
    if (tokens.isEmpty()) {
      return List.of();
    }
    CheckConstraint check = new CheckConstraint(tokens);
    try {
      check.skip("check");
      List<CheckFact> facts = new ArrayList<>();
      check.conjunction(facts);
      return check.peek().kind() == Kind.END ? List.copyOf(facts) : List.of();
    } catch (NotUnderstood e) {
      return List.of();
    }
  }

  private void conjunction(List<CheckFact> facts) {
    do {
      int start = at;
      try {
        predicate(facts);
      } catch (NotUnderstood e) {
        at = start;
        require("(");
        conjunction(facts);
        require(")");
      }
    } while (skip("and"));
  }

  private void predicate(List<CheckFact> facts) {
    Operand left = operand();
    if (left instanceof Operand.Column column) {
      if (skip("between")) {
        Object low = constant();
        require("and");
        Object high = constant();
        facts.add(new CheckFact.AtLeast(column.name(), low, false));
        facts.add(new CheckFact.AtMost(column.name(), high, false));
        return;
      }
      if (skip("in")) {
        require("(");
        facts.add(new CheckFact.OneOf(column.name(), constants(")")));
        return;
      }
      if (skip("is")) {
        require("not");
        require("null");
        facts.add(new CheckFact.NotNull(column.name()));
        return;
      }
    }
    String operator = next().text();
    if (operator.equals("=") && left instanceof Operand.Column column && skip("any")) {
      facts.add(new CheckFact.OneOf(column.name(), array()));
      return;
    }
    compare(left, operator, operand(), facts);
  }

  private static void compare(Operand left, String operator, Operand right, List<CheckFact> facts) {
    if (left instanceof Operand.Column column && right instanceof Operand.Constant constant) {
      facts.addAll(comparison(column.name(), operator, constant.value()));
    } else if (left instanceof Operand.Constant constant
        && right instanceof Operand.Column column) {
      String turned =
          switch (operator) {
            case "<" -> ">";
            case "<=" -> ">=";
            case ">" -> "<";
            case ">=" -> "<=";
            default -> operator;
          };
      facts.addAll(comparison(column.name(), turned, constant.value()));
    } else {
      throw new NotUnderstood();
    }
  }

  private static List<CheckFact> comparison(String column, String operator, Object value) {
    return switch (operator) {
      case "<" -> List.of(new CheckFact.AtMost(column, value, true));
      case "<=" -> List.of(new CheckFact.AtMost(column, value, false));
      case ">" -> List.of(new CheckFact.AtLeast(column, value, true));
      case ">=" -> List.of(new CheckFact.AtLeast(column, value, false));
      case "=", "==" -> List.of(new CheckFact.OneOf(column, List.of(value)));
      case "<>", "!=" -> List.of();
      default -> throw new NotUnderstood();
    };
  }

  /** PostgreSQL's spelling of IN: = ANY ((ARRAY['a'::varchar, ...])::text[]). */
  private List<Object> array() {
    int open = 0;
    while (skip("(")) {
      open++;
    }
    require("array");
    require("[");
    List<Object> values = constants("]");
    while (open > 0) {
      casts();
      require(")");
      open--;
    }
    return values;
  }

  private List<Object> constants(String end) {
    List<Object> values = new ArrayList<>();
    do {
      values.add(constant());
    } while (skip(","));
    require(end);
    return values;
  }

  private Object constant() {
    if (operand() instanceof Operand.Constant constant) {
      return constant.value();
    }
    throw new NotUnderstood();
  }

  private Operand operand() {
    Operand operand = bareOperand();
    String cast = casts();
    return checked(operand, cast);
  }

  /** A cast keeps a constant what it is; a cast column is another value unless both are text. */
  private static Operand checked(Operand operand, String cast) {
    if (operand instanceof Operand.Column && !cast.isEmpty() && !TEXT_TYPES.contains(cast)) {
      throw new NotUnderstood();
    }
    return operand;
  }

  private Operand bareOperand() {
    if (skip("(")) {
      Operand inner = operand();
      require(")");
      return inner;
    }
    if (skip("cast")) {
      require("(");
      Operand inner = operand();
      require("as");
      String type = typeName();
      require(")");
      return checked(inner, type);
    }
    boolean negative = skip("-");
    Token token = next();
    return switch (token.kind()) {
      case NUMBER -> {
        BigDecimal number = new BigDecimal(token.text());
        yield new Operand.Constant(negative ? number.negate() : number);
      }
      case TEXT -> new Operand.Constant(token.text());
      case NAME, QUOTED_NAME -> name(token, negative);
      case SIGN, END -> throw new NotUnderstood();
    };
  }

  private Operand name(Token token, boolean negative) {
    // A function, a qualified name, a logical word: none is a bare column.
    boolean reserved =
        token.kind() == Kind.NAME
            && Set.of("not", "null", "case", "true", "false", "exists")
                .contains(token.text().toLowerCase(Locale.ROOT));
    if (token.is("date") || token.is("timestamp")) {
      if (peek().kind() == Kind.TEXT) {
        return new Operand.Constant(next().text());
      }
    }
    if (negative || reserved || peek().is("(") || peek().is(".")) {
      throw new NotUnderstood();
    }
    return new Operand.Column(token.text());
  }

  /** The last type after {@code ::}, or nothing. */
  private String casts() {
    String type = "";
    while (skip("::")) {
      type = typeName();
    }
    return type;
  }

  private String typeName() {
    Token first = next();
    if (first.kind() != Kind.NAME) {
      throw new NotUnderstood();
    }
    while (peek().kind() == Kind.NAME
        && !peek().is("and")
        && !peek().is("between")
        && !peek().is("in")
        && !peek().is("is")
        && !peek().is("or")) {
      next();
    }
    if (skip("(")) {
      while (!skip(")")) {
        next();
      }
    }
    if (skip("[")) {
      require("]");
    }
    return first.text().toLowerCase(Locale.ROOT);
  }

  private Token peek() {
    return tokens.get(at);
  }

  private Token next() {
    if (peek().kind() == Kind.END) {
      throw new NotUnderstood();
    }
    return tokens.get(at++);
  }

  private boolean skip(String word) {
    if (peek().is(word)) {
      at++;
      return true;
    }
    return false;
  }

  private void require(String word) {
    if (!skip(word)) {
      throw new NotUnderstood();
    }
  }

  /** The words of a CHECK constraint, whichever way its database quotes names. */
  static final class CheckTokens {
    enum Kind {
      NAME,
      QUOTED_NAME,
      NUMBER,
      TEXT,
      SIGN,
      END
    }

    record Token(Kind kind, String text) {
      boolean is(String word) {
        return kind != Kind.TEXT && kind != Kind.QUOTED_NAME && text.equalsIgnoreCase(word);
      }
    }

    private static final Pattern TOKEN =
        Pattern.compile(
            "\\s*(?:(?<number>\\d+(?:\\.\\d*)?(?:[eE][+-]?\\d+)?|\\.\\d+)"
                + "|'(?<text>(?:[^']|'')*)'"
                + "|\"(?<double>(?:[^\"]|\"\")+)\""
                + "|`(?<back>(?:[^`]|``)+)`"
                + "|(?<name>[\\p{L}_][\\p{L}\\p{N}_$]*)"
                + "|(?<sign>::|<=|>=|<>|!=|==|[-+<>=(),\\[\\].]))");

    private CheckTokens() {}

    /** The tokens, or nothing when there is something among them that we do not know. */
    static List<Token> of(String sql) {
      List<Token> tokens = new ArrayList<>();
      Matcher matcher = TOKEN.matcher(sql);
      String rest = sql.stripTrailing();
      int at = 0;
      while (at < rest.length()) {
        if (!matcher.find(at) || matcher.start() != at) {
          return List.of();
        }
        tokens.add(token(matcher));
        at = matcher.end();
      }
      tokens.add(new Token(Kind.END, ""));
      return List.copyOf(tokens);
    }

    private static Token token(Matcher matcher) {
      if (matcher.group("number") != null) {
        return new Token(Kind.NUMBER, matcher.group("number"));
      }
      if (matcher.group("text") != null) {
        return new Token(Kind.TEXT, matcher.group("text").replace("''", "'"));
      }
      if (matcher.group("double") != null) {
        return new Token(Kind.QUOTED_NAME, matcher.group("double").replace("\"\"", "\""));
      }
      if (matcher.group("back") != null) {
        return new Token(Kind.QUOTED_NAME, matcher.group("back").replace("``", "`"));
      }
      return matcher.group("name") != null
          ? new Token(Kind.NAME, matcher.group("name"))
          : new Token(Kind.SIGN, matcher.group("sign"));
    }
  }

  /** Something that a CHECK constraint makes true of every row. NULL passes all but NotNull. */
  sealed interface CheckFact {
    String column();

    record AtLeast(String column, Object value, boolean strict) implements CheckFact {}

    record AtMost(String column, Object value, boolean strict) implements CheckFact {}

    record OneOf(String column, List<Object> values) implements CheckFact {}

    record NotNull(String column) implements CheckFact {}
  }
}
