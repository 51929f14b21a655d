package flexdp.query;

import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.util.Optional;

/**
 * A range that an aggregate needs and that nothing public says: of these values of these rows.
 *
 * @param input the rows
 * @param argument the values
 * @param filter only of rows for which this is true
 * @param low no value is below it; absent where nothing says so
 * @param high no value is above it
 * @param use what it is for
 * @param fraction of the rows that the value sought does not exceed; for ranks alone
 * @param name what it is called in front of the analyst
 */
public record MissingRange(
    Relation input,
    Expr argument,
    Optional<Expr> filter,
    Optional<BigDecimal> low,
    Optional<BigDecimal> high,
    Use use,
    Optional<BigDecimal> fraction,
    String name) {
  /** What is made of the clamped values. */
  public enum Use {
    SUM,
    /** Sums from the middle of the range: averages, variances. */
    CENTRED,
    /** The least or the greatest. */
    EXTREMES,
    /** A quantile. */
    RANK
  }

  public Type type() {
    return argument.type();
  }

  /** Whether one histogram serves both. */
  public boolean hasValuesOf(MissingRange other) {
    return argument.equals(other.argument)
        && filter.equals(other.filter)
        && low.equals(other.low)
        && high.equals(other.high)
        && input.equals(other.input);
  }
}
