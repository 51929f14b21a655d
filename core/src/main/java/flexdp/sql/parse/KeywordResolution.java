package flexdp.sql.parse;

import java.util.Set;

/**
 * Decides whether a word has its meaning in the grammar or is a name. The grammar behind has some
 * seven hundred keywords; here a word is one only where it can be nothing else, so that columns may
 * be called year, user, value, text, date, count or rank.
 */
final class KeywordResolution {
  /** Words that are names only in quotes, after AS, or next to a dot. */
  private static final Set<String> RESERVED =
      Set.of(
          "SELECT",
          "FROM",
          "WHERE",
          "HAVING",
          "JOIN",
          "ON",
          "USING",
          "AND",
          "OR",
          "NOT",
          "IN",
          "IS",
          "NULL",
          "TRUE",
          "FALSE",
          "CASE",
          "WHEN",
          "THEN",
          "ELSE",
          "BETWEEN",
          "LIKE",
          "ILIKE",
          "RLIKE",
          "UNION",
          "INTERSECT",
          "EXCEPT",
          "DISTINCT",
          "ALL",
          "AS",
          "CROSS",
          "INNER",
          "NATURAL",
          "LIMIT",
          "EXISTS",
          "WITH",
          "BY",
          "FETCH",
          "LATERAL");

  private static final Set<String> FRAME_STARTS =
      Set.of("BETWEEN", "UNBOUNDED", "CURRENT", "INTERVAL");

  private static final Set<String> COMPARISONS =
      Set.of("=", "==", "<>", "!=", "<", "<=", ">", ">=");

  private KeywordResolution() {}

  static boolean isReserved(SqlToken word) {
    return RESERVED.contains(word.upper());
  }

  /** Whether an unquoted word that stands between these tokens is a keyword. */
  static boolean isKeyword(SqlToken word, SqlToken prev, SqlToken next, ParenthesisState frame) {
    if (prev.isSymbol(".") || next.isSymbol(".") && !next.spaceBefore()) {
      return false;
    }
    if (prev.isKeyword("AS") && !frame.isCast()) {
      return false;
    }
    if (RESERVED.contains(word.upper())) {
      return true;
    }
    boolean opens = next.isSymbol("(");
    return switch (word.upper()) {
      case "GROUP" -> next.isWord("BY") || prev.isKeyword("WITHIN");
      case "ORDER", "PARTITION" -> next.isWord("BY");
      case "LEFT", "RIGHT", "FULL" ->
          next.isWord("JOIN") || next.isWord("OUTER") || next.isWord("SEMI") || next.isWord("ANTI");
      case "OUTER", "SEMI", "ANTI" -> next.isWord("JOIN");
      case "MINUS" -> next.isWord("SELECT") || next.isWord("ALL") || next.isWord("DISTINCT");
      case "OFFSET" -> next.kind() == SqlToken.Kind.NUMBER && !expectsOperand(prev);
      case "FIRST" -> prev.isKeyword("FETCH") || prev.isKeyword("NULLS");
      case "NEXT" -> prev.isKeyword("FETCH");
      case "LAST" -> prev.isKeyword("NULLS");
      case "ROW" ->
          prev.kind() == SqlToken.Kind.NUMBER
              || prev.isKeyword("CURRENT")
              || prev.isKeyword("FIRST")
              || prev.isKeyword("NEXT")
              || opens && expectsOperand(prev);
      case "ROWS", "RANGE", "GROUPS" ->
          word.isWord("ROWS") && (prev.isKeyword("FIRST") || prev.isKeyword("NEXT"))
              || prev.kind() == SqlToken.Kind.NUMBER && next.isWord("ONLY")
              || FRAME_STARTS.contains(next.upper())
              || next.kind() == SqlToken.Kind.NUMBER && frame.owner().equals("OVER")
              || prev.kind() == SqlToken.Kind.NUMBER && !opens;
      case "ONLY" -> prev.isKeyword("ROW") || prev.isKeyword("ROWS");
      case "PRECEDING", "FOLLOWING" -> !expectsOperand(prev);
      case "UNBOUNDED" -> next.isWord("PRECEDING") || next.isWord("FOLLOWING");
      case "CURRENT" -> next.isWord("ROW");
      case "RECURSIVE" -> prev.isKeyword("WITH");
      case "SYMMETRIC", "ASYMMETRIC" -> prev.isKeyword("BETWEEN");
      case "SIMILAR" -> next.isWord("TO");
      case "TO" -> prev.isKeyword("SIMILAR");
      case "ESCAPE" -> next.kind() == SqlToken.Kind.STRING;
      case "UNKNOWN" -> prev.isKeyword("IS") || prev.isKeyword("NOT");
      case "END" -> frame.inCase();
      case "CAST", "TRY_CAST", "SAFE_CAST", "EXTRACT", "SUBSTRING", "TRIM", "POSITION" -> opens;
      case "DATE", "TIME", "TIMESTAMP" -> next.kind() == SqlToken.Kind.STRING;
      case "VALUES" -> opens || next.isWord("ROW");
      case "UNNEST" -> opens;
      case "TABLE" -> prev.isSymbol("(") || prev.kind() == SqlToken.Kind.END || opens;
      case "OVER" -> (prev.isSymbol(")") || prev.isKeyword("NULLS")) && !next.isEnd();
      case "FILTER" -> prev.isSymbol(")") && opens;
      case "WITHIN" -> next.isWord("GROUP");
      case "IGNORE", "RESPECT" -> next.isWord("NULLS");
      case "NULLS" ->
          next.isWord("FIRST")
              || next.isWord("LAST")
              || prev.isKeyword("IGNORE")
              || prev.isKeyword("RESPECT");
      case "ASC", "DESC" -> !expectsOperand(prev);
      case "GROUPING" -> next.isWord("SETS");
      case "SETS" -> prev.isKeyword("GROUPING");
      case "ROLLUP", "CUBE" -> opens && frame.inGroupBy();
      case "QUALIFY" -> !expectsOperand(prev) && !next.isSymbol(",") && !next.isEnd();
      case "WINDOW" ->
          !expectsOperand(prev) && next.kind() == SqlToken.Kind.WORD && !next.isWord("FROM");
      case "ANY", "SOME" -> opens && COMPARISONS.contains(prev.text());
      case "FOR" -> frame.owner().equals("SUBSTRING");
      case "BOTH", "LEADING", "TRAILING" -> prev.isSymbol("(") && frame.owner().equals("TRIM");
      default -> false;
    };
  }

  /** Whether an expression, or the name of a table, has to follow. */
  static boolean expectsOperand(SqlToken prev) {
    return switch (prev.kind()) {
      case SYMBOL -> !prev.isSymbol(")") && !prev.isSymbol("*");
      case END -> true;
      case WORD ->
          prev.keyword()
              && switch (prev.upper()) {
                case "SELECT",
                    "DISTINCT",
                    "ALL",
                    "BY",
                    "WHERE",
                    "HAVING",
                    "ON",
                    "AND",
                    "OR",
                    "NOT",
                    "WHEN",
                    "THEN",
                    "ELSE",
                    "CASE",
                    "IN",
                    "LIKE",
                    "ILIKE",
                    "BETWEEN",
                    "FROM",
                    "JOIN",
                    "QUALIFY",
                    "LIMIT" ->
                    true;
                default -> false;
              };
      case QUOTED_NAME, STRING, NUMBER -> false;
    };
  }
}
