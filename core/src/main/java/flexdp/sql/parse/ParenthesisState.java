package flexdp.sql.parse;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import java.util.Optional;

/** What is known inside one pair of parentheses while tokens are rewritten. */
final class ParenthesisState {
  static final int MAX_OPERATORS = 2_000;
  static final int MAX_LINKS = 200;

  private final String owner;
  private int cases;
  private int groupBy = -1;
  private SqlToken top;
  private boolean from;
  private int operators;
  private int links;

  /**
   * @param owner the word before the parenthesis in upper case, empty if there is none
   */
  ParenthesisState(String owner) {
    this.owner = owner;
  }

  String owner() {
    return owner;
  }

  boolean isCast() {
    return owner.equals("CAST") || owner.equals("TRY_CAST") || owner.equals("SAFE_CAST");
  }

  /**
   * Counts a token towards the length of its chain of operators, or of joins and set operations.
   * The grammar's time grows with the square of a chain and its stack with the length, so a chain
   * has to be refused before the grammar sees it.
   */
  void count(SqlToken token) {
    if (token.kind() == SqlToken.Kind.SYMBOL) {
      if (token.isSymbol(",") && !from) {
        operators = 0;
      } else if (token.isSymbol(",")) {
        links++;
      } else if (!token.isSymbol(".") && !token.isSymbol("(") && !token.isSymbol(")")) {
        operators++;
      }
    } else if (token.keyword()) {
      switch (token.upper()) {
        case "FROM" -> from = !owner.equals("EXTRACT") && !owner.equals("TRIM");
        case "SELECT", "WHERE", "GROUP", "HAVING", "ORDER", "QUALIFY" -> {
          from = false;
          operators = 0;
        }
        case "ON", "WHEN" -> operators = 0;
        case "JOIN", "UNION", "INTERSECT", "EXCEPT", "MINUS" -> links++;
        case "AND", "OR", "NOT", "IS", "IN", "LIKE", "ILIKE", "RLIKE", "SIMILAR" -> operators++;
        default -> {}
      }
    }
    if (operators > MAX_OPERATORS || links > MAX_LINKS) {
      throw Rejection.of(
          RejectionCode.TOO_COMPLEX,
          operators > MAX_OPERATORS
              ? "More than " + MAX_OPERATORS + " operators stand in one expression."
              : "More than " + MAX_LINKS + " tables or queries are combined.",
          "Use IN (...) for many values, or a public table.",
          token.from());
    }
  }

  void openCase() {
    cases++;
  }

  void closeCase() {
    cases--;
  }

  boolean inCase() {
    return cases > 0;
  }

  /** Notes where the items of GROUP BY begin in the output. */
  void startGroupBy(int index) {
    groupBy = index;
  }

  void endGroupBy() {
    groupBy = -1;
  }

  boolean inGroupBy() {
    return groupBy >= 0 || owner.equals("SETS");
  }

  int groupByStart() {
    return groupBy;
  }

  void limitTo(SqlToken count) {
    top = count;
  }

  /** The number of TOP, which is still to be written as FETCH at the end of the query. */
  Optional<SqlToken> takeTop() {
    Optional<SqlToken> taken = Optional.ofNullable(top);
    top = null;
    return taken;
  }
}
