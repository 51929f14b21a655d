package flexdp.gateway.postgresql;

import static flexdp.gateway.postgresql.PostgreSql.once;

import flexdp.gateway.render.Clamped;
import flexdp.gateway.render.RenderedExpression;
import flexdp.gateway.render.Sql;
import flexdp.policy.Range;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Optional;

/**
 * Clamping in PostgreSQL. Exact values that lie on the grid by their type are only clamped, and
 * floats become BIGINT steps: dividing in NUMERIC is several times as slow as the sum itself.
 */
final class PostgreSqlClamp {
  /** Steps that floats hold exactly with room to spare. */
  private static final int FLOAT_BITS = 50;

  private PostgreSqlClamp() {}

  static Clamped of(PostgreSql dialect, RenderedExpression value, Range range, BigDecimal grid) {
    Type type = value.type();
    String x = value.sql();
    return switch (type.kind()) {
      case SMALLINT, INTEGER, BIGINT, DECIMAL -> {
        yield isOnGrid(type, grid)
            ? new Clamped("(" + inside(value, range) + ")", BigDecimal.ONE)
            : new Clamped(steps(x, range, grid), grid);
      }
      case DOUBLE -> new Clamped(real(x, range, grid), grid);
      case BOOLEAN ->
          new Clamped(once(dialect.cast(x, type, Type.INTEGER), v -> steps(v, range, grid)), grid);
      case DATE ->
          new Clamped(
              once(
                  Sql.of(
                      "(CASE WHEN pg_catalog.isfinite({x}) THEN {x} - pg_catalog.date '1970-01-01'"
                          + " END)",
                      x),
                  v -> steps(v, range, grid)),
              grid);
      case VARCHAR, TIME, TIMESTAMP, INTERVAL_MONTHS, INTERVAL_MICROS, UUID, OPAQUE, NULL ->
          throw Clamped.noNumber(type);
    };
  }

  private static boolean isOnGrid(Type type, BigDecimal grid) {
    return BigDecimal.ONE.movePointLeft(type.scale()).remainder(grid).signum() == 0;
  }

  /** Of exact values on the grid alone, where it takes no more than another word. */
  static Optional<Clamped> filled(
      RenderedExpression value, Range range, BigDecimal grid, BigDecimal otherwise) {
    boolean exact = value.type().isInteger() || value.type().kind() == Type.Kind.DECIMAL;
    return exact && isOnGrid(value.type(), grid) && value.end().isEmpty()
        ? Optional.of(
            new Clamped(
                Sql.of(
                    "({inside} ELSE {otherwise} END)",
                    inside(value, range).replaceFirst(" END$", ""),
                    otherwise.toPlainString()),
                BigDecimal.ONE))
        : Optional.empty();
  }

  /** A number at or beyond the end, and NaN, which is above all numbers, are left out. */
  private static String inside(RenderedExpression value, Range range) {
    if (value.end().isEmpty()) {
      return inside(value.sql(), range);
    }
    BigDecimal end = value.end().get();
    String x = value.sql();
    if (range.low().abs().max(range.high().abs()).compareTo(end) >= 0) {
      String few = "pg_catalog.abs(" + x + ") < " + end.toPlainString();
      return "CASE WHEN " + few + " THEN " + inside(x, range) + " END";
    }
    String low = range.low().toPlainString();
    String far = end.toPlainString();
    return inside(x, range, "CASE WHEN " + x + " > -" + far + " THEN " + low + " END", far);
  }

  private static String inside(String v, Range range) {
    return inside(v, range, range.low().toPlainString(), "'NaN'::pg_catalog.numeric");
  }

  /** Most values lie in the range: these are compared twice. */
  private static String inside(String v, Range range, String below, String far) {
    return Sql.of(
        "CASE WHEN {v} < {low} THEN {below} WHEN {v} <= {high} THEN {v} WHEN {v} < {far} THEN {high}"
            + " END",
        v,
        range.low().toPlainString(),
        below,
        range.high().toPlainString(),
        far);
  }

  /** Clamped, then counted in steps of the grid. */
  private static String steps(String v, Range range, BigDecimal grid) {
    return Sql.of(
        "pg_catalog.round(CAST(({x}) AS NUMERIC) / {grid})",
        inside(v, range),
        grid.toPlainString());
  }

  /**
   * NaN, which is above Infinity here, and infinities are NULL. Only what lies in the range is
   * divided, and nothing so near to zero that the quotient would be too small for a float: both
   * would raise. Of so few bits, the errors of the bound, the grid and the quotient make up less
   * than half a step, so what lies in the range is rounded to a step in the range.
   */
  private static String real(String x, Range range, BigDecimal grid) {
    BigInteger low = range.low().divide(grid).toBigIntegerExact();
    BigInteger high = range.high().divide(grid).toBigIntegerExact();
    if (Math.max(low.bitLength(), high.bitLength()) > FLOAT_BITS) {
      return wide(x, range, grid, low, high);
    }
    return Sql.of(
        "CASE WHEN {x} BETWEEN {low} AND {high} THEN CASE WHEN pg_catalog.abs({x}) <"
            + " '1e-200'::pg_catalog.float8 THEN 0 ELSE CAST(pg_catalog.round({x} / {grid}) AS"
            + " BIGINT) END WHEN {x} < {low} AND {x} > '-Infinity'::pg_catalog.float8 THEN {first}"
            + " WHEN {x} > {high} AND {x} < 'Infinity'::pg_catalog.float8 THEN {last} END",
        x,
        real(range.low()),
        real(range.high()),
        real(grid),
        low,
        high);
  }

  /**
   * More steps than floats tell apart: becoming NUMERIC, a float is rounded to 15 digits, which may
   * be many steps away. So the steps are clamped, whatever was done to the value.
   */
  private static String wide(
      String x, Range range, BigDecimal grid, BigInteger low, BigInteger high) {
    String steps = "pg_catalog.round(CAST(" + x + " AS NUMERIC) / " + grid.toPlainString() + ")";
    String inside = Sql.of("LEAST(GREATEST({steps}, {low}), {high})", steps, low, high);
    return Sql.of(
        "CASE WHEN {x} > '-Infinity'::pg_catalog.float8 AND {x} < 'Infinity'::pg_catalog.float8 THEN"
            + " {clamped} END",
        x,
        Clamped.between(x, real(range.low()), low, real(range.high()), high, inside));
  }

  private static String real(BigDecimal value) {
    return "'" + value.toPlainString() + "'::pg_catalog.float8";
  }
}
