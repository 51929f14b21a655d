package flexdp.sql.parse;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.policy.InputDialect;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Words and symbols that one family of databases has, before the rest is read: hints to the
 * optimizer, which change no answer and are left out; {@code &&}, {@code !} and {@code DIV} of
 * MySQL; {@code ~} of PostgreSQL as RLIKE; {@code x LIKE ANY (…)}; lists of constants in brackets.
 */
final class DialectNormalizer {
  /** A list of constants: what {@code ARRAY[1, 2]} becomes. */
  static final String LIST = "FLEXDP_LIST";

  /** Before what is divided in whole numbers: {@code a DIV b} is {@code a / FLEXDP_DIV(b)}. */
  static final String DIV = "FLEXDP_DIV";

  /** Parts the patterns of {@code LIKE ANY}; no text can hold it. */
  private static final String APART = "\0";

  private static final Set<String> AFTER_IS =
      Set.of("NULL", "NOT", "TRUE", "FALSE", "UNKNOWN", "DISTINCT", "JSON", "OF", "A", "SET");

  /** What a habit can begin with; all other words are passed on without a look at them. */
  private static final Set<String> FIRST =
      Set.of(
          "SQL_NO_CACHE",
          "STRAIGHT_JOIN",
          "FORCE",
          "USE",
          "IGNORE",
          "WITH",
          "OPTION",
          "GLOB",
          "LIKE",
          "ILIKE",
          "IN",
          "STRING_AGG",
          "GROUP_CONCAT",
          "DIV",
          "NOT",
          "IS");

  private final List<SqlToken> tokens;
  private final InputDialect dialect;
  private final List<SqlToken> out = new ArrayList<>();
  private int at;

  private DialectNormalizer(List<SqlToken> tokens, InputDialect dialect) {
    this.tokens = tokens;
    this.dialect = dialect;
  }

  static List<SqlToken> rewrite(List<SqlToken> tokens, InputDialect dialect) {
    DialectNormalizer habits = new DialectNormalizer(tokens, dialect);
    while (habits.at < tokens.size()) {
      boolean plain = !isFirst(tokens.get(habits.at));
      if (plain
          || !habits.hint()
              && !habits.pattern()
              && !habits.list()
              && !habits.ordered()
              && !habits.operator()) {
        habits.out.add(tokens.get(habits.at++));
      }
    }
    return habits.out;
  }

  private static boolean isFirst(SqlToken token) {
    return switch (token.kind()) {
      case WORD -> FIRST.contains(token.upper());
      case SYMBOL -> true;
      case QUOTED_NAME, STRING, NUMBER, END -> false;
    };
  }

  /** FORCE INDEX (…), WITH (NOLOCK), OPTION (…), SQL_NO_CACHE. */
  private boolean hint() {
    boolean select = !out.isEmpty() && out.getLast().isWord("SELECT");
    if (select && (peek(0).isWord("SQL_NO_CACHE") || peek(0).isWord("STRAIGHT_JOIN"))) {
      at++;
      return true;
    }
    boolean index =
        (peek(0).isWord("FORCE") || peek(0).isWord("USE") || peek(0).isWord("IGNORE"))
            && (peek(1).isWord("INDEX") || peek(1).isWord("KEY"))
            && peek(2).isSymbol("(");
    boolean lock = peek(0).isWord("WITH") && peek(1).isSymbol("(") && peek(2).isWord("NOLOCK");
    boolean option = peek(0).isWord("OPTION") && peek(1).isSymbol("(") && isLast(closing(at + 1));
    if (!index && !lock && !option) {
      return false;
    }
    at = closing(index ? at + 2 : at + 1) + 1;
    return true;
  }

  private boolean isLast(int index) {
    return peekAt(index + 1).isEnd();
  }

  /** {@code x ~* 'p'} is {@code x RLIKE '(?i)p'}; {@code x ILIKE ANY ('a', 'b')} likewise. */
  private boolean pattern() {
    SqlToken token = peek(0);
    boolean tilde = token.kind() == SqlToken.Kind.SYMBOL && token.text().contains("~");
    if (tilde && peek(1).kind() == SqlToken.Kind.STRING) {
      if (token.text().startsWith("!")) {
        out.add(token.asKeyword("NOT"));
      }
      String flag = token.text().endsWith("*") ? "(?i)" : "";
      out.add(token.asKeyword("RLIKE"));
      out.add(peek(1).as(SqlToken.Kind.STRING, flag + peek(1).text()));
      at += 2;
      return true;
    }
    if (token.isWord("GLOB") && peek(1).kind() == SqlToken.Kind.STRING) {
      return glob(token, peek(1).text());
    }
    boolean like = token.isWord("LIKE") || token.isWord("ILIKE");
    if (!like || !peek(1).isWord("ANY") && !peek(1).isWord("SOME") || !peek(2).isSymbol("(")) {
      return false;
    }
    StringBuilder all = new StringBuilder(token.isWord("LIKE") ? "(?like)" : "(?ilike)");
    int end = closing(at + 2);
    for (int i = at + 3; i < end; i++) {
      SqlToken part = peekAt(i);
      if (part.kind() == SqlToken.Kind.STRING) {
        all.append(APART).append(part.text());
      } else if (!part.isSymbol(",") && !isListed(i)) {
        return false;
      }
    }
    out.add(token.asKeyword("RLIKE"));
    out.add(peek(2).as(SqlToken.Kind.STRING, all.toString()));
    at = end + 1;
    return true;
  }

  /** The words around a list of constants: its name and its brackets. */
  private boolean isListed(int i) {
    boolean opens = peekAt(i).isSymbol("(") && peekAt(i - 1).isWord(LIST);
    boolean closes = peekAt(i).isSymbol(")") && peekAt(i + 1).isSymbol(")");
    return peekAt(i).isWord(LIST) || opens || closes;
  }

  /** SQLite's {@code x GLOB 'M*'}: * and ? are % and _ of LIKE; classes are left to RLIKE. */
  private boolean glob(SqlToken token, String text) {
    StringBuilder regex = new StringBuilder("^");
    for (char c : text.toCharArray()) {
      regex.append(
          switch (c) {
            case '*' -> ".*";
            case '?' -> ".";
            case '[', ']', '-' -> String.valueOf(c);
            default -> Character.isLetterOrDigit(c) ? String.valueOf(c) : "\\" + c;
          });
    }
    out.add(token.asKeyword("RLIKE"));
    out.add(peek(1).as(SqlToken.Kind.STRING, regex.append('$').toString()));
    at += 2;
    return true;
  }

  /** {@code x IN UNNEST([1, 2])} is {@code x IN (1, 2)}. */
  private boolean list() {
    if (!peek(0).isWord("IN") || !peek(1).isWord("UNNEST") || !peek(3).isWord(LIST)) {
      return false;
    }
    int end = closing(at + 4);
    out.add(peek(0));
    out.addAll(tokens.subList(at + 4, Math.min(end + 1, tokens.size())));
    at = end + 2;
    return true;
  }

  /**
   * {@code STRING_AGG(x, ', ' ORDER BY x)} and {@code GROUP_CONCAT(x ORDER BY x SEPARATOR ', ')}:
   * texts are put together in their own order anyway.
   */
  private boolean ordered() {
    boolean list = peek(0).isWord("STRING_AGG") || peek(0).isWord("GROUP_CONCAT");
    int end = list && peek(1).isSymbol("(") ? closing(at + 1) : 0;
    int order = -1;
    int separator = -1;
    for (int i = at + 2; i < end; i++) {
      order = peekAt(i).isWord("ORDER") && peekAt(i + 1).isWord("BY") ? i : order;
      separator = peekAt(i).isWord("SEPARATOR") ? i : separator;
    }
    if (order < 0 && separator < 0) {
      return false;
    }
    int first = peek(2).isWord("DISTINCT") ? at + 3 : at + 2;
    int stop = order < 0 ? separator : order;
    int size = stop - first;
    for (int i = first; i < stop; i++) {
      size = peekAt(i).isSymbol(",") ? Math.min(size, i - first) : size;
    }
    int last = separator < 0 ? end : separator;
    for (int i = 0; order >= 0 && i < Math.max(size, last - order - 2); i++) {
      if (size != last - order - 2
          || !peekAt(first + i).upper().equalsIgnoreCase(peekAt(order + 2 + i).upper())) {
        return false;
      }
    }
    out.addAll(tokens.subList(at, stop));
    if (separator >= 0) {
      out.add(peekAt(separator).asSymbol(","));
      out.add(peekAt(separator + 1));
    }
    at = end;
    return true;
  }

  private boolean operator() {
    SqlToken token = peek(0);
    if (token.isSymbol("||") && !dialect.concatenates()) {
      throw Rejection.of(
          RejectionCode.UNSUPPORTED,
          "In MySQL || means OR, elsewhere it puts text together.",
          "Write OR or CONCAT(a, b).",
          token.from());
    }
    if (dialect == InputDialect.MYSQL) {
      if (token.isSymbol("&&")) {
        return one(token.as(SqlToken.Kind.WORD, "AND"));
      }
      if (token.isSymbol("!")) {
        return one(token.as(SqlToken.Kind.WORD, "NOT"));
      }
      if (token.isWord("DIV") && !peek(1).isSymbol("(") && isOperand(-1)) {
        return div(token);
      }
    }
    boolean after = !out.isEmpty() && isOperand(-1);
    if (token.isWord("NOT") && peek(1).isWord("NULL") && after) {
      out.add(token.asKeyword("IS"));
      return one(token);
    }
    return is(token, after);
  }

  /** {@code x IS 'a'} and {@code x IS NOT 'a'} of SQLite compare as values, NULL too. */
  private boolean is(SqlToken token, boolean after) {
    boolean not = peek(1).isWord("NOT");
    SqlToken value = peek(not ? 2 : 1);
    boolean constant =
        value.kind() == SqlToken.Kind.STRING
            || value.kind() == SqlToken.Kind.NUMBER
            || value.kind() == SqlToken.Kind.WORD && !AFTER_IS.contains(value.upper());
    if (!token.isWord("IS") || !after || !constant || dialect != InputDialect.SQLITE) {
      return false;
    }
    out.add(token);
    if (!not) {
      out.add(token.as(SqlToken.Kind.WORD, "NOT"));
    }
    out.add(token.as(SqlToken.Kind.WORD, "DISTINCT"));
    out.add(token.as(SqlToken.Kind.WORD, "FROM"));
    at += not ? 2 : 1;
    return true;
  }

  /** Only before a number, a name or something in brackets, where its end is plain. */
  private boolean div(SqlToken token) {
    int end = at + 1;
    if (peek(1).isSymbol("(")) {
      end = closing(end);
    } else {
      while (peekAt(end + 1).isSymbol(".")) {
        end += 2;
      }
      if (peekAt(end + 1).isSymbol("(")) {
        end = closing(end + 1);
      }
    }
    out.add(token.asSymbol("/"));
    out.add(token.as(SqlToken.Kind.WORD, DIV));
    out.add(token.asSymbol("("));
    out.addAll(tokens.subList(at + 1, end + 1));
    out.add(token.asSymbol(")"));
    at = end + 1;
    return true;
  }

  private boolean one(SqlToken token) {
    out.add(token);
    at++;
    return true;
  }

  /** Whether what stands before ends an operand. */
  private boolean isOperand(int ahead) {
    if (out.isEmpty()) {
      return false;
    }
    SqlToken before = ahead == -1 ? out.getLast() : peek(ahead);
    return switch (before.kind()) {
      case SYMBOL -> before.isSymbol(")");
      case WORD -> !KeywordResolution.isReserved(before) || before.isWord("NULL");
      case QUOTED_NAME, STRING, NUMBER -> true;
      case END -> false;
    };
  }

  /** The index of the bracket that closes the one at an index. */
  private int closing(int open) {
    int depth = 0;
    for (int i = open; i < tokens.size(); i++) {
      depth += tokens.get(i).isSymbol("(") ? 1 : tokens.get(i).isSymbol(")") ? -1 : 0;
      if (depth == 0) {
        return i;
      }
    }
    return tokens.size() - 1;
  }

  private SqlToken peek(int ahead) {
    return peekAt(at + ahead);
  }

  private SqlToken peekAt(int index) {
    return tokens.get(Math.min(index, tokens.size() - 1));
  }
}
