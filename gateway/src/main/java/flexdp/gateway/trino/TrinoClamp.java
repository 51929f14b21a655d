package flexdp.gateway.trino;

import flexdp.gateway.render.Clamped;
import flexdp.gateway.render.RenderedExpression;
import flexdp.gateway.render.Sql;
import flexdp.policy.Range;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * Clamping in Trino. The result is a DECIMAL no wider than its range, so that a sum of a trillion
 * of them fits into 38 digits: a sum of BIGINT would raise when it overflows.
 */
final class TrinoClamp {
  private TrinoClamp() {}

  static Clamped of(RenderedExpression value, Range range, BigDecimal grid) {
    Type type = value.type();
    String x = value.sql();
    return switch (type.kind()) {
      case SMALLINT, INTEGER, BIGINT -> whole(x, type, range, grid);
      case DECIMAL ->
          isMultiple(BigDecimal.ONE.movePointLeft(type.scale()), grid)
              ? new Clamped(exact(x, type, range), BigDecimal.ONE)
              : new Clamped(real("CAST(" + x + " AS DOUBLE)", range, grid), grid);
      case DOUBLE -> new Clamped(real(x, range, grid), grid);
      case BOOLEAN -> whole("CAST(" + x + " AS INTEGER)", Type.INTEGER, range, grid);
      case DATE ->
          whole("date_diff('day', DATE '1970-01-01', " + x + ")", Type.BIGINT, range, grid);
      case TIMESTAMP -> whole(TrinoDates.micros(value), Type.BIGINT, range, grid);
      case VARCHAR, TIME, INTERVAL_MONTHS, INTERVAL_MICROS, UUID, OPAQUE, NULL ->
          throw Clamped.noNumber(type);
    };
  }

  private static Clamped whole(String x, Type type, Range range, BigDecimal grid) {
    return isMultiple(BigDecimal.ONE, grid)
        ? new Clamped(exact(x, type, range), BigDecimal.ONE)
        : new Clamped(steps(x, range, grid), grid);
  }

  private static boolean isMultiple(BigDecimal value, BigDecimal grid) {
    return value.remainder(grid).signum() == 0;
  }

  /** Values that lie on the grid already. */
  private static String exact(String x, Type type, Range range) {
    int scale = Math.max(type.scale(), Math.max(scale(range.low()), scale(range.high())));
    String name = decimal(widest(range), scale);
    return bounded(x, range.low(), range.high(), name, "CAST(" + x + " AS " + name + ")");
  }

  /** Whole numbers to the nearest step, halves upwards. */
  private static String steps(String x, Range range, BigDecimal grid) {
    BigInteger low = range.low().toBigIntegerExact();
    BigInteger high = range.high().toBigIntegerExact();
    if (low.bitLength() > 61 || high.bitLength() > 61) {
      return real("CAST(" + x + " AS DOUBLE)", range, grid);
    }
    BigInteger step = grid.toBigIntegerExact();
    String inside = bounded(x, range.low(), range.high(), "BIGINT", "CAST(" + x + " AS BIGINT)");
    String name = decimal(range.low().abs().max(range.high().abs()), 0);
    return Sql.of(
        "CAST((({x}) - BIGINT '{low}' + {half}) / {step} + (BIGINT '{first}') AS {name})",
        inside,
        low,
        step.shiftRight(1),
        step,
        low.divide(step),
        name);
  }

  /** A float to the nearest step; NaN and infinities are NULL. */
  private static String real(String x, Range range, BigDecimal grid) {
    // Without the zeros that a quotient has after the point: a literal has at most 38 digits.
    BigDecimal low = new BigDecimal(range.low().divide(grid).toBigIntegerExact());
    BigDecimal high = new BigDecimal(range.high().divide(grid).toBigIntegerExact());
    String name = decimal(low.abs().max(high.abs()), 0);
    String steps = "round(" + x + " / DOUBLE '" + grid + "')";
    String inside =
        Sql.of(
            "CASE WHEN {steps} <= DOUBLE '{low}' THEN {first} WHEN {steps} >= DOUBLE '{high}' THEN"
                + " {last} ELSE CAST({steps} AS {name}) END",
            steps,
            low,
            constant(low, name),
            high,
            constant(high, name),
            name);
    return "CASE WHEN is_finite(" + x + ") THEN " + inside + " END";
  }

  private static String bounded(
      String x, BigDecimal low, BigDecimal high, String type, String otherwise) {
    return Clamped.between(
        x,
        Trino.decimal(low),
        constant(low, type),
        Trino.decimal(high),
        constant(high, type),
        otherwise);
  }

  private static String constant(BigDecimal value, String type) {
    return "CAST(" + Trino.decimal(value) + " AS " + type + ")";
  }

  private static BigDecimal widest(Range range) {
    return range.low().abs().max(range.high().abs());
  }

  private static int scale(BigDecimal value) {
    return Math.max(0, value.stripTrailingZeros().scale());
  }

  /** The narrowest DECIMAL that holds numbers up to this one; short ones are faster. */
  private static String decimal(BigDecimal widest, int scale) {
    int whole = widest.toBigInteger().toString().length();
    int digits = Math.max(whole + scale, 18);
    if (digits > TrinoAggregates.SUMMABLE_DIGITS) {
      throw Clamped.tooWide();
    }
    return "DECIMAL(" + digits + ", " + scale + ")";
  }
}
