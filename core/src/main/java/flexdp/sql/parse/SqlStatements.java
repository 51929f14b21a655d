package flexdp.sql.parse;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;

/** Checks that a text is one query, and that its parentheses match. */
final class SqlStatements {
  private static final Set<String> WRITES =
      Set.of("INSERT", "UPDATE", "DELETE", "MERGE", "UPSERT", "REPLACE");

  private static final Set<String> OTHERS =
      Set.of(
          "ALTER",
          "ANALYZE",
          "ANALYSE",
          "ATTACH",
          "BEGIN",
          "CALL",
          "CHECKPOINT",
          "CLUSTER",
          "COMMENT",
          "COMMIT",
          "COPY",
          "CREATE",
          "DEALLOCATE",
          "DECLARE",
          "DESC",
          "DESCRIBE",
          "DETACH",
          "DISCARD",
          "DO",
          "DROP",
          "EXEC",
          "EXECUTE",
          "EXPLAIN",
          "EXPORT",
          "FETCH",
          "GRANT",
          "IMPORT",
          "INSTALL",
          "KILL",
          "LISTEN",
          "LOAD",
          "LOCK",
          "NOTIFY",
          "OPTIMIZE",
          "PRAGMA",
          "PREPARE",
          "REFRESH",
          "REINDEX",
          "RELEASE",
          "RENAME",
          "RESET",
          "REVOKE",
          "ROLLBACK",
          "SAVEPOINT",
          "SET",
          "SHOW",
          "START",
          "SUMMARIZE",
          "TRUNCATE",
          "UNLOCK",
          "UNLOAD",
          "USE",
          "VACUUM",
          "PIVOT",
          "UNPIVOT");

  private SqlStatements() {}

  /** The tokens of the only statement, without its semicolon. */
  static List<SqlToken> only(List<SqlToken> tokens) {
    SqlToken end = tokens.getLast();
    int length = tokens.size() - 1;
    while (length > 0 && tokens.get(length - 1).isSymbol(";")) {
      length--;
    }
    int start = 0;
    while (start < length && tokens.get(start).isSymbol(";")) {
      start++;
    }
    List<SqlToken> statement = tokens.subList(start, length);
    if (statement.isEmpty()) {
      throw Rejection.of(
          RejectionCode.SYNTAX,
          "There is no query in the text.",
          "Write a query such as SELECT COUNT(*) FROM trips.",
          end.from());
    }
    for (SqlToken token : statement) {
      if (token.isSymbol(";")) {
        throw Rejection.of(
            RejectionCode.MULTIPLE_STATEMENTS,
            "The text holds more than one statement.",
            "Send one query at a time.",
            token.from());
      }
    }
    checkIsQuery(statement);
    checkParentheses(statement);
    List<SqlToken> whole = new java.util.ArrayList<>(statement);
    whole.add(end);
    return whole;
  }

  private static void checkIsQuery(List<SqlToken> statement) {
    int first = 0;
    while (first < statement.size() - 1 && statement.get(first).isSymbol("(")) {
      first++;
    }
    SqlToken word = statement.get(first);
    if (word.kind() == SqlToken.Kind.WORD
        && (WRITES.contains(word.upper()) || OTHERS.contains(word.upper()))) {
      throw notSelect(word);
    }
    if (word.isWord("FROM")) {
      throw Rejection.of(
          RejectionCode.SYNTAX,
          "A query begins with SELECT.",
          "Write SELECT ... before FROM.",
          word.from());
    }
    if (!word.isWord("SELECT")
        && !word.isWord("WITH")
        && !word.isWord("VALUES")
        && !word.isWord("TABLE")) {
      throw Rejection.of(
          RejectionCode.SYNTAX,
          "A query cannot begin with " + word.shown() + ".",
          SpellingSuggestion.nearest(word, List.of("SELECT", "WITH", "VALUES"))
              .map(near -> "Did you mean " + near + "?")
              .orElse("Begin with SELECT."),
          word.from());
    }
    checkNothingWritten(statement, word.isWord("WITH"));
  }

  /** INSERT, UPDATE and DELETE hidden in a WITH. */
  private static void checkNothingWritten(List<SqlToken> statement, boolean with) {
    for (int i = 1; with && i < statement.size() - 1; i++) {
      SqlToken word = statement.get(i);
      SqlToken next = statement.get(i + 1);
      boolean begins = statement.get(i - 1).isSymbol("(") || statement.get(i - 1).isSymbol(")");
      if (begins
          && word.kind() == SqlToken.Kind.WORD
          && WRITES.contains(word.upper())
          && next.kind() == SqlToken.Kind.WORD) {
        throw notSelect(word);
      }
    }
  }

  private static Rejection notSelect(SqlToken word) {
    return Rejection.of(
        RejectionCode.NOT_A_SELECT,
        word.upper() + " is not a question about the data.",
        "Only queries that begin with SELECT or WITH are answered.",
        word.from());
  }

  private static void checkParentheses(List<SqlToken> statement) {
    Deque<SqlToken> open = new ArrayDeque<>();
    for (SqlToken token : statement) {
      if (token.isSymbol("(")) {
        open.push(token);
      } else if (token.isSymbol(")") && open.poll() == null) {
        throw Rejection.of(
            RejectionCode.SYNTAX,
            "This closing parenthesis has no opening one.",
            "Remove it.",
            token.from());
      }
    }
    if (!open.isEmpty()) {
      throw Rejection.of(
          RejectionCode.SYNTAX,
          "This parenthesis is never closed.",
          "Add the missing ).",
          open.peek().from());
    }
  }
}
