package flexdp.gateway.duckdb;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.gateway.render.Clamped;
import flexdp.gateway.render.RenderedExpression;
import flexdp.gateway.render.Sql;
import flexdp.policy.Range;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * Clamping in DuckDB. Exact types whose every value lies on the grid are only clamped, which keeps
 * their fast storage; others become integers that count steps of the grid.
 */
final class DuckDbClamp {
  /** Ten billion rows of this size still fit HUGEINT. */
  private static final BigDecimal LARGEST = BigDecimal.TEN.pow(27);

  private static final int DOUBLE_BITS = 52;
  private static final int MOST_DIGITS = 38;

  private DuckDbClamp() {}

  static Clamped of(RenderedExpression value, Range range, BigDecimal grid) {
    BigInteger low = range.low().divide(grid).toBigIntegerExact();
    BigInteger high = range.high().divide(grid).toBigIntegerExact();
    BigDecimal widest = range.low().abs().max(range.high().abs());
    if (widest.compareTo(LARGEST) > 0 || widest.divide(grid).compareTo(LARGEST) > 0) {
      throw Clamped.tooWide();
    }
    Type type = value.type();
    return switch (type.kind()) {
      case SMALLINT, INTEGER, BIGINT ->
          isMultiple(BigDecimal.ONE, grid)
              ? new Clamped(bounded(value.sql(), type, range), BigDecimal.ONE, value.sql())
              : new Clamped(steps(wide(value.sql()), range, grid), grid);
      case DECIMAL ->
          isMultiple(BigDecimal.ONE.movePointLeft(type.scale()), grid)
              ? exact(value, range, grid)
              : new Clamped(real("CAST(" + value.sql() + " AS DOUBLE)", low, high, grid), grid);
      case DOUBLE -> new Clamped(real(value.sql(), low, high, grid), grid);
      case DATE ->
          new Clamped(
              steps(
                  wide("TRY(date_diff('day', DATE '1970-01-01', " + value.sql() + "))"),
                  range,
                  grid),
              grid);
      case TIMESTAMP ->
          new Clamped(steps(wide("TRY(epoch_us(" + value.sql() + "))"), range, grid), grid);
      case BOOLEAN ->
          new Clamped(
              bounded("CAST(" + value.sql() + " AS INTEGER)", Type.INTEGER, range), BigDecimal.ONE);
      case VARCHAR, TIME, INTERVAL_MONTHS, INTERVAL_MICROS, UUID, OPAQUE, NULL ->
          throw Clamped.noNumber(type);
    };
  }

  /**
   * A sum that is made whole afterwards needs its digits after the point twice. Where these do not
   * fit, the digits themselves are taken for the number: no product can overflow then.
   */
  private static Clamped exact(RenderedExpression value, Range range, BigDecimal grid) {
    int scale = value.type().scale();
    BigDecimal widest = range.low().abs().max(range.high().abs());
    String bounded = bounded(value.sql(), value.type(), range);
    if (widest.movePointRight(scale).divide(grid).compareTo(LARGEST) <= 0) {
      return new Clamped(bounded, BigDecimal.ONE, value.sql());
    }
    String digits =
        Sql.of(
            "CAST(replace(CAST(TRY_CAST({x} AS DECIMAL({most}, {scale})) AS VARCHAR), '.', '') AS"
                + " HUGEINT)",
            bounded,
            MOST_DIGITS,
            scale);
    return new Clamped(digits, BigDecimal.ONE.movePointLeft(scale), value.sql());
  }

  private static boolean isMultiple(BigDecimal value, BigDecimal grid) {
    return value.remainder(grid).signum() == 0;
  }

  /**
   * Bounds that the type itself keeps need no comparison. Values within come first: DuckDB then
   * looks at the other branches for the few rows outside only.
   */
  private static String bounded(String x, Type type, Range range) {
    BigDecimal most = BigDecimal.TEN.pow(type.wholeDigits());
    boolean below = range.low().compareTo(most.negate()) > 0;
    boolean above = range.high().compareTo(most) < 0;
    if (!below && !above) {
      return x;
    }
    requireDigits(type, range);
    List<String> within = new ArrayList<>();
    StringBuilder outside = new StringBuilder();
    if (below) {
      String low = bound(range.low(), type);
      within.add(x + " >= " + low);
      outside.append(" WHEN " + x + " < " + low + " THEN " + low);
    }
    if (above) {
      String high = bound(range.high(), type);
      within.add(x + " <= " + high);
      outside.append(" WHEN " + x + " > " + high + " THEN " + high);
    }
    return "CASE WHEN " + String.join(" AND ", within) + " THEN " + x + outside + " END";
  }

  /**
   * The constant in the column's own type where it fits, so that the column is not converted. A
   * decimal is left as it is written: the SQL value may have fewer digits than its type.
   */
  private static String bound(BigDecimal value, Type type) {
    String text = value.toPlainString();
    return switch (type.kind()) {
      case SMALLINT, INTEGER, BIGINT -> {
        BigDecimal plain = value.stripTrailingZeros();
        int bits =
            type.kind() == Type.Kind.SMALLINT ? 16 : type.kind() == Type.Kind.INTEGER ? 32 : 64;
        boolean fits = plain.scale() <= 0 && plain.toBigInteger().bitLength() < bits;
        yield fits ? "CAST(" + text + " AS " + new DuckDb().typeName(type) + ")" : text;
      }
      default -> value.scale() < MOST_DIGITS ? text : "CAST('" + text + "' AS DECIMAL(38, 38))";
    };
  }

  /** With more digits DuckDB would compare and sum floats, or fail. */
  private static void requireDigits(Type type, Range range) {
    int scale = Math.max(type.scale(), Math.max(range.low().scale(), range.high().scale()));
    if (type.wholeDigits() + scale > MOST_DIGITS) {
      throw Rejection.of(
          RejectionCode.MISSING_RANGE,
          "The range and its values have more digits together than DuckDB's numbers.",
          "Declare a range with fewer digits after the point, or convert the argument to DOUBLE.");
    }
  }

  private static String wide(String x) {
    return "CAST(" + x + " AS HUGEINT)";
  }

  /** Whole numbers to the nearest step, halves upwards. */
  private static String steps(String x, Range range, BigDecimal grid) {
    if (grid.compareTo(BigDecimal.ONE) < 0) {
      BigInteger perUnit = BigDecimal.ONE.divide(grid).toBigIntegerExact();
      return "(" + wideClamp(x, range) + ") * " + perUnit;
    }
    BigInteger step = grid.toBigIntegerExact();
    String offset = "(" + wideClamp(x, range) + ") - (" + range.low().toBigIntegerExact() + ")";
    BigInteger first = range.low().divide(grid).toBigIntegerExact();
    return "((" + offset + " + " + step.shiftRight(1) + ") // " + step + ") + (" + first + ")";
  }

  private static String wideClamp(String x, Range range) {
    String low = "CAST(" + range.low().toPlainString() + " AS HUGEINT)";
    String high = "CAST(" + range.high().toPlainString() + " AS HUGEINT)";
    return Clamped.between(x, low, low, high, high, x);
  }

  /** A float to the nearest step; NaN, which DuckDB sorts last, and infinities are NULL. */
  private static String real(String x, BigInteger low, BigInteger high, BigDecimal grid) {
    String steps = "round(" + x + " / CAST('" + grid + "' AS DOUBLE))";
    int bits = Math.max(low.bitLength(), high.bitLength());
    String type = bits < 31 ? "INTEGER" : bits < 63 ? "BIGINT" : "HUGEINT";
    String one = "CAST(" + low + " AS " + type + ")";
    String two = "CAST(" + high + " AS " + type + ")";
    String whole = "TRY_CAST(" + steps + " AS " + type + ")";
    String exact =
        bits <= DOUBLE_BITS ? whole : "least(greatest(" + whole + ", " + one + "), " + two + ")";
    return Sql.of(
        "CASE WHEN isfinite({x}) THEN CASE WHEN {steps} <= {low} THEN {one} WHEN {steps} >= {high}"
            + " THEN {two} ELSE {exact} END END",
        x,
        steps,
        low,
        one,
        high,
        two,
        exact);
  }
}
