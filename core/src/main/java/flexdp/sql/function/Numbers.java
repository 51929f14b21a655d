package flexdp.sql.function;

import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Function;
import flexdp.algebra.RowLimits;
import flexdp.policy.Type;
import java.math.BigDecimal;

/** Functions of numbers. */
final class Numbers {
  private Numbers() {}

  static Expr same(Function function, Expr x) {
    return Exprs.call(function, x.type(), x);
  }

  /** FLOOR and CEIL: whole, in the type of the argument. */
  static Expr whole(Function function, Expr x) {
    Type type =
        x.type().kind() == Type.Kind.DECIMAL
            ? TypeRules.decimal(TypeRules.wholeDigits(x.type()) + 1, 0)
            : x.type();
    return Exprs.call(function, type, x);
  }

  static Expr real(Function function, Expr... arguments) {
    return Exprs.call(function, Type.DOUBLE, arguments);
  }

  /** LOG(x) is the decimal logarithm, as in PostgreSQL; LOG(b, x) is to the base b. */
  static Expr log(Arguments a) {
    return a.count() == 1 ? real(Function.LOG10, a.number(0)) : log(a.number(0), a.number(1));
  }

  static Expr log(Expr base, Expr x) {
    return real(Function.DIVIDE, real(Function.LN, x), real(Function.LN, base));
  }

  static Expr round(Arguments a) {
    Expr x = a.number(0);
    if (a.count() == 1) {
      return whole(Function.ROUND, x);
    }
    Expr digits = a.integer(1);
    if (!(digits instanceof Expr.Literal literal) || literal.isNull()) {
      throw Reject.types(
          "ROUND needs a constant number of digits.", "Write it as a number.", a.at());
    }
    BigDecimal most = BigDecimal.valueOf(RowLimits.MOST_DIGITS);
    int places = ((BigDecimal) literal.value()).min(most).max(most.negate()).intValue();
    Type type = x.type();
    if (type.kind() == Type.Kind.DECIMAL) {
      int scale = Math.max(0, Math.min(type.scale(), places));
      type = TypeRules.decimal(TypeRules.wholeDigits(type) + 1 + scale, scale);
    }
    return Exprs.call(Function.ROUND, type, x, Exprs.integer(places));
  }

  /** Cut towards zero: sign(x) · floor(|x|). */
  static Expr towardsZero(Expr x) {
    Expr cut = whole(Function.FLOOR, same(Function.ABS, x));
    return Exprs.call(Function.TIMES, cut.type(), same(Function.SIGN, x), cut);
  }
}
