package flexdp.gateway.render;

import flexdp.query.Measurement;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;
import java.util.Optional;

/**
 * One statement of a release point. Its columns are, in order: the grouping (when there are several
 * grouping sets, a bit per key, 1 when the key is absent), the keys, the bucket of a quantile, and
 * a number per cell.
 */
public record ReleaseStatement(
    String sql, boolean hasGrouping, int keys, Optional<Cell> bucket, List<Cell> cells) {
  /**
   * A number that comes back.
   *
   * @param measurement its place among the measurements of the release point
   * @param clamped absent for counts
   * @param shift what each row added too much, in units of the grid; when present, the number of
   *     rows follows as the next column
   */
  public record Cell(
      int measurement, Optional<Clamped> clamped, BigDecimal grid, Optional<BigInteger> shift) {
    static Cell of(int index, Measurement measurement, Optional<Clamped> clamped) {
      return new Cell(index, clamped, measurement.grid(), Optional.empty());
    }

    /** The exact value in units of the grid. */
    public BigInteger units(BigDecimal number) {
      return clamped.map(c -> c.units(number, grid)).orElseGet(() -> whole(number));
    }

    /** The units of a cell with a shift, given the number of rows that follows it. */
    public BigInteger units(BigDecimal number, BigDecimal rows) {
      return units(number).subtract(shift.orElseThrow().multiply(whole(rows)));
    }

    /** Numbers come back on the grid. One that did not would be rounded, not end the question. */
    static BigInteger whole(BigDecimal number) {
      return number.setScale(0, RoundingMode.HALF_EVEN).toBigInteger();
    }
  }

  public ReleaseStatement {
    cells = List.copyOf(cells);
  }
}
