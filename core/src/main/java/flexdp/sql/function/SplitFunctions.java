package flexdp.sql.function;

import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Function;
import flexdp.policy.DialectSpelling;
import flexdp.policy.SpellingMeaning;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/** Parts of a text between separators, from POSITION and SUBSTRING. */
final class SplitFunctions {
  private static final int MOST_PARTS = 4;

  private SplitFunctions() {}

  /** SPLIT_PART(x, separator, n): the n-th part, empty when there are fewer. */
  static Expr part(Arguments a) {
    String separator = separator(a);
    int n = count(a);
    boolean backwards = n < 0;
    Expr x = backwards ? reversed(a.text(0)) : a.text(0);
    String by = backwards ? new StringBuilder(separator).reverse().toString() : separator;
    for (int i = 1; i < Math.abs(n); i++) {
      x = after(x, by);
    }
    Expr part = before(x, by);
    Expr found = backwards ? reversed(part) : part;
    return DialectSpelling.SPLIT.in(a.dialect()) == SpellingMeaning.NO_VALUE && Math.abs(n) > 1
        ? ifParts(a.text(0), separator, Math.abs(n), found)
        : found;
  }

  /** SUBSTRING_INDEX(x, separator, 1) is all before the first, with -1 all after the last. */
  static Expr index(Arguments a) {
    if (Math.abs(count(a)) != 1) {
      throw Rejections.unsupported("SUBSTRING_INDEX of several parts", "Use 1 or -1.", a.call());
    }
    return part(a);
  }

  private static String separator(Arguments a) {
    if (a.text(1) instanceof Expr.Literal literal
        && literal.value() instanceof String text
        && !text.isEmpty()) {
      return text;
    }
    throw Rejections.types("The separator must be a constant.", "Write it as text.", a.at());
  }

  private static int count(Arguments a) {
    if (a.integer(2) instanceof Expr.Literal literal
        && literal.value() instanceof BigDecimal n
        && n.signum() != 0
        && n.abs().compareTo(BigDecimal.valueOf(MOST_PARTS)) <= 0) {
      return n.intValue();
    }
    throw Rejections.types(
        "The number of the part must be a constant from 1 to " + MOST_PARTS + ".",
        "Write it as a number; -1 is the last one.",
        a.at());
  }

  /** NULL where a text has fewer parts: separators that are left out make it shorter. */
  private static Expr ifParts(Expr x, String separator, int parts, Expr part) {
    Expr without = TextFunctions.text(Function.REPLACE, x, Exprs.text(separator), Exprs.text(""));
    Expr shorter =
        Exprs.call(
            Function.MINUS,
            Type.INTEGER,
            TextFunctions.length(SpellingMeaning.CHARACTERS, x),
            TextFunctions.length(SpellingMeaning.CHARACTERS, without));
    int least = (parts - 1) * separator.codePointCount(0, separator.length());
    return new Expr.Case(
        List.of(new Expr.Case.Branch(Exprs.test(Function.GE, shorter, Exprs.integer(least)), part)),
        Optional.empty(),
        Type.VARCHAR);
  }

  private static Expr reversed(Expr x) {
    return TextFunctions.text(Function.REVERSE, x);
  }

  private static Expr place(Expr x, String by) {
    return TextFunctions.position(Exprs.text(by), x);
  }

  private static Expr found(Expr x, String by) {
    return Exprs.test(Function.GT, place(x, by), Exprs.integer(0));
  }

  static Expr before(Expr x, String by) {
    Expr length = Exprs.call(Function.MINUS, Type.INTEGER, place(x, by), Exprs.integer(1));
    return new Expr.Case(
        List.of(new Expr.Case.Branch(found(x, by), TextFunctions.text(Function.LEFT, x, length))),
        Optional.of(x),
        Type.VARCHAR);
  }

  private static Expr after(Expr x, String by) {
    int length = by.codePointCount(0, by.length());
    Expr from = Exprs.call(Function.PLUS, Type.INTEGER, place(x, by), Exprs.integer(length));
    return new Expr.Case(
        List.of(
            new Expr.Case.Branch(found(x, by), TextFunctions.text(Function.SUBSTRING, x, from))),
        Optional.of(
            new Expr.Case(
                List.of(new Expr.Case.Branch(Exprs.test(Function.IS_NOT_NULL, x), Exprs.text(""))),
                Optional.empty(),
                Type.VARCHAR)),
        Type.VARCHAR);
  }
}
