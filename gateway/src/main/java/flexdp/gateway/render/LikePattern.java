package flexdp.gateway.render;

import flexdp.algebra.Expr;
import java.util.List;

/**
 * A pattern of LIKE in a form that every database reads alike: the backslash is its escape
 * character, and stands only before a wildcard or itself. Databases disagree about escapes before
 * other characters and about the escape character when none is given.
 *
 * @param text the pattern
 * @param escapes whether it holds an escape
 */
public record LikePattern(String text, boolean escapes) {
  public static final char ESCAPE = '\\';

  /** From the arguments of LIKE: a value, a pattern and perhaps an escape character. */
  public static LikePattern of(List<RenderedExpression> arguments) {
    String pattern = constant(arguments.get(1));
    String given = arguments.size() > 2 ? constant(arguments.get(2)) : "";
    int escape = given.isEmpty() ? -1 : given.codePointAt(0);
    StringBuilder text = new StringBuilder();
    boolean escapes = false;
    int[] characters = pattern.codePoints().toArray();
    for (int i = 0; i < characters.length; i++) {
      int c = characters[i];
      boolean literal = c == escape;
      if (literal) {
        c = characters[++i];
      }
      if (c == ESCAPE || literal && (c == '%' || c == '_')) {
        text.append(ESCAPE);
        escapes = true;
      }
      text.appendCodePoint(c);
    }
    return new LikePattern(text.toString(), escapes);
  }

  /** How many % have something behind them: each is a place to try. */
  public int gaps() {
    int gaps = 0;
    boolean open = false;
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) == '%') {
        open = true;
      } else {
        gaps += open ? 1 : 0;
        open = false;
        i += text.charAt(i) == ESCAPE ? 1 : 0;
      }
    }
    return gaps;
  }

  /** Whether an _ stands for any one character. */
  public boolean hasSingles() {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) == '_') {
        return true;
      }
      i += text.charAt(i) == ESCAPE ? 1 : 0;
    }
    return false;
  }

  /**
   * This pattern as a regular expression for whole texts, in which . stands for line ends too.
   * stands for line ends too.
   */
  public String expression() {
    StringBuilder expression = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '%' -> expression.append(".*");
        case '_' -> expression.append('.');
        default -> {
          char literal = c == ESCAPE ? text.charAt(++i) : c;
          if ("\\.+*?()|[]{}^$".indexOf(literal) >= 0) {
            expression.append('\\');
          }
          expression.append(literal);
        }
      }
    }
    return expression.toString();
  }

  private static String constant(RenderedExpression operand) {
    return String.valueOf(((Expr.Literal) operand.expr()).value());
  }
}
