package flexdp.sql.parse;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The constant behind LIMIT or OFFSET, taken out of its parentheses and casts: programs write
 * {@code LIMIT $1::INTEGER}, and the grammar knows bare numbers there.
 */
final class LimitConstants {
  private static final Map<String, BigDecimal> LARGEST =
      Map.of(
          "SMALLINT", BigDecimal.valueOf(Short.MAX_VALUE),
          "INT2", BigDecimal.valueOf(Short.MAX_VALUE),
          "INTEGER", BigDecimal.valueOf(Integer.MAX_VALUE),
          "INT", BigDecimal.valueOf(Integer.MAX_VALUE),
          "INT4", BigDecimal.valueOf(Integer.MAX_VALUE),
          "BIGINT", BigDecimal.valueOf(Long.MAX_VALUE),
          "INT8", BigDecimal.valueOf(Long.MAX_VALUE));

  /** Words behind which a name or an operand is expected, and no clause. */
  private static final Set<String> BEFORE_NAMES =
      Set.of(
          ("SELECT DISTINCT ALL BY AND OR NOT WHERE HAVING ON AS CASE WHEN THEN ELSE IN LIKE IS"
                  + " FROM JOIN WITH")
              .split(" "));

  private static final Set<String> BEHIND =
      Set.of("LIMIT", "OFFSET", "FETCH", "ROW", "ROWS", "UNION", "INTERSECT", "EXCEPT", "ORDER");

  private static final int DEEPEST = 4;

  /**
   * A constant and how many tokens it took.
   *
   * @param value a number, or NULL
   */
  private record Count(SqlToken value, int tokens) {
    boolean isNull() {
      return value.isWord("NULL");
    }
  }

  private final List<SqlToken> tokens;

  private LimitConstants(List<SqlToken> tokens) {
    this.tokens = tokens;
  }

  /** The text with bare numbers behind LIMIT and OFFSET. */
  static List<SqlToken> bare(List<SqlToken> tokens) {
    return new LimitConstants(tokens).all();
  }

  private List<SqlToken> all() {
    List<SqlToken> out = new ArrayList<>(tokens.size());
    for (int i = 0; i < tokens.size(); i++) {
      out.add(tokens.get(i));
      boolean offset = tokens.get(i).isWord("OFFSET");
      if (i == 0 || !offset && !tokens.get(i).isWord("LIMIT") || !endsOperand(tokens.get(i - 1))) {
        continue;
      }
      Count count = at(i + 1, 0);
      SqlToken behind = token(i + 1 + count.tokens());
      boolean ends =
          behind.isEnd()
              || behind.isSymbol(")")
              || behind.kind() == SqlToken.Kind.WORD && BEHIND.contains(behind.upper());
      if (count.tokens() > 1 && ends) {
        boolean none = offset && count.isNull(); // no offset is one of nothing
        out.add(none ? count.value().as(SqlToken.Kind.NUMBER, "0") : count.value());
        i += count.tokens();
      }
    }
    return out;
  }

  private static boolean endsOperand(SqlToken token) {
    return switch (token.kind()) {
      case WORD -> !BEFORE_NAMES.contains(token.upper());
      case QUOTED_NAME, STRING, NUMBER -> true;
      case SYMBOL -> token.isSymbol(")") || token.isSymbol("*");
      case END -> false;
    };
  }

  private Count at(int index, int depth) {
    Count count = bare(index, depth);
    while (count.tokens() > 0 && token(index + count.tokens()).isSymbol("::")) {
      count = cast(count, index + count.tokens() + 1, count.tokens() + 2);
    }
    return count;
  }

  private Count bare(int index, int depth) {
    SqlToken first = token(index);
    if (first.kind() == SqlToken.Kind.NUMBER || first.isWord("NULL")) {
      return new Count(first, 1);
    }
    if (first.kind() == SqlToken.Kind.STRING
        && token(index + 1).isSymbol("::")
        && first.text().matches("[0-9]{1,19}")) {
      return new Count(first.as(SqlToken.Kind.NUMBER, first.text()), 1);
    }
    boolean called = first.isWord("CAST") && token(index + 1).isSymbol("(");
    if (depth > DEEPEST || !called && !first.isSymbol("(")) {
      return new Count(first, 0);
    }
    int open = called ? 2 : 1;
    Count inner = at(index + open, depth + 1);
    int end = index + open + inner.tokens();
    if (inner.tokens() > 0 && called && token(end).isWord("AS") && token(end + 2).isSymbol(")")) {
      return cast(inner, end + 1, open + inner.tokens() + 3);
    }
    return inner.tokens() > 0 && !called && token(end).isSymbol(")")
        ? new Count(inner.value(), open + inner.tokens() + 1)
        : new Count(first, 0);
  }

  /** A number that its type does not hold is an error in every database. */
  private Count cast(Count count, int type, int taken) {
    BigDecimal largest = LARGEST.get(token(type).upper());
    if (largest == null) {
      return new Count(count.value(), 0);
    }
    if (!count.isNull() && !fits(count.value().text(), largest)) {
      throw Rejection.of(
          RejectionCode.TYPE_MISMATCH,
          "This is no number of rows of type " + token(type).upper() + ".",
          "Write a whole number.",
          count.value().from());
    }
    return new Count(count.value(), taken);
  }

  private static boolean fits(String number, BigDecimal largest) {
    // Parameters whose values are not known yet are tokens, too.
    return !number.matches("[0-9]{1,30}") || new BigDecimal(number).compareTo(largest) <= 0;
  }

  private SqlToken token(int index) {
    return tokens.get(Math.min(index, tokens.size() - 1));
  }
}
