package flexdp.facts;

import flexdp.policy.Range;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * The public grid on which values are summed and ranked. It follows from the type and the declared
 * range only, so that the spacing of answers says nothing about the data.
 */
public final class Grid {
  /** A quantile chooses among at most about this many values. */
  private static final BigDecimal QUANTILE_STEPS = BigDecimal.valueOf(10_000);

  /** A floating-point range is cut into at least this many steps. */
  private static final int DOUBLE_DIGITS = 9;

  private Grid() {}

  /** For sums: the type's own step, or for floating point a power of ten far below the range. */
  public static BigDecimal forSum(Type type, Range range) {
    if (type.isInteger()) {
      return BigDecimal.ONE;
    }
    if (type.kind() == Type.Kind.DECIMAL) {
      return BigDecimal.ONE.scaleByPowerOfTen(-type.scale());
    }
    BigDecimal most = range.low().abs().max(range.high().abs());
    if (most.signum() == 0) {
      return BigDecimal.ONE;
    }
    int magnitude = most.precision() - most.scale();
    return BigDecimal.ONE.scaleByPowerOfTen(magnitude - DOUBLE_DIGITS);
  }

  /** For quantiles: at least the step for sums, coarser when the range has too many of those. */
  public static BigDecimal forQuantile(Type type, Range range) {
    BigDecimal grid = forSum(type, range);
    while (range
            .high()
            .subtract(range.low())
            .divide(grid, 0, RoundingMode.CEILING)
            .compareTo(QUANTILE_STEPS)
        > 0) {
      grid = grid.scaleByPowerOfTen(1);
    }
    return grid;
  }

  /** The range widened to multiples of the grid. */
  public static Range snap(Range range, BigDecimal grid) {
    return new Range(
        range.low().divide(grid, 0, RoundingMode.FLOOR).multiply(grid),
        range.high().divide(grid, 0, RoundingMode.CEILING).multiply(grid));
  }
}
