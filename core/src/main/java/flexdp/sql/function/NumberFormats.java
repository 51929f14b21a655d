package flexdp.sql.function;

import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Function;
import flexdp.policy.InputDialect;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Numbers as text: {@code printf('%.2f', x)}, {@code FORMAT(x, 2)}, {@code FORMAT(x, 'N2')}. */
final class NumberFormats {
  private static final int MOST_DIGITS = 10;

  /** Thousands are set apart in numbers of at most so many digits. */
  private static final int WIDEST = 27;

  private NumberFormats() {}

  /** SQLite's printf with one number. */
  static Expr printed(Arguments a) {
    String format = constant(a, 0);
    if (format.equals("%d") && a.number(1).type().isInteger()) {
      return OperatorFunctions.asText(a.number(1));
    }
    if (!format.matches("%\\.[0-9]f")) {
      throw refused(a);
    }
    return fixed(a.number(1), format.charAt(2) - '0');
  }

  /** FORMAT of a number in MySQL and T-SQL; else of a date. */
  static Expr orDate(Arguments a) {
    if (!a.any(0).type().isNumeric()) {
      return DateFormats.format(a);
    }
    if (a.dialect() == InputDialect.TSQL) {
      String format = constant(a, 1);
      if (!format.matches("[NnFf][0-9]")) {
        throw refused(a);
      }
      int digits = format.charAt(1) - '0';
      boolean apart = Character.toUpperCase(format.charAt(0)) == 'N';
      return apart ? apart(a.number(0), digits) : fixed(a.number(0), digits);
    }
    if (a.dialect() == InputDialect.MYSQL
        && a.integer(1) instanceof Expr.Literal literal
        && literal.value() instanceof BigDecimal n
        && n.signum() >= 0
        && n.compareTo(BigDecimal.valueOf(MOST_DIGITS)) <= 0) {
      return apart(a.number(0), n.intValue());
    }
    throw refused(a);
  }

  private static Expr rounded(Expr x, int digits) {
    return Exprs.as(
        Exprs.call(Function.ROUND, x.type(), x, Exprs.integer(digits)),
        Type.decimal(WIDEST + MOST_DIGITS, digits));
  }

  private static Expr fixed(Expr x, int digits) {
    return OperatorFunctions.asText(rounded(x, digits));
  }

  /** With a comma before every three digits that stand before the point. */
  private static Expr apart(Expr x, int digits) {
    Expr number = rounded(x, digits);
    Expr size = Exprs.call(Function.ABS, number.type(), number);
    Expr text = OperatorFunctions.asText(size);
    Expr whole = SplitFunctions.before(text, ".");
    Expr length = Exprs.integer(WIDEST);
    Expr padded =
        TextFunctions.text(
            Function.RIGHT, concat(List.of(Exprs.text(" ".repeat(WIDEST)), whole)), length);
    List<Expr> parts = new ArrayList<>();
    Expr zero = Exprs.as(Exprs.integer(0), number.type());
    parts.add(
        new Expr.Case(
            List.of(new Expr.Case.Branch(Exprs.test(Function.LT, number, zero), Exprs.text("-"))),
            Optional.of(Exprs.text("")),
            Type.VARCHAR));
    for (int i = 1; i <= WIDEST; i += 3) {
      Expr three =
          TextFunctions.text(
              Function.LTRIM,
              TextFunctions.text(Function.SUBSTRING, padded, Exprs.integer(i), Exprs.integer(3)));
      boolean last = i + 3 > WIDEST;
      parts.add(last ? three : followed(three));
    }
    if (digits > 0) {
      parts.add(TextFunctions.text(Function.RIGHT, text, Exprs.integer(digits + 1L)));
    }
    return concat(parts);
  }

  private static Expr followed(Expr three) {
    return new Expr.Case(
        List.of(
            new Expr.Case.Branch(Exprs.test(Function.EQ, three, Exprs.text("")), Exprs.text(""))),
        Optional.of(concat(List.of(three, Exprs.text(",")))),
        Type.VARCHAR);
  }

  private static Expr concat(List<Expr> parts) {
    return new Expr.Call(Function.CONCAT, parts, Type.VARCHAR);
  }

  private static String constant(Arguments a, int i) {
    if (a.any(i) instanceof Expr.Literal literal && literal.value() instanceof String text) {
      return text;
    }
    throw refused(a);
  }

  private static flexdp.failure.Rejection refused(Arguments a) {
    return Rejections.unsupported("This format of a number", "Use ROUND(x, n).", a.call());
  }
}
