package flexdp.gateway.sqlite;

import flexdp.gateway.render.Clamped;
import flexdp.gateway.render.RenderedExpression;
import flexdp.gateway.render.Sql;
import flexdp.policy.Range;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * Clamping in SQLite: every value becomes the whole number of its steps of the grid. A product that
 * outgrows 64 bits is a float far outside of the range, and is clamped as such.
 */
final class SqliteClamp {
  /** Well within what floats hold exactly. */
  private static final int MOST_BITS = 52;

  private SqliteClamp() {}

  static Clamped of(RenderedExpression value, Range range, BigDecimal grid) {
    BigInteger low = range.low().divide(grid).toBigIntegerExact();
    BigInteger high = range.high().divide(grid).toBigIntegerExact();
    if (Math.max(low.bitLength(), high.bitLength()) > MOST_BITS) {
      throw Clamped.tooWide();
    }
    Type type = value.type();
    String x = value.sql();
    return switch (type.kind()) {
      case BOOLEAN, SMALLINT, INTEGER, BIGINT, DECIMAL, DATE, TIMESTAMP -> {
        BigDecimal unit = BigDecimal.ONE.movePointLeft(type.scale());
        if (unit.remainder(grid).signum() == 0) {
          BigInteger steps = unit.divide(grid).toBigIntegerExact();
          String product =
              steps.equals(BigInteger.ONE) ? x : "(" + x + " * " + Sqlite.whole(steps) + ")";
          yield new Clamped(bounded(product, low, high), grid);
        }
        BigInteger step = grid.divide(unit).toBigIntegerExact();
        BigInteger first = low.multiply(step);
        String inside = bounded(x, first, high.multiply(step));
        yield new Clamped(
            Sql.of(
                "((({x}) - {first} + {half}) / {step} + {low})",
                inside,
                Sqlite.whole(first),
                step.shiftRight(1),
                step,
                Sqlite.whole(low)),
            grid);
      }
      case DOUBLE -> new Clamped(real(x, low, high, grid), grid);
      case VARCHAR, TIME, INTERVAL_MONTHS, INTERVAL_MICROS, UUID, OPAQUE, NULL ->
          throw Clamped.noNumber(type);
    };
  }

  private static String bounded(String x, BigInteger low, BigInteger high) {
    String least = Sqlite.whole(low);
    String most = Sqlite.whole(high);
    return Clamped.between(x, least, least, most, most, x);
  }

  /** SQLite has no NaN, it is NULL; infinities become NULL here. */
  private static String real(String x, BigInteger low, BigInteger high, BigDecimal grid) {
    String steps = "round(" + x + " / CAST('" + grid.toPlainString() + "' AS REAL))";
    String least = Sqlite.whole(low);
    String most = Sqlite.whole(high);
    String inside = "CAST(" + steps + " AS INTEGER)";
    String clamped = Clamped.between(steps, least, least, most, most, inside);
    return "CASE WHEN abs(" + x + ") < 9e999 THEN " + clamped + " END";
  }
}
