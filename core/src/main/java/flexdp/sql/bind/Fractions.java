package flexdp.sql.bind;

import flexdp.algebra.Expr;
import flexdp.failure.Position;
import flexdp.sql.function.Reject;
import java.math.BigDecimal;

/** Which part of the values lies below a quantile. */
final class Fractions {
  private Fractions() {}

  /** A constant from 0 to 1. */
  static BigDecimal of(Expr value, Position at) {
    BigDecimal number =
        value instanceof Expr.Literal literal
            ? switch (literal.value()) {
              case BigDecimal exact -> exact;
              case Double real -> BigDecimal.valueOf(real);
              case null, default -> null;
            }
            : null;
    if (number == null || number.signum() < 0 || number.compareTo(BigDecimal.ONE) > 0) {
      throw Reject.types("A quantile needs a constant between 0 and 1.", "The median is 0.5.", at);
    }
    return number;
  }
}
