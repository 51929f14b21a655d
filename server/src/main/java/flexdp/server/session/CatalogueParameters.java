package flexdp.server.session;

import flexdp.server.sql.Token;
import flexdp.server.types.PgType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The types of parameters in queries of the catalogue: from a cast, from the clause, or from a
 * column that holds numbers of objects. Otherwise it is text.
 */
final class CatalogueParameters {
  private static final Set<String> COMPARISONS = Set.of("=", "<>", "!=", "<", ">", "<=", ">=");
  private static final Set<String> COUNTS = Set.of("limit", "offset", "first", "next");
  private static final int MOST = 65_535;

  private final List<Token> tokens;

  /** A parameter whose list was looked at, and where that begins: a list is read once. */
  private int listed = -1;

  private int first = -1;

  private CatalogueParameters(List<Token> tokens) {
    this.tokens = tokens;
  }

  /**
   * @param declared by the client; none where it left the choice to us
   */
  static List<PgType> of(List<Token> tokens, List<Optional<PgType>> declared) {
    return new CatalogueParameters(tokens).all(declared);
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
        String shown = digits.length() > 5 ? "…" : digits;
        throw SqlError.at(tokens.get(i).from(), "42P02", "there is no parameter $" + shown, "");
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

  private Optional<PgType> at(int i) {
    if (symbol(i + 1, "::") || word(i + 1, "as")) {
      return cast(i + 2);
    }
    if (i > 0 && COUNTS.stream().anyMatch(tokens.get(i - 1)::is)) {
      return Optional.of(PgType.INT8);
    }
    int start = i;
    while (start != listed && (symbol(start - 1, ",") || parameter(start - 1))) {
      start--;
    }
    start = start == listed ? first : start;
    listed = i;
    first = start;
    if (symbol(start - 1, "(") && word(start - 2, "in")) {
      return column(word(start - 3, "not") ? start - 4 : start - 3);
    }
    if (symbol(i - 1, "(") && (word(i - 2, "any") || word(i - 2, "all")) && comparison(i - 3)) {
      return PgType.of(column(i - 4).orElse(PgType.TEXT).array());
    }
    if (comparison(i - 1)) {
      return column(i - 2);
    }
    int after = i + 2;
    while (symbol(after + 1, ".")) {
      after += 2;
    }
    return comparison(i + 1) ? column(after) : Optional.empty();
  }

  private Optional<PgType> cast(int i) {
    int from = word(i, "pg_catalog") && symbol(i + 1, ".") ? i + 2 : i;
    if (from >= tokens.size()) {
      return Optional.empty();
    }
    String two = from + 1 < tokens.size() ? " " + tokens.get(from + 1).text() : "";
    String name = tokens.get(from).text();
    // In quotes, or with its schema, it is the type of one byte.
    boolean byteLong =
        name.equals("char") && (from > i || tokens.get(i).kind() == Token.Kind.QUOTED);
    return switch (name) {
      case "regclass", "regtype", "regproc", "regnamespace" -> Optional.of(PgType.TEXT);
      default -> {
        Optional<PgType> one =
            byteLong
                ? Optional.of(PgType.CHAR)
                : PgType.named(name + two).or(() -> PgType.named(name));
        boolean many = symbol(from + 1, "[") && symbol(from + 2, "]");
        yield many ? one.flatMap(t -> PgType.of(t.array())) : one;
      }
    };
  }

  private Optional<PgType> column(int i) {
    if (i < 0 || i >= tokens.size() || !tokens.get(i).isName()) {
      return Optional.empty();
    }
    String name = tokens.get(i).text();
    return name.equals("oid") || name.endsWith("relid") || name.endsWith("namespace")
        ? Optional.of(PgType.OID)
        : Optional.empty();
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
