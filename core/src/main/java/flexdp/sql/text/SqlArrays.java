package flexdp.sql.text;

import flexdp.policy.Wording;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * BigQuery's {@code APPROX_QUANTILES(x, 100)[OFFSET(50)]}, one of the ends of so many parts, is the
 * quantile {@code QUANTILE(x, 0.5)}; other elements of arrays have no meaning here.
 */
final class SqlArrays {
  private static final Pattern ELEMENT =
      Pattern.compile(
          "\\[[ ]*(SAFE_)?(OFFSET|ORDINAL)[ ]*\\([ ]*([0-9]{1,4})[ ]*\\)[ ]*\\]",
          Pattern.CASE_INSENSITIVE);

  private SqlArrays() {}

  /** Whether an array of constants begins: no name in brackets begins so, but in T-SQL. */
  static boolean begins(char c, Wording dialect) {
    return c == '\''
        || c == '"' && dialect.hasTextInDoubleQuotes()
        || (SqlCharacters.isDigit(c) || c == '-') && dialect != Wording.TSQL;
  }

  /** Rewrites the call that the element at an index is of; where it ends, or -1. */
  static int element(String text, int at, List<SqlToken> tokens) {
    Matcher element = ELEMENT.matcher(text).region(at, text.length());
    int size = tokens.size();
    if (text.charAt(at) != '['
        || !element.lookingAt()
        || size < 6
        || !tokens.get(size - 1).isSymbol(")")
        || tokens.get(size - 2).kind() != SqlToken.Kind.NUMBER
        || !tokens.get(size - 3).isSymbol(",")) {
      return -1;
    }
    int open = size - 1;
    for (int depth = 0; open >= 0; open--) {
      SqlToken token = tokens.get(open);
      depth += token.isSymbol(")") ? 1 : token.isSymbol("(") ? -1 : 0;
      if (depth == 0) {
        break;
      }
    }
    if (open < 1 || !tokens.get(open - 1).isWord("APPROX_QUANTILES")) {
      return -1;
    }
    BigDecimal parts = new BigDecimal(tokens.get(size - 2).text());
    boolean ordinal = element.group(2).equalsIgnoreCase("ORDINAL");
    BigDecimal part =
        new BigDecimal(element.group(3)).subtract(ordinal ? BigDecimal.ONE : BigDecimal.ZERO);
    boolean inside = parts.signum() > 0 && part.signum() >= 0 && part.compareTo(parts) <= 0;
    if (!inside) {
      return -1;
    }
    String fraction = part.divide(parts, MathContext.DECIMAL32).toPlainString();
    tokens.set(open - 1, tokens.get(open - 1).as(SqlToken.Kind.WORD, "QUANTILE"));
    tokens.set(size - 2, tokens.get(size - 2).as(SqlToken.Kind.NUMBER, fraction));
    return element.end();
  }
}
