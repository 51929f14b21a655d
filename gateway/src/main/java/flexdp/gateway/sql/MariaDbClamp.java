package flexdp.gateway.sql;

import static flexdp.gateway.sql.MariaDb.once;

import flexdp.Rejection;
import flexdp.RejectionCode;
import flexdp.policy.Range;
import flexdp.policy.Type;
import java.math.BigDecimal;

/**
 * Clamping in MariaDB: whole steps of the grid, as a decimal of so few digits that their sum is
 * exact.
 */
final class MariaDbClamp {
  /** A sum has 22 digits more than its values, and 65 at most. */
  private static final BigDecimal LARGEST = BigDecimal.TEN.pow(27);

  private MariaDbClamp() {}

  static Clamped of(Operand value, Range range, BigDecimal grid) {
    BigDecimal widest = range.low().abs().max(range.high().abs());
    if (widest.compareTo(LARGEST) > 0 || widest.divide(grid).compareTo(LARGEST) > 0) {
      throw Rejection.of(
          RejectionCode.MISSING_RANGE,
          "The range of values is too wide to be summed exactly.",
          "Declare a narrower range, or clamp with LEAST and GREATEST.");
    }
    Type type = value.type();
    String x = value.sql();
    String number =
        switch (type.kind()) {
          case SMALLINT, INTEGER, BIGINT, DECIMAL, DOUBLE, BOOLEAN -> x;
          case DATE -> "(TO_DAYS(" + x + ") - 719528)";
          case TIMESTAMP ->
              "TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', " + x + ")";
          case VARCHAR, TIME, INTERVAL_MONTHS, INTERVAL_MICROS, UUID, OPAQUE, NULL ->
              throw Rejection.of(
                  RejectionCode.TYPE_MISMATCH,
                  "Values of type " + type + " cannot be summed.",
                  "Convert the argument to a number.");
        };
    return new Clamped(once(number, v -> bounded(v, type, range, grid)), grid);
  }

  /** Clamped, then counted in steps of the grid; whole numbers on a grid of 1 stay as they are. */
  private static String bounded(String v, Type type, Range range, BigDecimal grid) {
    String low = range.low().toPlainString();
    String high = range.high().toPlainString();
    String inside =
        "CASE WHEN "
            + v
            + " < "
            + low
            + " THEN "
            + low
            + " WHEN "
            + v
            + " > "
            + high
            + " THEN "
            + high
            + " ELSE "
            + v
            + " END";
    boolean real = type.kind() == Type.Kind.DOUBLE;
    boolean fraction = real || type.kind() == Type.Kind.DECIMAL;
    if (!fraction && grid.compareTo(BigDecimal.ONE) == 0) {
      return "(" + inside + ")";
    }
    int scale = real ? 30 : Math.max(type.scale(), range.low().scale());
    String exact =
        "CAST(("
            + inside
            + ") AS DECIMAL("
            + (28 + Math.max(0, scale))
            + ", "
            + Math.max(0, scale)
            + "))";
    return "ROUND(" + exact + steps(grid) + ")";
  }

  /** Multiplied where that is exact. */
  private static String steps(BigDecimal grid) {
    BigDecimal plain = grid.stripTrailingZeros();
    boolean powerOfTen = plain.unscaledValue().equals(java.math.BigInteger.ONE);
    if (powerOfTen && plain.scale() == 0) {
      return "";
    }
    return powerOfTen && plain.scale() > 0
        ? " * " + BigDecimal.ONE.divide(plain).toPlainString()
        : " / " + plain.toPlainString();
  }
}
