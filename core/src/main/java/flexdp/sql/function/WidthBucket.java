package flexdp.sql.function;

import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Function;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * WIDTH_BUCKET(x, low, high, n): which of n equal parts from low to high a number lies in, 0 below
 * and n + 1 from high on. The ends of the parts are computed here, so that the database only
 * compares: exact for exact numbers, since those have no digits beyond their scale.
 */
final class WidthBucket {
  private static final int MOST = 100;

  private WidthBucket() {}

  static Expr of(Arguments a) {
    Expr x = a.number(0);
    BigDecimal low = constant(a, 1);
    BigDecimal high = constant(a, 2);
    BigDecimal count = constant(a, 3);
    if (low.compareTo(high) >= 0) {
      throw Rejections.types(
          "The lower end of WIDTH_BUCKET is not below the upper.", "Exchange them.", a.at());
    }
    if (count.signum() <= 0
        || count.compareTo(BigDecimal.valueOf(MOST)) > 0
        || count.stripTrailingZeros().scale() > 0) {
      throw Rejections.types(
          "WIDTH_BUCKET makes 1 to " + MOST + " buckets.", "Write a whole constant.", a.at());
    }
    List<Expr.Case.Branch> branches = new ArrayList<>();
    for (int i = 0; i <= count.intValueExact(); i++) {
      BigDecimal end = end(low, high, count, i, x.type());
      branches.add(
          new Expr.Case.Branch(
              TypeRules.compare(Function.LT, x, literal(end, x.type(), a), a.at()),
              Exprs.integer(i)));
    }
    BigDecimal last = end(low, high, count, count.intValueExact(), x.type());
    branches.add(
        new Expr.Case.Branch(
            TypeRules.compare(Function.GE, x, literal(last, x.type(), a), a.at()),
            Exprs.integer(count.intValueExact() + 1)));
    return new Expr.Case(branches, Optional.empty(), Type.INTEGER);
  }

  private static Expr literal(BigDecimal end, Type type, Arguments a) {
    return type.kind() == Type.Kind.DOUBLE
        ? new Expr.Literal(end.doubleValue(), Type.DOUBLE)
        : LiteralBinder.number(end, a.at());
  }

  /** low + i (high - low) / n; of exact numbers the next one that x can be. */
  private static BigDecimal end(BigDecimal low, BigDecimal high, BigDecimal n, int i, Type type) {
    BigDecimal above = high.subtract(low).multiply(BigDecimal.valueOf(i));
    if (type.kind() == Type.Kind.DOUBLE) {
      return low.add(above.divide(n, MathContext.DECIMAL128));
    }
    return low.multiply(n).add(above).divide(n, type.scale(), RoundingMode.CEILING);
  }

  private static BigDecimal constant(Arguments a, int i) {
    if (a.number(i) instanceof Expr.Literal literal) {
      if (literal.value() instanceof BigDecimal exact) {
        return exact;
      }
      if (literal.value() instanceof Double real && Double.isFinite(real)) {
        return BigDecimal.valueOf(real);
      }
    }
    throw Rejections.types(
        "WIDTH_BUCKET needs constants for its ends and for how many buckets there are.",
        "Write numbers, as in WIDTH_BUCKET(x, 0, 100, 10).",
        Rejections.at(a.node(i)));
  }
}
