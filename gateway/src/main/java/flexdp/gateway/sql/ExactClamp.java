package flexdp.gateway.sql;

import flexdp.Rejection;
import flexdp.RejectionCode;
import flexdp.policy.Range;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * Clamping for databases whose sums of DECIMAL(28) have 38 digits: values have 26 digits at most,
 * so that a trillion of them fit.
 *
 * @param decimal the word for DECIMAL
 * @param real the word for DOUBLE
 */
record ExactClamp(String decimal, String real) {
  private static final int MOST_DIGITS = 26;
  private static final int WIDTH = 28;

  Clamped of(Operand value, Range range, BigDecimal grid) {
    Type type = value.type();
    String x = value.sql();
    return switch (type.kind()) {
      case SMALLINT, INTEGER, BIGINT, DECIMAL -> {
        BigDecimal unit = BigDecimal.ONE.movePointLeft(type.scale());
        yield unit.remainder(grid).signum() == 0
            ? new Clamped(exact(x, type, range), BigDecimal.ONE)
            : new Clamped(steps("CAST(" + x + " AS " + real + ")", range, grid), grid);
      }
      case DOUBLE -> new Clamped(steps(x, range, grid), grid);
      case BOOLEAN ->
          new Clamped(
              exact("(CASE WHEN " + x + " THEN 1 WHEN NOT " + x + " THEN 0 END)", type, range),
              BigDecimal.ONE);
      case VARCHAR, DATE, TIME, TIMESTAMP, INTERVAL_MONTHS, INTERVAL_MICROS, UUID, OPAQUE, NULL ->
          throw Rejection.of(
              RejectionCode.TYPE_MISMATCH,
              "Values of type " + type + " cannot be summed.",
              "Convert the argument to a number.");
    };
  }

  /** Values that lie on the grid already. */
  private String exact(String x, Type type, Range range) {
    int scale = Math.max(type.scale(), Math.max(scale(range.low()), scale(range.high())));
    String name = name(range.low().abs().max(range.high().abs()), scale);
    String low = constant(range.low(), name);
    String high = constant(range.high(), name);
    return bounded(x, low, low, high, high, "CAST(" + x + " AS " + name + ")");
  }

  /** A float to the nearest step; NaN and infinities are NULL. */
  private String steps(String x, Range range, BigDecimal grid) {
    BigInteger low = range.low().divide(grid).toBigIntegerExact();
    BigInteger high = range.high().divide(grid).toBigIntegerExact();
    String name = name(new BigDecimal(low.abs().max(high.abs())), 0);
    String steps = "round(" + x + " / CAST('" + grid.toPlainString() + "' AS " + real + "))";
    String inside =
        bounded(
            steps,
            "CAST('" + low + "' AS " + real + ")",
            constant(new BigDecimal(low), name),
            "CAST('" + high + "' AS " + real + ")",
            constant(new BigDecimal(high), name),
            "CAST(" + steps + " AS " + name + ")");
    return "CASE WHEN " + finite(x) + " THEN " + inside + " END";
  }

  /** Neither NaN, however it compares, nor infinite. */
  String finite(String x) {
    String most = "CAST('1.7e308' AS " + real + ")";
    return "(" + x + " > -" + most + " AND " + x + " < " + most + ")";
  }

  private static String bounded(
      String x, String low, String atLow, String high, String atHigh, String otherwise) {
    return "CASE WHEN "
        + x
        + " <= "
        + low
        + " THEN "
        + atLow
        + " WHEN "
        + x
        + " >= "
        + high
        + " THEN "
        + atHigh
        + " ELSE "
        + otherwise
        + " END";
  }

  private static String constant(BigDecimal value, String type) {
    return "CAST('" + value.toPlainString() + "' AS " + type + ")";
  }

  private static int scale(BigDecimal value) {
    return Math.max(0, value.stripTrailingZeros().scale());
  }

  private String name(BigDecimal widest, int scale) {
    if (widest.toBigInteger().toString().length() + scale > MOST_DIGITS) {
      throw Rejection.of(
          RejectionCode.MISSING_RANGE,
          "The range of values is too wide to be summed exactly.",
          "Declare a narrower range, or clamp with LEAST and GREATEST.");
    }
    return decimal + "(" + WIDTH + ", " + scale + ")";
  }
}
