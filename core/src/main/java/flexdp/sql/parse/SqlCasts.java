package flexdp.sql.parse;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import java.util.List;
import java.util.Set;

/** Writes PostgreSQL's {@code x::type} as {@code CAST(x AS type)}. */
final class SqlCasts {
  private static final Set<String> CALLED =
      Set.of("CAST", "TRY_CAST", "SAFE_CAST", "EXTRACT", "SUBSTRING", "TRIM", "POSITION", "EXISTS");

  private SqlCasts() {}

  /**
   * Wraps the operand at the end of the output, which the {@code ::} at the index converts, and
   * returns how many tokens its type took.
   */
  static int write(List<SqlToken> tokens, int index, List<SqlToken> out) {
    SqlToken operator = tokens.get(index);
    int start = operandStart(out, out.size() - 1);
    SqlToken type = tokens.get(Math.min(index + 1, tokens.size() - 1));
    boolean named = type.kind() == SqlToken.Kind.WORD || type.kind() == SqlToken.Kind.QUOTED_NAME;
    if (start < 0 || !named) {
      throw Rejection.of(
          RejectionCode.SYNTAX,
          start < 0 ? "There is nothing before :: to convert." : "A type has to follow ::.",
          "Write CAST(value AS type).",
          operator.from());
    }
    SqlToken first = out.get(start);
    out.addAll(start, List.of(first.asKeyword("CAST"), first.asSymbol("(")));
    out.add(operator.asKeyword("AS"));
    int taken = SqlTypeNames.write(tokens, index + 1, out);
    out.add(tokens.get(index + taken).asSymbol(")"));
    return taken;
  }

  /** Where the operand that ends at an index begins; -1 if none ends there. */
  private static int operandStart(List<SqlToken> out, int end) {
    if (end < 0) {
      return -1;
    }
    SqlToken token = out.get(end);
    return switch (token.kind()) {
      case NUMBER, STRING -> literalStart(out, end);
      case QUOTED_NAME -> nameStart(out, end);
      case WORD -> token.keyword() ? keywordStart(out, end) : nameStart(out, end);
      case SYMBOL -> token.isSymbol(")") ? callStart(out, end) : -1;
      case END -> -1;
    };
  }

  private static int literalStart(List<SqlToken> out, int end) {
    boolean typed =
        end > 0
            && (out.get(end - 1).isKeyword("DATE")
                || out.get(end - 1).isKeyword("TIMESTAMP")
                || out.get(end - 1).isKeyword("TIME"));
    return typed ? end - 1 : end;
  }

  private static int nameStart(List<SqlToken> out, int end) {
    int start = end;
    while (start > 1 && out.get(start - 1).isSymbol(".")) {
      start -= 2;
    }
    return start;
  }

  private static int keywordStart(List<SqlToken> out, int end) {
    SqlToken token = out.get(end);
    if (token.isWord("NULL") || token.isWord("TRUE") || token.isWord("FALSE")) {
      return end;
    }
    if (token.isWord("END")) {
      int open = 0;
      for (int i = end; i >= 0; i--) {
        open += out.get(i).isKeyword("END") ? 1 : out.get(i).isKeyword("CASE") ? -1 : 0;
        if (open == 0) {
          return i;
        }
      }
      return -1;
    }
    boolean interval = end > 1 && out.get(end - 2).isKeyword("INTERVAL");
    return interval ? end - 2 : -1;
  }

  /** A parenthesis, with the function that it belongs to and that function's clauses. */
  private static int callStart(List<SqlToken> out, int end) {
    int open = 0;
    int at = end;
    do {
      open += out.get(at).isSymbol(")") ? 1 : out.get(at).isSymbol("(") ? -1 : 0;
    } while (open > 0 && --at >= 0);
    if (at < 1) {
      return at;
    }
    SqlToken before = out.get(at - 1);
    if (before.isKeyword("OVER") || before.isKeyword("FILTER")) {
      return operandStart(out, at - 2);
    }
    if (before.isKeyword("GROUP") && at > 1 && out.get(at - 2).isKeyword("WITHIN")) {
      return operandStart(out, at - 3);
    }
    boolean called =
        before.kind() == SqlToken.Kind.QUOTED_NAME
            || before.kind() == SqlToken.Kind.WORD
                && (!before.keyword() || CALLED.contains(before.upper()));
    return called ? nameStart(out, at - 1) : at;
  }
}
