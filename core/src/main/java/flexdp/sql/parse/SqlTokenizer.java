package flexdp.sql.parse;

import static flexdp.sql.parse.SqlCharacters.isDigit;
import static flexdp.sql.parse.SqlCharacters.isNamePart;
import static flexdp.sql.parse.SqlCharacters.isNameStart;
import static flexdp.sql.parse.SqlCharacters.shown;

import flexdp.failure.Position;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.policy.InputDialect;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Cuts the analyst's text into tokens, in one pass and without recursion. It reads the quoting and
 * comment styles of several databases at once, so that the grammar behind it has to know only one;
 * each token keeps the place where it stood. Limits on size and nesting are checked here, before
 * anything recursive sees it.
 */
final class SqlTokenizer {
  static final int MAX_CHARACTERS = 250_000;
  static final int MAX_NESTING = 200;

  /** Symbols of more than one character, longest first. */
  private static final List<String> SYMBOLS =
      List.of(
          "!~*", "<=>", "->>", "!~", "~*", "<=", ">=", "<>", "!=", "==", "||", "::", "->", "=>",
          "<<", ">>", "&&", "..", ":=", "@>", "<@");

  private final String text;
  private final List<SqlToken> tokens = new ArrayList<>();
  private final Optional<List<SqlParameters.Place>> parameters;
  private final InputDialect dialect;
  private int arrays;
  private int at;
  private int line = 1;
  private int lineStart;
  private int wide;
  private int nesting;

  private SqlTokenizer(
      String text, Optional<List<SqlParameters.Place>> parameters, InputDialect dialect) {
    this.text = text;
    this.parameters = parameters;
    this.dialect = dialect;
  }

  /** The tokens of a text; the last one is the END. */
  static List<SqlToken> tokens(String text, InputDialect dialect) {
    return tokens(text, Optional.empty(), dialect);
  }

  /**
   * The tokens of a text in which $1 or :name stands for a value that is not there yet.
   *
   * @param parameters takes the places where one stands; otherwise none may
   */
  static List<SqlToken> tokens(
      String text, Optional<List<SqlParameters.Place>> parameters, InputDialect dialect) {
    if (text.length() > MAX_CHARACTERS) {
      throw ParameterSubstitution.tooLong("The text has " + text.length() + " characters");
    }
    if (text.indexOf('\0') >= 0) {
      throw Rejection.of(RejectionCode.SYNTAX, "The text holds a NUL character.", "Remove it.");
    }
    if (!SqlCharacters.areWhole(text)) {
      throw Rejection.of(RejectionCode.SYNTAX, "The text holds half a character.", "Remove it.");
    }
    return new SqlTokenizer(text, parameters, dialect).read();
  }

  private List<SqlToken> read() {
    while (true) {
      boolean space = skipSpace();
      Position from = here();
      if (at == text.length()) {
        tokens.add(SqlToken.of(SqlToken.Kind.END, "", space, from, from));
        return tokens;
      }
      int after = dialect == InputDialect.BIGQUERY ? SqlArrays.element(text, at, tokens) : -1;
      if (after > 0) {
        at = after;
        continue;
      }
      int start = at;
      SqlToken.Kind kind = next();
      String content = decoded == null ? text.substring(start, at) : decoded;
      decoded = null;
      tokens.add(SqlToken.of(kind, content, space, from, before()));
    }
  }

  private String decoded;

  private SqlToken.Kind next() {
    char c = text.charAt(at);
    switch (c) {
      case '\'':
        decoded = string(c);
        return SqlToken.Kind.STRING;
      case '"', '`':
        if (c == '"' && dialect.hasTextInDoubleQuotes()) {
          decoded = string(c);
          return SqlToken.Kind.STRING;
        }
        decoded = quoted(c, "name");
        if (decoded.isEmpty()) {
          throw wrong("A name in quotes is empty.", "Write a name between the quotes.");
        }
        return SqlToken.Kind.QUOTED_NAME;
      case '[':
        return bracket();
      case ']':
        if (arrays > 0) {
          return array(-1);
        }
        break;
      case '$':
        return placeholder();
      default:
        break;
    }
    if (isNameStart(c)) {
      return word();
    }
    if (isDigit(c) || c == '.' && isDigit(peek(1))) {
      return number();
    }
    for (String symbol : SYMBOLS) {
      if (text.startsWith(symbol, at)) {
        at += symbol.length();
        return SqlToken.Kind.SYMBOL;
      }
    }
    if (c == ':' && parameters.isPresent() && isNameStart(peek(1))) {
      return named();
    }
    if (c == '?' || c == ':' || c == '@' && isNameStart(peek(1))) {
      throw parameter();
    }
    if ("()],.;=<>+-*/%~!^&|{}@".indexOf(c) < 0) {
      throw wrong("The character '" + shown(c) + "' has no meaning here.", "Remove it.");
    }
    at++;
    nest(c == '(' ? 1 : c == ')' ? -1 : 0);
    return SqlToken.Kind.SYMBOL;
  }

  private SqlToken.Kind word() {
    int start = at;
    char c = text.charAt(at);
    boolean raw = peek(1) == '"' && (c == 'r' || c == 'R') && dialect == InputDialect.BIGQUERY;
    if (peek(1) == '\'' || raw) {
      switch (c) {
        case 'e', 'E' -> {
          at++;
          decoded = SqlEscapes.decode(escapedString(), here());
          return SqlToken.Kind.STRING;
        }
        case 'n', 'N', 'r', 'R' -> {
          at++;
          decoded = quoted(text.charAt(at), "string");
          return SqlToken.Kind.STRING;
        }
        case 'b', 'B', 'x', 'X' ->
            throw wrong("Binary strings are not supported.", "Write a number or plain text.");
        default -> {}
      }
    }
    while (at < text.length() && isNamePart(text.charAt(at))) {
      at++;
    }
    if (at - start == 4 && text.regionMatches(true, start, "case", 0, 4)) {
      nest(1);
    } else if (at - start == 3 && nesting > 0 && text.regionMatches(true, start, "end", 0, 3)) {
      nest(-1);
    }
    return SqlToken.Kind.WORD;
  }

  private SqlToken.Kind number() {
    int start = at;
    at = SqlCharacters.numberEnd(text, at);
    if (isNamePart(peek(0))) {
      throw wrong(
          "'" + text.substring(start, at + 1) + "' is neither a number nor a name.",
          "Put a space after the number, or quote the name.");
    }
    return SqlToken.Kind.NUMBER;
  }

  /** A name in brackets, as in T-SQL, unless it can only be an element of an array. */
  private SqlToken.Kind bracket() {
    SqlToken last = tokens.isEmpty() ? null : tokens.getLast();
    boolean attached =
        last != null
            && at > 0
            && (isNamePart(text.charAt(at - 1)) || "\"`])".indexOf(text.charAt(at - 1)) >= 0);
    if (last != null && (last.isWord("ARRAY") || !attached && SqlArrays.begins(peek(1), dialect))) {
      if (last.isWord("ARRAY")) {
        tokens.removeLast();
      }
      tokens.add(SqlToken.of(SqlToken.Kind.WORD, DialectNormalizer.LIST, true, here(), here()));
      return array(1);
    }
    int close = text.indexOf(']', at);
    boolean number = dialect == InputDialect.TSQL && isDigit(peek(1));
    decoded = close < 0 ? "\n" : text.substring(at + 1, close);
    boolean name = (isNameStart(peek(1)) || number) && decoded.matches("[^\n,]*");
    if (attached || !name) {
      throw wrong("Arrays are not supported.", "Name a column, or list values with IN (...).");
    }
    at = close + 1;
    return SqlToken.Kind.QUOTED_NAME;
  }

  private SqlToken.Kind array(int change) {
    arrays += change;
    at++;
    nest(change);
    decoded = change > 0 ? "(" : ")";
    return SqlToken.Kind.SYMBOL;
  }

  /** The content of a string, its escapes read as the dialect has them. */
  private String string(char quote) {
    if (!dialect.hasBackslashes()) {
      return quoted(quote, "string");
    }
    int to = SqlEscapes.end(text, at + 1, quote);
    if (to < 0) {
      throw wrong("This string is never closed.", "Add the closing quote.");
    }
    String content = text.substring(at + 1, to);
    if (content.indexOf('\\') < 0) {
      return quoted(quote, "string");
    }
    if (content.indexOf('\n') >= 0) {
      throw wrong("A string with backslashes has several lines.", "Write \\n.");
    }
    at = to + 1;
    return SqlEscapes.plain(content, quote);
  }

  /** Reads to the closing quote; a doubled quote stands for itself. */
  private String quoted(char quote, String what) {
    Position from = here();
    StringBuilder content = new StringBuilder();
    at++;
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == quote) {
        if (peek(1) != quote) {
          at++;
          return content.toString();
        }
        at++;
      }
      content.append(c);
      step();
    }
    throw Rejection.of(
        RejectionCode.SYNTAX,
        "This " + what + " is never closed.",
        "Add the closing " + quote + "; inside, write it twice.",
        from);
  }

  /** Reads a string in which a backslash escapes the next character, leaving escapes in place. */
  private String escapedString() {
    Position from = here();
    int start = ++at;
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == '\'' && peek(1) != '\'') {
        return text.substring(start, at++);
      }
      if (c == '\'' || c == '\\' && at + 1 < text.length()) {
        step();
      }
      step();
    }
    throw Rejection.of(
        RejectionCode.SYNTAX, "This string is never closed.", "Add the closing '.", from);
  }

  private SqlToken.Kind placeholder() {
    int start = at;
    if (parameters.isEmpty() || !isDigit(peek(1))) {
      throw parameter();
    }
    at++;
    while (isDigit(peek(0))) {
      at++;
    }
    parameters.get().add(SqlParameters.Place.numbered(text, start, at, here()));
    return SqlToken.Kind.NUMBER;
  }

  /** A parameter such as :city, which ends where a name would. */
  private SqlToken.Kind named() {
    int start = at++;
    while (isNamePart(peek(0))) {
      at++;
    }
    parameters.orElseThrow().add(SqlParameters.Place.named(text, start, at));
    return SqlToken.Kind.NUMBER;
  }

  private Rejection parameter() {
    if (text.startsWith("$$", at)) {
      return wrong("Strings in dollar signs are not supported.", "Write the string as '...'.");
    }
    return SqlRefusals.openParameter(text, at, here());
  }

  private boolean skipSpace() {
    int start = at;
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == '#' || c == '-' && peek(1) == '-') {
        while (at < text.length() && text.charAt(at) != '\n' && text.charAt(at) != '\r') {
          step();
        }
      } else if (c == '/' && peek(1) == '*') {
        comment();
      } else if (Character.isWhitespace(c) || c == '\u00a0' || c == '\ufeff') {
        step();
      } else {
        break;
      }
    }
    return at > start;
  }

  private void comment() {
    if (peek(2) == '!') {
      throw wrong("Comments that some databases execute are not read.", "Remove /*! ... */.");
    }
    Position from = here();
    int open = 0;
    do {
      if (at >= text.length()) {
        throw Rejection.of(
            RejectionCode.SYNTAX, "This comment is never closed.", "Add the closing */.", from);
      }
      boolean opens = peek(0) == '/' && peek(1) == '*';
      boolean closes = peek(0) == '*' && peek(1) == '/';
      open += opens ? 1 : closes ? -1 : 0;
      if (opens || closes) {
        at++;
      }
      step();
    } while (open > 0);
  }

  private void nest(int change) {
    nesting += change;
    if (nesting > MAX_NESTING) {
      throw Rejection.of(
          RejectionCode.TOO_COMPLEX,
          "The text is nested more than " + MAX_NESTING + " levels deep.",
          "Name inner queries with WITH.",
          before());
    }
  }

  private void step() {
    char c = text.charAt(at++);
    if (c == '\n' || c == '\r' && peek(0) != '\n') {
      line++;
      lineStart = at;
      wide = 0;
    } else if (Character.isLowSurrogate(c)) {
      wide++;
    }
  }

  private Position here() {
    return new Position(line, Math.max(1, at - lineStart - wide + 1));
  }

  /** The place of the last character read. */
  private Position before() {
    return new Position(line, Math.max(1, at - lineStart - wide));
  }

  private char peek(int ahead) {
    return SqlCharacters.at(text, at + ahead);
  }

  private Rejection wrong(String sentence, String hint) {
    return Rejection.of(RejectionCode.SYNTAX, sentence, hint, here());
  }

  /** The escapes of PostgreSQL's E'...' strings, and those of MySQL's and BigQuery's plain ones. */
  private static final class SqlEscapes {
    private SqlEscapes() {}

    /**
     * Where a string ends in which a backslash keeps the next character from ending it; else -1.
     */
    static int end(String text, int from, char quote) {
      for (int to = from; to < text.length(); to++) {
        boolean doubled = text.startsWith(String.valueOf(quote).repeat(2), to);
        if (text.charAt(to) == '\\' || doubled) {
          to++;
        } else if (text.charAt(to) == quote) {
          return to;
        }
      }
      return -1;
    }

    /**
     * The text of a string in which any character may follow a backslash; an escaped % stays for
     * LIKE.
     */
    static String plain(String escaped, char quote) {
      StringBuilder plain = new StringBuilder(escaped.length());
      for (int i = 0; i < escaped.length(); i++) {
        char c = escaped.charAt(i);
        if (c != '\\' || i + 1 == escaped.length()) {
          plain.append(c);
          i += c == quote ? 1 : 0;
          continue;
        }
        char what = escaped.charAt(++i);
        switch (what) {
          case 'n' -> plain.append('\n');
          case 't' -> plain.append('\t');
          case 'r' -> plain.append('\r');
          case '%', '_' -> plain.append('\\').append(what);
          default -> plain.append(what);
        }
      }
      return plain.toString();
    }

    /** The text that an escaped string stands for. */
    static String decode(String escaped, Position at) {
      StringBuilder plain = new StringBuilder(escaped.length());
      for (int i = 0; i < escaped.length(); i++) {
        char c = escaped.charAt(i);
        if (c == '\'') {
          i++;
          plain.append('\'');
        } else if (c != '\\' || i + 1 == escaped.length()) {
          plain.append(c);
        } else {
          char what = escaped.charAt(++i);
          switch (what) {
            case 'n' -> plain.append('\n');
            case 't' -> plain.append('\t');
            case 'r' -> plain.append('\r');
            case 'b' -> plain.append('\b');
            case 'f' -> plain.append('\f');
            case '\\', '\'', '"', '%', '_' -> plain.append(what);
            default ->
                throw Rejection.of(
                    RejectionCode.SYNTAX,
                    "The escape \\" + what + " is not supported.",
                    "Write the character itself.",
                    at);
          }
        }
      }
      return plain.toString();
    }
  }

  /**
   * BigQuery's {@code APPROX_QUANTILES(x, 100)[OFFSET(50)]}, one of the ends of so many parts, is
   * the quantile {@code QUANTILE(x, 0.5)}; other elements of arrays have no meaning here.
   */
  private static final class SqlArrays {
    private static final Pattern ELEMENT =
        Pattern.compile(
            "\\[[ ]*(SAFE_)?(OFFSET|ORDINAL)[ ]*\\([ ]*([0-9]{1,4})[ ]*\\)[ ]*\\]",
            Pattern.CASE_INSENSITIVE);

    private SqlArrays() {}

    /** Whether an array of constants begins: no name in brackets begins so, but in T-SQL. */
    static boolean begins(char c, InputDialect dialect) {
      return c == '\''
          || c == '"' && dialect.hasTextInDoubleQuotes()
          || (SqlCharacters.isDigit(c) || c == '-') && dialect != InputDialect.TSQL;
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
}
