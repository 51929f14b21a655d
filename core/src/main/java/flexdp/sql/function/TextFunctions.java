package flexdp.sql.function;

import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Function;
import flexdp.policy.DialectSpelling;
import flexdp.policy.SpellingMeaning;
import flexdp.policy.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.fun.SqlTrimFunction;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Functions of text. */
public final class TextFunctions {
  private static final String UNICODE_SPACES =
      all(c -> Character.getType(c) == Character.SPACE_SEPARATOR);
  private static final String JAVA_WHITESPACE = all(Character::isWhitespace);

  /** Unicode's property White_Space. */
  private static final String UNICODE_WHITESPACE =
      all(c -> Character.isSpaceChar(c) || c >= '\t' && c <= '\r' || c == 0x85);

  private TextFunctions() {}

  static Expr text(Function function, Expr... arguments) {
    return Exprs.call(function, Type.VARCHAR, arguments);
  }

  /** TRIM(x) as the dialect has it, BTRIM(x, ' ') and TRIM(BOTH ' ' FROM x): of spaces. */
  static Expr trim(Arguments a) {
    if (a.count() < 3) {
      return trim(Function.TRIM, a);
    }
    // The parser writes a space where nothing is written, at the place of the call itself, which
    // parentheses around the call make wider: a written one ends before the text begins.
    boolean written = ends(a.node(1).getParserPosition(), a.node(2).getParserPosition());
    requireSpace(a.any(1), a);
    Expr x = a.text(2);
    Function function =
        switch (((SqlLiteral) a.node(0)).getValueAs(SqlTrimFunction.Flag.class)) {
          case BOTH -> Function.TRIM;
          case LEADING -> Function.LTRIM;
          case TRAILING -> Function.RTRIM;
        };
    return written ? text(function, x) : trim(function, x, a);
  }

  private static boolean ends(SqlParserPos one, SqlParserPos before) {
    return one.getEndLineNum() != before.getLineNum()
        ? one.getEndLineNum() < before.getLineNum()
        : one.getEndColumnNum() < before.getColumnNum();
  }

  static Expr trim(Function function, Arguments a) {
    if (a.count() == 2) {
      requireSpace(a.any(1), a);
      return text(function, a.text(0));
    }
    return trim(function, a.text(0), a);
  }

  private static Expr trim(Function function, Expr x, Arguments a) {
    return switch (DialectSpelling.TRIM.in(a.dialect())) {
      case UNICODE_SPACES -> text(function, x, Exprs.text(UNICODE_SPACES));
      case JAVA_WHITESPACE -> text(function, x, Exprs.text(JAVA_WHITESPACE));
      case UNICODE_WHITESPACE -> text(function, x, Exprs.text(UNICODE_WHITESPACE));
      default -> text(function, x);
    };
  }

  private static String all(IntPredicate what) {
    return IntStream.rangeClosed(1, Character.MAX_VALUE)
        .filter(what)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  private static void requireSpace(Expr what, Arguments a) {
    if (!(what instanceof Expr.Literal literal) || !" ".equals(literal.value())) {
      throw Rejections.unsupported("TRIM of anything but spaces", "Use REPLACE instead.", a.call());
    }
  }

  /** LOWER and UPPER: of all letters, or of ASCII's. */
  static Expr letters(Function all, Function ascii, Arguments a) {
    return text(
        DialectSpelling.LETTERS.in(a.dialect()) == SpellingMeaning.ASCII_LETTERS ? ascii : all,
        a.text(0));
  }

  /** LEFT and RIGHT: fewer than none are all but so many, or none. */
  static Expr part(Function function, Arguments a) {
    Expr count = a.integer(1);
    return text(
        function,
        a.text(0),
        DialectSpelling.PART.in(a.dialect()) == SpellingMeaning.NOTHING
            ? SubstringFunctions.atLeastNone(count)
            : count);
  }

  /** As wide as the dialect counts. */
  static Expr length(SpellingMeaning counted, Arguments a) {
    return counted((Expr.Call) length(counted, a.text(0)), a);
  }

  static Expr position(Arguments a, int needle, int haystack) {
    return counted((Expr.Call) position(a.text(needle), a.text(haystack)), a);
  }

  private static Expr counted(Expr.Call count, Arguments a) {
    return DialectSpelling.LENGTHS.in(a.dialect()) == SpellingMeaning.LONG
        ? new Expr.Call(count.function(), count.arguments(), Type.BIGINT)
        : count;
  }

  static Expr length(SpellingMeaning counted, Expr x) {
    return switch (counted) {
      case BYTES -> Exprs.call(Function.BYTE_LENGTH, Type.INTEGER, x);
      case NO_BLANKS -> length(SpellingMeaning.CHARACTERS, text(Function.RTRIM, x));
      default -> Exprs.call(Function.CHAR_LENGTH, Type.INTEGER, x);
    };
  }

  static Expr position(Expr needle, Expr haystack) {
    return Exprs.call(Function.POSITION, Type.INTEGER, needle, haystack);
  }

  static Expr contains(Expr haystack, Expr needle) {
    return Exprs.test(Function.GT, position(needle, haystack), Exprs.integer(0));
  }

  static Expr endsWith(Expr x, Expr end) {
    Expr length = Exprs.call(Function.CHAR_LENGTH, Type.INTEGER, end);
    return Exprs.test(Function.EQ, text(Function.RIGHT, x, length), end);
  }

  /** The arguments as text. */
  static List<Expr> texts(Arguments a, DialectSpelling truths) {
    List<Expr> parts = new ArrayList<>();
    for (Expr part : a.all()) {
      parts.add(ConditionalFunctions.text(part, truths, a.dialect()));
    }
    return parts;
  }

  /** CONCAT(...) skips NULLs in some dialects; || does not in any. */
  static Expr concat(Arguments a) {
    List<Expr> all = texts(a, DialectSpelling.JOINED_TRUTH);
    if (DialectSpelling.CONCAT.in(a.dialect()) == SpellingMeaning.NULL_WINS) {
      return OperatorFunctions.concat(all);
    }
    List<Expr> parts = new ArrayList<>();
    for (Expr text : all) {
      parts.add(
          text instanceof Expr.Literal literal && !literal.isNull()
              ? text
              : text(Function.COALESCE, text, Exprs.text("")));
    }
    return new Expr.Call(Function.CONCAT, parts, Type.VARCHAR);
  }
}
