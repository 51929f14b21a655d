package flexdp.sql.parse;

import java.io.StringReader;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.sql.parser.babel.SimpleCharStream;
import org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants;
import org.apache.calcite.sql.parser.babel.SqlBabelParserImplTokenManager;
import org.apache.calcite.sql.parser.babel.Token;

/** Hands our tokens to the grammar in place of its own lexer, which never sees the text. */
final class TokenFeed extends SqlBabelParserImplTokenManager {
  private static final Map<String, Integer> KINDS = kinds();

  private static final Set<String> UNITS_OF_TIME =
      Set.of(
          "NANOSECOND",
          "MICROSECOND",
          "MILLISECOND",
          "SECOND",
          "MINUTE",
          "HOUR",
          "DAY",
          "DOW",
          "DOY",
          "ISODOW",
          "ISOYEAR",
          "WEEK",
          "MONTH",
          "QUARTER",
          "YEAR",
          "EPOCH",
          "DECADE",
          "CENTURY",
          "MILLENNIUM");

  private final List<SqlToken> tokens;
  private int at;

  TokenFeed(List<SqlToken> tokens) {
    super(new SimpleCharStream(new StringReader(""), 1, 1, 16));
    this.tokens = tokens;
  }

  /** Whether the grammar has the word as a unit of EXTRACT. */
  static boolean isUnitOfTime(String upper) {
    return UNITS_OF_TIME.contains(upper);
  }

  static boolean knows(SqlToken symbol) {
    return KINDS.containsKey(symbol.text());
  }

  /** How far the grammar has looked: where a text that it cannot read stops making sense. */
  int furthest() {
    return Math.min(at, tokens.size()) - 1;
  }

  @Override
  public Token getNextToken() {
    SqlToken ours = tokens.get(Math.min(at++, tokens.size() - 1));
    Token theirs = Token.newToken(kind(ours));
    theirs.kind = kind(ours);
    theirs.image = image(ours);
    theirs.beginLine = ours.from().line();
    theirs.beginColumn = ours.from().column();
    theirs.endLine = ours.to().line();
    theirs.endColumn = ours.to().column();
    return theirs;
  }

  private static int kind(SqlToken token) {
    return switch (token.kind()) {
      case WORD ->
          token.keyword()
              ? KINDS.getOrDefault(token.upper(), SqlBabelParserImplConstants.IDENTIFIER)
              : SqlBabelParserImplConstants.IDENTIFIER;
      case QUOTED_NAME -> SqlBabelParserImplConstants.QUOTED_IDENTIFIER;
      case STRING -> SqlBabelParserImplConstants.QUOTED_STRING;
      case NUMBER -> number(token.text());
      case SYMBOL -> KINDS.getOrDefault(token.text(), SqlBabelParserImplConstants.BEL);
      case END -> SqlBabelParserImplConstants.EOF;
    };
  }

  private static int number(String text) {
    if (text.indexOf('e') >= 0 || text.indexOf('E') >= 0) {
      return SqlBabelParserImplConstants.APPROX_NUMERIC_LITERAL;
    }
    return text.indexOf('.') >= 0
        ? SqlBabelParserImplConstants.DECIMAL_NUMERIC_LITERAL
        : SqlBabelParserImplConstants.UNSIGNED_INTEGER_LITERAL;
  }

  private static String image(SqlToken token) {
    return switch (token.kind()) {
      case QUOTED_NAME -> '"' + token.text().replace("\"", "\"\"") + '"';
      case STRING -> "'" + token.text().replace("'", "''") + "'";
      case NUMBER -> token.text().replace("_", "");
      case WORD, SYMBOL, END -> token.text();
    };
  }

  /** The grammar's numbers for its keywords and symbols, from the names it prints in errors. */
  private static Map<String, Integer> kinds() {
    Map<String, Integer> kinds = new HashMap<>();
    String[] images = SqlBabelParserImplConstants.tokenImage;
    for (int kind = 0; kind < images.length; kind++) {
      String image = images[kind];
      if (image.length() > 2 && image.startsWith("\"") && image.endsWith("\"")) {
        kinds.putIfAbsent(image.substring(1, image.length() - 1), kind);
      }
    }
    return Map.copyOf(kinds);
  }
}
