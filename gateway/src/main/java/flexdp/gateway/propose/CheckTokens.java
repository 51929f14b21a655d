package flexdp.gateway.propose;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The words of a CHECK constraint, whichever way its database quotes names. */
final class CheckTokens {
  enum Kind {
    NAME,
    QUOTED_NAME,
    NUMBER,
    TEXT,
    SIGN,
    END
  }

  record Token(Kind kind, String text) {
    boolean is(String word) {
      return kind != Kind.TEXT && kind != Kind.QUOTED_NAME && text.equalsIgnoreCase(word);
    }
  }

  private static final Pattern TOKEN =
      Pattern.compile(
          "\\s*(?:(?<number>\\d+(?:\\.\\d*)?(?:[eE][+-]?\\d+)?|\\.\\d+)"
              + "|'(?<text>(?:[^']|'')*)'"
              + "|\"(?<double>(?:[^\"]|\"\")+)\""
              + "|`(?<back>(?:[^`]|``)+)`"
              + "|(?<name>[\\p{L}_][\\p{L}\\p{N}_$]*)"
              + "|(?<sign>::|<=|>=|<>|!=|==|[-+<>=(),\\[\\].]))");

  private CheckTokens() {}

  /** The tokens, or nothing when there is something among them that we do not know. */
  static List<Token> of(String sql) {
    List<Token> tokens = new ArrayList<>();
    Matcher matcher = TOKEN.matcher(sql);
    String rest = sql.stripTrailing();
    int at = 0;
    while (at < rest.length()) {
      if (!matcher.find(at) || matcher.start() != at) {
        return List.of();
      }
      tokens.add(token(matcher));
      at = matcher.end();
    }
    tokens.add(new Token(Kind.END, ""));
    return List.copyOf(tokens);
  }

  private static Token token(Matcher matcher) {
    if (matcher.group("number") != null) {
      return new Token(Kind.NUMBER, matcher.group("number"));
    }
    if (matcher.group("text") != null) {
      return new Token(Kind.TEXT, matcher.group("text").replace("''", "'"));
    }
    if (matcher.group("double") != null) {
      return new Token(Kind.QUOTED_NAME, matcher.group("double").replace("\"\"", "\""));
    }
    if (matcher.group("back") != null) {
      return new Token(Kind.QUOTED_NAME, matcher.group("back").replace("``", "`"));
    }
    return matcher.group("name") != null
        ? new Token(Kind.NAME, matcher.group("name"))
        : new Token(Kind.SIGN, matcher.group("sign"));
  }
}
