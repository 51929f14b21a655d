package flexdp.server.session;

import flexdp.policy.ColumnSpec;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import flexdp.server.sql.Lexer;
import flexdp.server.sql.Token;
import flexdp.server.types.PgType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the types of parameters before any value is known, as clients want it: from a cast, from
 * what a parameter is compared with, or from the clause that it stands in. Otherwise it is text.
 */
final class ParameterTypes {
  private static final Set<String> COMPARISONS = Set.of("=", "<>", "!=", "<", ">", "<=", ">=");
  private static final int MOST = 65_535;

  private final List<Token> tokens;
  private final Policy policy;

  private ParameterTypes(List<Token> tokens, Policy policy) {
    this.tokens = tokens;
    this.policy = policy;
  }

  /**
   * @param declared by the client; none where it left the choice to us
   */
  static List<PgType> of(String sql, List<Optional<PgType>> declared, Policy policy) {
    return new ParameterTypes(Lexer.tokens(sql), policy).all(declared);
  }

  private List<PgType> all(List<Optional<PgType>> declared) {
    List<Optional<PgType>> types = new ArrayList<>(declared);
    for (int i = 0; i < tokens.size(); i++) {
      if (tokens.get(i).kind() != Token.Kind.PARAMETER) {
        continue;
      }
      String digits = tokens.get(i).text();
      int number = digits.length() > 5 ? 0 : Integer.parseInt(digits);
      if (number < 1 || number > MOST) {
        throw SqlError.at(
            tokens.get(i).from(), "42P02", "there is no parameter $" + shortened(digits), "");
      }
      while (types.size() < number) {
        types.add(Optional.empty());
      }
      if (types.get(number - 1).isEmpty()) {
        types.set(number - 1, at(i));
      }
    }
    return types.stream().map(t -> t.orElse(PgType.TEXT)).toList();
  }

  private static String shortened(String digits) {
    return digits.length() > 5 ? "…" : digits;
  }

  private Optional<PgType> at(int i) {
    if (symbol(i + 1, "::")) {
      return cast(i + 2);
    }
    if (word(i + 1, "as")) {
      return cast(i + 2);
    }
    if (word(i - 1, "limit")
        || word(i - 1, "offset")
        || word(i - 1, "first")
        || word(i - 1, "next")) {
      return Optional.of(PgType.INT8);
    }
    if (word(i - 1, "like") || word(i - 1, "ilike")) {
      return Optional.of(PgType.TEXT);
    }
    int start = i;
    while (symbol(start - 1, ",") || parameter(start - 1)) {
      start--;
    }
    if (symbol(start - 1, "(") && word(start - 2, "in")) {
      return operandBefore(word(start - 3, "not") ? start - 4 : start - 3);
    }
    if (word(i - 1, "between")) {
      return operandBefore(word(i - 2, "not") ? i - 3 : i - 2);
    }
    if (word(i - 1, "and") && word(i - 3, "between")) {
      return at(i - 2).or(() -> operandBefore(word(i - 4, "not") ? i - 5 : i - 4));
    }
    if (comparison(i - 1)) {
      return operandBefore(i - 2);
    }
    return comparison(i + 1) ? operandAfter(i + 2) : Optional.empty();
  }

  private Optional<PgType> cast(int i) {
    int from = word(i, "pg_catalog") && symbol(i + 1, ".") ? i + 2 : i;
    if (from >= tokens.size()) {
      return Optional.empty();
    }
    String two = from + 1 < tokens.size() ? " " + tokens.get(from + 1).text() : "";
    String name = tokens.get(from).text();
    return switch (name) {
      case "regclass", "regtype", "regproc", "regnamespace" -> Optional.of(PgType.TEXT);
      default -> PgType.named(name + two).or(() -> PgType.named(name));
    };
  }

  private Optional<PgType> operandBefore(int i) {
    if (i < 0) {
      return Optional.empty();
    }
    if (symbol(i, ")")) {
      int open = i;
      for (int depth = 0; open >= 0; open--) {
        depth += symbol(open, ")") ? 1 : symbol(open, "(") ? -1 : 0;
        if (depth == 0) {
          break;
        }
      }
      return call(open - 1, open, i);
    }
    return tokens.get(i).isName() ? column(tokens.get(i).text()) : constant(i);
  }

  private Optional<PgType> operandAfter(int i) {
    int at = i;
    while (at + 2 < tokens.size() && symbol(at + 1, ".")) {
      at += 2;
    }
    if (at >= tokens.size()) {
      return Optional.empty();
    }
    return tokens.get(at).isName() ? column(tokens.get(at).text()) : constant(at);
  }

  private Optional<PgType> constant(int i) {
    return tokens.get(i).kind() == Token.Kind.NUMBER
        ? Optional.of(PgType.NUMERIC)
        : Optional.empty();
  }

  private Optional<PgType> call(int name, int open, int close) {
    String function = name >= 0 && tokens.get(name).isName() ? tokens.get(name).text() : "";
    return switch (function) {
      case "count", "length", "char_length" -> Optional.of(PgType.INT8);
      case "sum", "extract", "date_part", "round", "floor", "ceil" -> Optional.of(PgType.NUMERIC);
      case "avg", "stddev", "variance" -> Optional.of(PgType.FLOAT8);
      case "lower", "upper", "trim", "substring", "substr", "concat" -> Optional.of(PgType.TEXT);
      case "date_trunc" -> Optional.of(PgType.TIMESTAMP);
      default -> {
        for (int i = open + 1; i < close; i++) {
          Optional<PgType> found =
              tokens.get(i).isName() ? column(tokens.get(i).text()) : Optional.empty();
          if (found.isPresent()) {
            yield found;
          }
        }
        yield Optional.empty();
      }
    };
  }

  /** The type of a column of that name, of the tables that are named first. */
  private Optional<PgType> column(String name) {
    if (name.equals("oid") || name.endsWith("relid") || name.endsWith("namespace")) {
      return Optional.of(PgType.OID);
    }
    return tokens.stream()
        .filter(Token::isName)
        .flatMap(t -> table(t.text()).stream())
        .flatMap(t -> t.columns().stream())
        .filter(c -> c.name().equalsIgnoreCase(name))
        .map(ColumnSpec::type)
        .map(PgType::of)
        .findFirst();
  }

  private Optional<Table> table(String name) {
    return policy.tables().values().stream()
        .filter(t -> lastPart(t.name()).equals(name.toLowerCase(Locale.ROOT)))
        .findFirst();
  }

  private static String lastPart(String name) {
    return name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
  }

  private boolean comparison(int i) {
    return i >= 0
        && i < tokens.size()
        && tokens.get(i).kind() == Token.Kind.SYMBOL
        && COMPARISONS.contains(tokens.get(i).text());
  }

  private boolean parameter(int i) {
    return i >= 0 && tokens.get(i).kind() == Token.Kind.PARAMETER;
  }

  private boolean word(int i, String word) {
    return i >= 0 && i < tokens.size() && tokens.get(i).is(word);
  }

  private boolean symbol(int i, String symbol) {
    return i >= 0 && i < tokens.size() && tokens.get(i).isSymbol(symbol);
  }
}
