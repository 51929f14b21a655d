package flexdp.sql.parse;

import flexdp.failure.Position;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;

/** Constructs that are recognised by their words and refused with advice. */
final class SqlRefusals {
  private SqlRefusals() {}

  /** Throws when a refused construct begins at the token; false otherwise. */
  static boolean check(SqlToken token, SqlToken prev, SqlToken next, SqlToken afterNext) {
    if (prev.isSymbol(".") || next.isSymbol(".")) {
      return false;
    }
    switch (token.upper()) {
      case "GROUPS" -> {
        if (next.isWord("UNBOUNDED")
            || next.isWord("CURRENT") && afterNext.isWord("ROW")
            || next.isWord("BETWEEN") && isFrameEnd(afterNext)
            || next.kind() == SqlToken.Kind.NUMBER && afterNext.isWord("PRECEDING")) {
          throw unsupported(
              "A window frame of GROUPS has no rule.",
              "Write ROWS, or RANGE with a distance.",
              token);
        }
      }
      case "EXCLUDE" -> {
        if (next.isWord("CURRENT") && afterNext.isWord("ROW")
            || (next.isWord("TIES") || next.isWord("GROUP")) && afterNext.isSymbol(")")) {
          throw unsupported(
              "EXCLUDE in a window frame has no rule.",
              "Leave it out, and subtract the row's own value.",
              token);
        }
      }
      case "AT" -> {
        if (next.isWord("TIME") && afterNext.isWord("ZONE")) {
          throw unsupported(
              "Conversions between time zones are not supported.",
              "Compare timestamps as they are stored.",
              token);
        }
      }
      case "TABLESAMPLE" -> {
        if (next.kind() == SqlToken.Kind.WORD || next.isSymbol("(")) {
          throw unsupported(
              "A sample of a table has no rule.", "Ask about the whole table.", token);
        }
      }
      case "PIVOT", "UNPIVOT" -> {
        if (next.isSymbol("(") && !KeywordResolution.expectsOperand(prev)) {
          throw unsupported(
              token.upper() + " has no rule.",
              token.isWord("PIVOT")
                  ? "Write one aggregate per column, as in COUNT(*) FILTER (WHERE x = 1), or GROUP"
                      + " BY x."
                  : "Write one SELECT per column, and put UNION ALL between them.",
              token);
        }
      }
      case "APPLY" -> {
        if (prev.upper().equals("CROSS") || prev.upper().equals("OUTER")) {
          throw unsupported(
              prev.upper() + " APPLY has no rule.",
              "Join a subquery that is grouped by the key: JOIN (SELECT k, COUNT(*) AS n FROM …"
                  + " GROUP BY k) x ON x.k = t.k.",
              token);
        }
      }
      case "FOR" -> {
        if (next.isWord("UPDATE") || next.isWord("SHARE")) {
          throw unsupported("Rows cannot be locked.", "Remove FOR " + next.upper() + ".", token);
        }
      }
      case "INTO" -> {
        if (!KeywordResolution.expectsOperand(prev)) {
          throw Rejection.of(
              RejectionCode.NOT_A_SELECT,
              "SELECT ... INTO writes a table.",
              "Remove INTO.",
              token.from());
        }
      }
      default -> {}
    }
    return false;
  }

  private static boolean isFrameEnd(SqlToken token) {
    return token.isWord("UNBOUNDED") || token.isWord("CURRENT");
  }

  static void topInSetOperation(ParenthesisState frame) {
    frame
        .takeTop()
        .ifPresent(
            number -> {
              throw unsupported(
                  "TOP in a part of a set operation is not supported.",
                  "Put that part in parentheses, with LIMIT " + number.text() + ".",
                  number);
            });
  }

  static void topWithTies(SqlToken after) {
    if (after.isWord("PERCENT") || after.isWord("WITH")) {
      throw unsupported(
          "TOP ... " + after.upper() + " is not supported.", "Write TOP or LIMIT only.", after);
    }
  }

  static Rejection tiesWithoutOrder(SqlToken at) {
    return unsupported("TOP … WITH TIES needs an ORDER BY.", "Add ORDER BY, or leave it out.", at);
  }

  static Rejection distinctOn(String why, SqlToken at) {
    return unsupported(
        "DISTINCT ON " + why, "Use ROW_NUMBER() OVER (PARTITION BY ... ORDER BY ...) <= 1.", at);
  }

  static Rejection computedInterval(SqlToken interval) {
    return unsupported(
        "An interval computed from values is not supported.",
        "Multiply a constant one: n * INTERVAL '1' DAY.",
        interval);
  }

  /** A parameter in a text that is asked without values, or one that nobody can give a value. */
  static Rejection openParameter(String text, int at, Position here) {
    int end = at + 1;
    while (end < text.length() && SqlCharacters.isNamePart(text.charAt(end))) {
      end++;
    }
    String name = text.substring(at + 1, end);
    boolean open = text.charAt(at) == ':' || text.charAt(at) == '$';
    return open && !name.isEmpty()
        ? Rejection.of(
            RejectionCode.SYNTAX,
            "The parameter " + text.charAt(at) + name + " has no value.",
            "Give it one (--param " + name + "=VALUE), or write the value itself.",
            here)
        : Rejection.of(
            RejectionCode.SYNTAX,
            "Parameters such as " + text.charAt(at) + " are not read.",
            "Write $1 or :name and give it a value, or write the value itself.",
            here);
  }

  private static Rejection unsupported(String sentence, String hint, SqlToken at) {
    return Rejection.of(RejectionCode.UNSUPPORTED, sentence, hint, at.from());
  }
}
