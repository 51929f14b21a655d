package flexdp.gateway.render;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/**
 * A clamped value in SQL: an exact number that counts steps of a public size.
 *
 * @param step what one unit of the SQL value is worth; 1 when the SQL value is the value itself
 * @param present SQL that is NULL where {@code sql} is NULL and nowhere else
 */
public record Clamped(String sql, BigDecimal step, String present) {
  public Clamped(String sql, BigDecimal step) {
    this(sql, step, sql);
  }

  /** A number that came back, in units of the grid. */
  public BigInteger units(BigDecimal number, BigDecimal grid) {
    return number.multiply(step).divide(grid, 0, RoundingMode.HALF_EVEN).toBigInteger();
  }
}
