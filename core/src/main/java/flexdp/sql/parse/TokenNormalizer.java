package flexdp.sql.parse;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Turns the habits of many databases into the one grammar behind, token by token. Every token that
 * is written carries the place of the one it stands for, so that messages point into the analyst's
 * own text. What it writes:
 *
 * <ul>
 *   <li>{@code INTERVAL '7 days'}, {@code INTERVAL 7 DAY}, {@code '7 days'::interval} become {@code
 *       INTERVAL '7' DAY};
 *   <li>{@code TOP n} becomes {@code FETCH NEXT n ROWS ONLY} at the end of its query;
 *   <li>{@code CURRENT_DATE} and its kin become calls without arguments;
 *   <li>units of time in {@code DATEDIFF(day, a, b)} and its kin become strings;
 *   <li>{@code GROUP BY ALL} becomes a GROUP BY of the unquoted name ALL, which no column can have;
 *   <li>{@code GROUP BY a, b WITH ROLLUP} becomes {@code GROUP BY ROLLUP(a, b)};
 *   <li>{@code x::type} becomes {@code CAST(x AS type)}, since the grammar would let {@code a =
 *       b::type} convert the comparison;
 *   <li>{@code LIMIT ALL} and {@code COLLATE "C"} say what holds anyway and are left out;
 *   <li>types get their standard names.
 * </ul>
 */
final class TokenNormalizer {
  private static final Set<String> NOW =
      Set.of(
          "CURRENT_DATE",
          "CURRENT_TIMESTAMP",
          "CURRENT_TIME",
          "LOCALTIMESTAMP",
          "LOCALTIME",
          "CURRENT_USER",
          "SESSION_USER");

  private static final Set<String> AFTER_GROUP_BY =
      Set.of("HAVING", "ORDER", "LIMIT", "UNION", "INTERSECT", "EXCEPT", "QUALIFY", "WINDOW");

  private final List<SqlToken> tokens;
  private final List<SqlToken> out;
  private final Deque<ParenthesisState> frames = new ArrayDeque<>();
  private int at;

  private TokenNormalizer(List<SqlToken> tokens) {
    this.tokens = tokens;
    this.out = new ArrayList<>(tokens.size() + 16);
    frames.push(new ParenthesisState(""));
  }

  static List<SqlToken> rewrite(List<SqlToken> tokens) {
    TokenNormalizer dialect = new TokenNormalizer(tokens);
    while (dialect.at < tokens.size()) {
      dialect.step();
    }
    return dialect.out;
  }

  private void step() {
    SqlToken token = tokens.get(at);
    if (typeFollows() && token.kind() == SqlToken.Kind.WORD) {
      at += SqlTypeNames.write(tokens, at, out);
      return;
    }
    switch (token.kind()) {
      case WORD -> word(token);
      case SYMBOL -> symbol(token);
      case STRING -> string(token);
      case END -> {
        writeTop();
        write(token);
      }
      case QUOTED_NAME, NUMBER -> write(token);
    }
  }

  private boolean typeFollows() {
    return last().isKeyword("AS") && frames.peek().isCast();
  }

  private void symbol(SqlToken token) {
    switch (token.text()) {
      case "(" -> {
        SqlToken before = last();
        frames.push(
            new ParenthesisState(before.kind() == SqlToken.Kind.WORD ? before.upper() : ""));
        write(token);
      }
      case ")" -> {
        writeTop();
        if (frames.size() > 1) {
          frames.pop();
        }
        write(token);
      }
      case "==" -> write(token.asSymbol("="));
      case "::" -> {
        frames.peek().count(token);
        at += 1 + SqlCasts.write(tokens, at, out);
      }
      default -> write(token);
    }
  }

  private void string(SqlToken token) {
    boolean unit = last().isSymbol("(") && frames.peek().owner().equals("EXTRACT");
    if (peek(1).isSymbol("::") && peek(2).isWord("INTERVAL")) {
      out.addAll(SqlIntervals.of(peek(2), token));
      at += 3;
    } else if (unit) {
      writeUnit(token.as(SqlToken.Kind.WORD, token.text()));
    } else if (last().isKeyword("AS")) {
      write(token.as(SqlToken.Kind.QUOTED_NAME, token.text()));
    } else {
      write(token);
    }
  }

  private void word(SqlToken token) {
    SqlToken next = peek(1);
    ParenthesisState frame = frames.peek();
    if (interval(token, next)
        || inDateFunction(token, next, frame)
        || collation()
        || SqlRefusals.check(token, last(), next, peek(2))) {
      return;
    }
    boolean keyword = KeywordResolution.isKeyword(token, last(), next, frame);
    if (keyword) {
      keyword(token, next, frame);
    } else if (NOW.contains(token.upper()) && !last().isSymbol(".") && !next.isSymbol(".")) {
      write(token);
      if (!next.isSymbol("(")) {
        out.add(token.asSymbol("("));
        out.add(token.asSymbol(")"));
      }
    } else if (postfix(token, next)) {
      at++;
    } else {
      write(token);
    }
  }

  private void keyword(SqlToken token, SqlToken next, ParenthesisState frame) {
    if (AFTER_GROUP_BY.contains(token.upper())) {
      frame.endGroupBy();
    }
    switch (token.upper()) {
      case "CASE" -> frame.openCase();
      case "END" -> frame.closeCase();
      case "UNION", "INTERSECT", "EXCEPT", "MINUS" -> SqlRefusals.topInSetOperation(frame);
      case "SELECT" -> {
        write(token.asKeyword("SELECT"));
        top(frame);
        return;
      }
      case "ALL" -> {
        if (last().isKeyword("BY") && endsGroupBy(next)) {
          write(token);
          return;
        }
      }
      case "LIMIT" -> {
        if (next.isWord("ALL") || next.isWord("NULL")) {
          at += 2;
          return;
        }
      }
      case "FETCH" -> {
        if (oneRow(token)) {
          return;
        }
      }
      case "WITH" -> {
        if (frame.inGroupBy() && (next.isWord("ROLLUP") || next.isWord("CUBE"))) {
          out.addAll(
              frame.groupByStart(), List.of(next.asKeyword(next.upper()), token.asSymbol("(")));
          out.add(next.asSymbol(")"));
          frame.endGroupBy();
          at += 2;
          return;
        }
      }
      case "AS" -> {
        int words = peek(1).isWord("NOT") ? 2 : 1;
        if (peek(words).isWord("MATERIALIZED") && peek(words + 1).isSymbol("(")) {
          at += words;
          out.add(token.asKeyword("AS"));
          at++;
          return;
        }
      }
      default -> {}
    }
    write(token.asKeyword(token.upper()));
    if (token.isWord("BY") && out.size() > 1 && out.get(out.size() - 2).isKeyword("GROUP")) {
      frame.startGroupBy(out.size());
    }
  }

  /** {@code FETCH FIRST ROW ONLY} is of one row. */
  private boolean oneRow(SqlToken fetch) {
    boolean counts = peek(1).isWord("FIRST") || peek(1).isWord("NEXT");
    if (!counts || !peek(2).isWord("ROW") && !peek(2).isWord("ROWS")) {
      return false;
    }
    out.add(fetch.asKeyword("FETCH"));
    out.add(fetch.asKeyword("NEXT"));
    out.add(fetch.as(SqlToken.Kind.NUMBER, "1"));
    at += 2;
    return true;
  }

  private static boolean endsGroupBy(SqlToken next) {
    return next.isEnd()
        || next.isSymbol(")")
        || AFTER_GROUP_BY.contains(next.upper())
        || next.isWord("ASC")
        || next.isWord("DESC");
  }

  /** TOP n after SELECT; the number waits for the end of the query. */
  private void top(ParenthesisState frame) {
    int index = at;
    if (tokens.get(index).isWord("DISTINCT") || tokens.get(index).isWord("ALL")) {
      index++;
    }
    boolean inParentheses = peekAt(index + 1).isSymbol("(");
    int number = inParentheses ? index + 2 : index + 1;
    if (!peekAt(index).isWord("TOP") || peekAt(number).kind() != SqlToken.Kind.NUMBER) {
      return;
    }
    SqlRefusals.topWithTies(peekAt(number + 1));
    if (index > at) {
      out.add(tokens.get(at).asKeyword(tokens.get(at).upper()));
    }
    frame.limitTo(tokens.get(number));
    at = number + (inParentheses ? 2 : 1);
  }

  private void writeTop() {
    frames
        .peek()
        .takeTop()
        .ifPresent(
            number -> {
              out.add(number.asKeyword("FETCH"));
              out.add(number.asKeyword("NEXT"));
              out.add(number);
              out.add(number.asKeyword("ROWS"));
              out.add(number.asKeyword("ONLY"));
            });
  }

  private boolean interval(SqlToken token, SqlToken next) {
    if (!token.isWord("INTERVAL") || last().isSymbol(".")) {
      return false;
    }
    boolean negative = next.isSymbol("-") && peek(2).kind() == SqlToken.Kind.NUMBER;
    SqlToken amount = negative ? peek(2).as(SqlToken.Kind.NUMBER, "-" + peek(2).text()) : next;
    int length = negative ? 3 : 2;
    SqlToken unit = peek(length);
    boolean isAmount =
        amount.kind() == SqlToken.Kind.STRING || amount.kind() == SqlToken.Kind.NUMBER;
    if (!isAmount) {
      if (next.isSymbol("(")) {
        throw SqlRefusals.computedInterval(token);
      }
      return false;
    }
    if (SqlIntervals.isUnit(unit)) {
      out.addAll(SqlIntervals.of(token, amount, unit));
      at += length + 1;
      toUnit();
      return true;
    }
    if (amount.kind() == SqlToken.Kind.STRING) {
      out.addAll(SqlIntervals.of(token, amount));
      at += length;
      return true;
    }
    return false;
  }

  /** The precision, and {@code TO unit}, of an interval of the standard. */
  private void toUnit() {
    while (peek(0).isSymbol("(") && peek(1).kind() == SqlToken.Kind.NUMBER) {
      at += 3;
    }
    if (peek(0).isWord("TO") && SqlIntervals.isUnit(peek(1))) {
      out.add(peek(0).asKeyword("TO"));
      out.add(peek(1).asKeyword(peek(1).upper()));
      at += 2;
    }
  }

  private boolean inDateFunction(SqlToken token, SqlToken next, ParenthesisState frame) {
    if (frame.owner().equals("EXTRACT") && last().isSymbol("(") && next.isWord("FROM")) {
      writeUnit(token);
      return true;
    }
    if (SqlUnits.takesUnit(frame.owner())
        && SqlIntervals.isUnit(token)
        && SqlUnits.isUnit(tokens, at, frame.owner())) {
      write(token.as(SqlToken.Kind.STRING, token.text()));
      return true;
    }
    return false;
  }

  private boolean collation() {
    int length = SqlCollations.length(tokens, at, last());
    boolean pattern = out.size() > 1 && out.get(out.size() - 2).isKeyword("LIKE");
    if (length > 0 && pattern && SqlCollations.ignoresCase(tokens.get(at + length - 1))) {
      out.set(out.size() - 2, out.get(out.size() - 2).asKeyword("ILIKE"));
    } else if (length > 0) {
      SqlCollations.requireByCodePoint(tokens, at, length);
    }
    at += length;
    return length > 0;
  }

  private void writeUnit(SqlToken unit) {
    write(TokenFeed.isUnitOfTime(unit.upper()) ? unit.asKeyword(unit.upper()) : unit);
  }

  /** PostgreSQL's {@code x ISNULL} and {@code x NOTNULL}; MySQL's REGEXP. */
  private boolean postfix(SqlToken token, SqlToken next) {
    if (KeywordResolution.expectsOperand(last()) || next.isSymbol("(")) {
      return false;
    }
    List<String> words =
        switch (token.upper()) {
          case "ISNULL" -> List.of("IS", "NULL");
          case "NOTNULL" -> List.of("IS", "NOT", "NULL");
          case "REGEXP" -> next.kind() == SqlToken.Kind.STRING ? List.of("RLIKE") : List.of();
          default -> List.of();
        };
    words.forEach(word -> out.add(token.asKeyword(word)));
    return !words.isEmpty();
  }

  private void write(SqlToken token) {
    frames.peek().count(token);
    out.add(token);
    at++;
  }

  private SqlToken last() {
    return out.isEmpty() ? tokens.getLast() : out.getLast();
  }

  private SqlToken peek(int ahead) {
    return peekAt(at + ahead);
  }

  private SqlToken peekAt(int index) {
    return tokens.get(Math.min(index, tokens.size() - 1));
  }

  /**
   * {@code x COLLATE name}. Text is compared by its bytes everywhere, so a collation that does just
   * that changes nothing and is left out; every other one, such as one that pads with spaces,
   * would.
   */
  private static final class SqlCollations {
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
          || KeywordResolution.expectsOperand(last)) {
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
          || token.kind() == SqlToken.Kind.WORD && !KeywordResolution.isReserved(token);
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

  /**
   * Tells a unit of time from a column of that name: {@code DATEDIFF(day, a, b)} has one, {@code
   * DATEDIFF(day, a)} and {@code DATE_TRUNC('month', day)} have not.
   */
  private static final class SqlUnits {
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

    /**
     * Functions of so many arguments whose last argument is a unit, unless the first is a string.
     */
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
}
