package flexdp.sql.text;

import java.util.List;
import java.util.Set;

/**
 * Tells a unit of time from a column of that name: {@code DATEDIFF(day, a, b)} has one, {@code
 * DATEDIFF(day, a)} and {@code DATE_TRUNC('month', day)} have not.
 */
final class SqlUnits {
  /** Functions of so many arguments whose first argument is a unit. */
  private static final Set<String> FIRST =
      Set.of(
          "DATEADD/3",
          "DATEDIFF/3",
          "DATE_DIFF/3",
          "DATE_ADD/3",
          "TIMESTAMPADD/3",
          "TIMESTAMPDIFF/3",
          "DATE_PART/2",
          "DATEPART/2",
          "DATE_TRUNC/2",
          "DATETRUNC/2");

  /** Functions of so many arguments whose last argument is a unit, unless the first is a string. */
  private static final Set<String> LAST =
      Set.of(
          "DATE_TRUNC/2",
          "DATETIME_TRUNC/2",
          "TIMESTAMP_TRUNC/2",
          "DATE_DIFF/3",
          "DATETIME_DIFF/3",
          "TIMESTAMP_DIFF/3");

  private SqlUnits() {}

  /** Whether a function of that name may have a unit among its arguments. */
  static boolean takesUnit(String function) {
    return function.startsWith("DATE") || function.startsWith("TIMESTAMP");
  }

  /** Whether the word at an index is the unit among the arguments of a function. */
  static boolean isUnit(List<SqlToken> tokens, int index, String function) {
    boolean first = tokens.get(index - 1).isSymbol("(") && tokens.get(index + 1).isSymbol(",");
    boolean last = tokens.get(index - 1).isSymbol(",") && tokens.get(index + 1).isSymbol(")");
    if (!first && !last || !takesUnit(function)) {
      return false;
    }
    int open = first ? index - 1 : opening(tokens, index);
    String call = function + "/" + arguments(tokens, open);
    return first
        ? FIRST.contains(call)
        : LAST.contains(call) && tokens.get(open + 1).kind() != SqlToken.Kind.STRING;
  }

  private static int opening(List<SqlToken> tokens, int index) {
    int depth = 1;
    int at = index;
    while (depth > 0 && at > 0) {
      at--;
      depth += tokens.get(at).isSymbol(")") ? 1 : tokens.get(at).isSymbol("(") ? -1 : 0;
    }
    return at;
  }

  private static int arguments(List<SqlToken> tokens, int open) {
    int depth = 1;
    int count = 1;
    for (int at = open + 1; depth > 0 && at < tokens.size(); at++) {
      depth += tokens.get(at).isSymbol("(") ? 1 : tokens.get(at).isSymbol(")") ? -1 : 0;
      count += depth == 1 && tokens.get(at).isSymbol(",") ? 1 : 0;
    }
    return count;
  }
}
