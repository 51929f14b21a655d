package flexdp.question;

import flexdp.Position;
import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.policy.Range;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Optional;

/**
 * One number per label that noise is added to (guarantee D12). Everything else an aggregate shows
 * is computed from measurements.
 *
 * @param output the column of the noisy value in {@code Relation.Released}
 * @param part what it is within its aggregate: count, sum, sum of squares, quantile
 * @param column the name of the result column that shows it as it is, if one does
 * @param argument what is counted (rows where it is not NULL), summed, or ranked; absent for
 *     COUNT(*)
 * @param distinct counts different values of the argument
 * @param filter only rows for which this is true
 * @param range for SUM and QUANTILE: bounds to which the argument is clamped, multiples of grid
 * @param grid for SUM and QUANTILE: the argument is rounded to multiples of this before use
 * @param fraction for QUANTILE
 */
public record Measurement(
    Column output,
    Kind kind,
    String part,
    Optional<String> column,
    String aggregate,
    Optional<Expr> argument,
    boolean distinct,
    Optional<Expr> filter,
    Optional<Range> range,
    BigDecimal grid,
    Optional<BigDecimal> fraction,
    Position at) {
  /** How the noisy value is made. */
  public enum Kind {
    COUNT,
    SUM,
    QUANTILE
  }

  /** The low end of the range, in steps of the grid. */
  public BigInteger firstStep() {
    return range.orElseThrow().low().divide(grid).toBigIntegerExact();
  }

  /** The high end of the range, in steps of the grid. */
  public BigInteger lastStep() {
    return range.orElseThrow().high().divide(grid).toBigIntegerExact();
  }

  /** The same measurement, shown by the result column of that name. */
  Measurement shownAs(Optional<String> name) {
    return new Measurement(
        output, kind, part, name, aggregate, argument, distinct, filter, range, grid, fraction, at);
  }
}
