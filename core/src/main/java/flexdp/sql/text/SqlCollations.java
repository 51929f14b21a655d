package flexdp.sql.text;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * {@code x COLLATE name}. Text is compared by its bytes everywhere, so a collation that does just
 * that changes nothing and is left out; every other one, such as one that pads with spaces, would.
 */
final class SqlCollations {
  private static final Set<String> BY_CODE_POINT =
      Set.of(
          "c",
          "posix",
          "c.utf-8",
          "c.utf8",
          "ucs_basic",
          "binary",
          "utf8mb4_nopad_bin",
          "utf8mb4_0900_bin");

  private SqlCollations() {}

  /** How many tokens a COLLATE clause takes that begins here; 0 if none does. */
  static int length(List<SqlToken> tokens, int at, SqlToken last) {
    if (!tokens.get(at).isWord("COLLATE")
        || last.isKeyword("AS")
        || SqlWords.expectsOperand(last)) {
      return 0;
    }
    int length = 1;
    while (isName(tokens.get(at + length))) {
      if (!tokens.get(at + length + 1).isSymbol(".")) {
        return length + 1;
      }
      length += 2;
    }
    return 0;
  }

  private static boolean isName(SqlToken token) {
    return token.kind() == SqlToken.Kind.QUOTED_NAME
        || token.kind() == SqlToken.Kind.WORD && !SqlWords.isReserved(token);
  }

  /** T-SQL's collations that tell letters apart by accents, and not by case. */
  static boolean ignoresCase(SqlToken name) {
    return name.text().matches("(?i)(SQL_)?Latin1_General(_100|_CP1)?_CI_AS");
  }

  static void requireByCodePoint(List<SqlToken> tokens, int at, int length) {
    SqlToken name = tokens.get(at + length - 1);
    if (!BY_CODE_POINT.contains(name.text().toLowerCase(Locale.ROOT))) {
      throw Rejection.of(
          RejectionCode.UNSUPPORTED,
          "Text is compared by its bytes, not by the collation " + name.shown() + ".",
          "Leave COLLATE out, or compare LOWER(x).",
          tokens.get(at).from());
    }
  }
}
