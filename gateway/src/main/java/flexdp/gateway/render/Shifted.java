package flexdp.gateway.render;

import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.policy.Type;
import flexdp.question.Measurement;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Optional;

/**
 * A sum of x − c with exact x and constant c, as means have it. The sum of clamped x less c for
 * each x is the same number, and the database computes nothing per row: sums and means of one
 * column become one sum.
 *
 * @param value x
 * @param constant c, a multiple of the grid
 */
record Shifted(Expr value, BigDecimal constant) {

  static Optional<Shifted> of(Measurement.Sum measurement) {
    if (!(measurement.value() instanceof Expr.Call call)
        || call.function() != Function.MINUS
        || !(call.arguments().get(1) instanceof Expr.Literal literal)
        || literal.isNull()) {
      return Optional.empty();
    }
    Expr value = call.arguments().get(0);
    boolean exact = value.type().isInteger() || value.type().kind() == Type.Kind.DECIMAL;
    if (!exact || !value.type().equals(call.type()) || !(literal.value() instanceof Number)) {
      return Optional.empty();
    }
    BigDecimal constant = new BigDecimal(literal.value().toString());
    BigDecimal step = BigDecimal.ONE.movePointLeft(Math.max(0, value.type().scale()));
    boolean onGrid =
        constant.remainder(measurement.grid()).signum() == 0
            && step.remainder(measurement.grid()).signum() == 0;
    return onGrid ? Optional.of(new Shifted(value, constant)) : Optional.empty();
  }

  /** What one row adds too much, in units of the grid. */
  BigInteger units(BigDecimal grid) {
    return constant.divide(grid).toBigIntegerExact();
  }
}
