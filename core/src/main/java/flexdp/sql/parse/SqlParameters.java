package flexdp.sql.parse;

import flexdp.failure.Position;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.policy.InputDialect;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The places of a text where $1, $2 … or :name stand for values. The lexer that reads questions
 * finds them, so what it takes for a string, a name or a comment never holds one, and a constant
 * that is put into such a place cannot be read as anything else.
 *
 * @param places from left to right
 */
public record SqlParameters(String text, List<Place> places) {
  private static final int MOST = 65_535;

  /** What a number of rows follows. */
  private static final Set<String> COUNTS = Set.of("LIMIT", "OFFSET", "FIRST", "NEXT", "TOP");

  /**
   * Where a parameter stands.
   *
   * @param name a number counted from one, or a name
   * @param from its first character
   * @param to the character behind it
   * @param said the name of the type that the text gives it: by a cast, or in LIMIT and its like
   */
  public record Place(String name, int from, int to, Optional<String> said) {
    static Place named(String text, int from, int to) {
      return new Place(text.substring(from + 1, to), from, to, Optional.empty());
    }

    static Place numbered(String text, int from, int to, Position at) {
      String digits = text.substring(from + 1, to);
      int number = digits.length() > 5 ? 0 : Integer.parseInt(digits);
      if (number < 1 || number > MOST) {
        throw Rejection.of(
            RejectionCode.SYNTAX,
            "There is no parameter $" + (digits.length() > 5 ? "…" : digits) + ".",
            "Number parameters from $1.",
            at);
      }
      return new Place(String.valueOf(number), from, to, Optional.empty());
    }

    private Place saying(Optional<String> type) {
      return new Place(name, from, to, type);
    }

    /** Whether it is $1 and not :name. */
    public boolean isNumbered() {
      return Character.isDigit(name.charAt(0));
    }
  }

  public SqlParameters {
    places = List.copyOf(places);
  }

  /**
   * Finds them.
   *
   * @param dialect whose strings and escapes the text has: what stands in one is no parameter
   * @throws Rejection when the text cannot be cut into tokens, or mixes both kinds
   */
  public static SqlParameters of(String text, InputDialect dialect) {
    if (text.indexOf('$') < 0 && text.indexOf(':') < 0) {
      return new SqlParameters(text, List.of());
    }
    List<Place> places = new ArrayList<>();
    List<SqlToken> tokens = SqlTokenizer.tokens(text, Optional.of(places), dialect);
    if (places.stream().map(Place::isNumbered).distinct().count() > 1) {
      throw Rejection.of(
          RejectionCode.SYNTAX,
          "Parameters have numbers and names.",
          "Write all of them as $1, $2 … or all as :name.");
    }
    return new SqlParameters(text, said(places, tokens));
  }

  private static List<Place> said(List<Place> places, List<SqlToken> tokens) {
    List<Place> all = new ArrayList<>();
    for (int i = 0; i < tokens.size(); i++) {
      SqlToken token = tokens.get(i);
      if (token.kind() == SqlToken.Kind.NUMBER && "$:".indexOf(token.text().charAt(0)) >= 0) {
        all.add(places.get(all.size()).saying(said(tokens, i)));
      }
    }
    return all;
  }

  private static Optional<String> said(List<SqlToken> tokens, int i) {
    SqlToken next = tokens.get(i + 1);
    boolean cast = next.isSymbol("::") || next.isWord("AS") && i > 0 && opens(tokens, i - 1);
    if (cast && tokens.get(i + 2).kind() == SqlToken.Kind.WORD) {
      return Optional.of(tokens.get(i + 2).upper());
    }
    return i > 0 && COUNTS.contains(tokens.get(i - 1).upper())
        ? Optional.of("BIGINT")
        : Optional.empty();
  }

  private static boolean opens(List<SqlToken> tokens, int i) {
    return tokens.get(i).isSymbol("(")
        && i > 0
        && (tokens.get(i - 1).isWord("CAST") || tokens.get(i - 1).isWord("TRY_CAST"));
  }

  /** What values are wanted for: 1 to the largest number, or the names as they first appear. */
  public List<String> names() {
    if (places.isEmpty() || !places.getFirst().isNumbered()) {
      Set<String> names = new LinkedHashSet<>();
      places.forEach(place -> names.add(place.name()));
      return List.copyOf(names);
    }
    List<String> names = new ArrayList<>();
    int most = places.stream().mapToInt(place -> Integer.parseInt(place.name())).max().orElse(0);
    for (int i = 1; i <= most; i++) {
      names.add(String.valueOf(i));
    }
    return names;
  }
}
