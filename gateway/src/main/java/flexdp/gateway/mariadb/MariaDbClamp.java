package flexdp.gateway.mariadb;

import static flexdp.gateway.mariadb.MariaDb.once;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.gateway.render.Clamped;
import flexdp.gateway.render.RenderedExpression;
import flexdp.policy.Range;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * Clamping in MariaDB: whole steps of the grid, as a decimal of so few digits that their sum is
 * exact.
 */
final class MariaDbClamp {
  /** A sum has 22 digits more than its values, and 65 at most. */
  private static final BigDecimal LARGEST = BigDecimal.TEN.pow(27);

  /** A product of more digits after the point loses some without a word. */
  private static final int MOST_SCALE = 30;

  /** Steps that floats hold exactly with room to spare. */
  private static final int FLOAT_BITS = 50;

  private MariaDbClamp() {}

  static Clamped of(RenderedExpression value, Range range, BigDecimal grid) {
    BigDecimal widest = range.low().abs().max(range.high().abs());
    if (widest.compareTo(LARGEST) > 0 || widest.divide(grid).compareTo(LARGEST) > 0) {
      throw tooWide();
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
              throw Clamped.noNumber(type);
        };
    return new Clamped(once(number, v -> bounded(v, type, range, grid)), grid);
  }

  /** Whole numbers on a grid of 1 stay as they are. */
  private static String bounded(String v, Type type, Range range, BigDecimal grid) {
    return switch (type.kind()) {
      case DOUBLE -> real(v, range, grid);
      case DECIMAL -> exact(v, type.scale(), range, grid);
      case SMALLINT, INTEGER, BIGINT, BOOLEAN, DATE, TIMESTAMP ->
          grid.compareTo(BigDecimal.ONE) == 0
              ? "(" + within(v, plain(range.low()), plain(range.high()), v, range, grid) + ")"
              : exact(v, 0, range, grid);
      case VARCHAR, TIME, INTERVAL_MONTHS, INTERVAL_MICROS, UUID, OPAQUE, NULL ->
          throw new IllegalArgumentException("refused above: " + type);
    };
  }

  /** Decimals keep all their digits until they are rounded. */
  private static String exact(String v, int digits, Range range, BigDecimal grid) {
    int scale = Math.max(digits, Math.max(0, range.low().scale()));
    if (scale > MOST_SCALE) {
      throw tooWide();
    }
    String steps =
        "ROUND(CAST(" + v + " AS DECIMAL(" + (28 + scale) + ", " + scale + "))" + per(grid);
    return within(v, plain(range.low()), plain(range.high()), steps + ")", range, grid);
  }

  /**
   * Steps of a float. So few that the errors of bound, grid and quotient are less than half a step
   * are counted in floats, others in decimals.
   */
  private static String real(String v, Range range, BigDecimal grid) {
    int bits =
        Math.max(steps(range.low(), grid).bitLength(), steps(range.high(), grid).bitLength());
    String low = real(range.low());
    String high = real(range.high());
    if (bits <= FLOAT_BITS) {
      String steps = "CAST(ROUND(" + v + " / " + real(grid) + ") AS SIGNED)";
      return within(v, low, high, steps, range, grid);
    }
    if (grid.scale() > MOST_SCALE) {
      throw tooWide();
    }
    String steps = "ROUND(CAST(" + v + " AS DECIMAL(58, " + MOST_SCALE + "))" + per(grid) + ")";
    return within(v, low, high, steps, range, grid);
  }

  /** What is outside becomes the nearest end, and so does what rounding put there. */
  private static String within(
      String v, String low, String high, String steps, Range range, BigDecimal grid) {
    BigInteger first = steps(range.low(), grid);
    BigInteger last = steps(range.high(), grid);
    String inside =
        steps.equals(v) ? v : "LEAST(GREATEST(" + steps + ", " + first + "), " + last + ")";
    return Clamped.between(v, low, first, high, last, inside);
  }

  private static BigInteger steps(BigDecimal end, BigDecimal grid) {
    return end.divide(grid).toBigIntegerExact();
  }

  private static String plain(BigDecimal value) {
    return value.toPlainString();
  }

  /** A constant with an exponent is a float; a long one without is cut. */
  private static String real(BigDecimal value) {
    return value.unscaledValue() + "e" + -value.scale();
  }

  private static Rejection tooWide() {
    return Rejection.of(
        RejectionCode.MISSING_RANGE,
        "The range of values has too many digits to be summed exactly.",
        "Declare a narrower range, or clamp with LEAST and GREATEST.");
  }

  /** Multiplied where that is exact. */
  private static String per(BigDecimal grid) {
    BigDecimal plain = grid.stripTrailingZeros();
    boolean powerOfTen = plain.unscaledValue().equals(BigInteger.ONE);
    if (powerOfTen && plain.scale() == 0) {
      return "";
    }
    return powerOfTen && plain.scale() > 0
        ? " * " + BigDecimal.ONE.divide(plain).toPlainString()
        : " / " + plain.toPlainString();
  }
}
