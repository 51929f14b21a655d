package flexdp.gateway.render;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.policy.Type;
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

  /** What lies below or above becomes the end that is near; all else is as {@code inside} says. */
  public static String between(
      String x, Object low, Object least, Object high, Object most, String inside) {
    return Sql.of(
        "CASE WHEN {x} < {low} THEN {least} WHEN {x} > {high} THEN {most} ELSE {inside} END",
        x,
        low,
        least,
        high,
        most,
        inside);
  }

  /** Values of no numeric type. */
  public static Rejection noNumber(Type type) {
    return Rejection.of(
        RejectionCode.TYPE_MISMATCH,
        "Values of type " + type + " cannot be summed.",
        "Convert the argument to a number.");
  }

  /** Values of which the database's sums would not be exact. */
  public static Rejection tooWide() {
    return Rejection.of(
        RejectionCode.MISSING_RANGE,
        "The range of values is too wide to be summed exactly.",
        "Declare a narrower range, or clamp with LEAST and GREATEST.");
  }

  /** A number that came back, in units of the grid. */
  public BigInteger units(BigDecimal number, BigDecimal grid) {
    return number.multiply(step).divide(grid, 0, RoundingMode.HALF_EVEN).toBigInteger();
  }
}
