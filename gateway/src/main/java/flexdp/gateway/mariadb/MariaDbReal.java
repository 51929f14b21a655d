package flexdp.gateway.mariadb;

import static flexdp.gateway.mariadb.MariaDb.once;

import flexdp.algebra.Expr;
import flexdp.gateway.render.RenderedExpression;
import flexdp.gateway.render.Sql;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.util.List;

/**
 * Floating point. MariaDB raises where a result is infinite, so operands beyond 1e150 are cut to it
 * before they are used: no such number is a measurement of anything. Zero loses its sign.
 */
final class MariaDbReal {
  private static final String MOST = "1e150";
  private static final String LEAST_DIVISOR = "1e-150";

  private final MariaDb dialect;

  MariaDbReal(MariaDb dialect) {
    this.dialect = dialect;
  }

  String real(RenderedExpression operand) {
    return dialect.cast(operand.sql(), operand.type(), Type.DOUBLE);
  }

  /** The operand within 1e150; exact types are so already. */
  private String cut(RenderedExpression operand) {
    String real = real(operand);
    return isSmall(operand.expr())
        ? real
        : "LEAST(GREATEST(" + real + ", -" + MOST + "), " + MOST + ")";
  }

  private static boolean isSmall(Expr expr) {
    return switch (expr) {
      case Expr.Literal literal ->
          literal.value() instanceof BigDecimal
              || literal.value() instanceof Double number && Math.abs(number) < 1e150;
      case Expr.Cast cast -> cast.operand().type().isExact();
      case Expr.Ref ref -> ref.type().isExact();
      case Expr.Call call -> call.type().isExact();
      case Expr.Case choice -> choice.type().isExact();
    };
  }

  String arithmetic(String operator, List<RenderedExpression> args, Type type) {
    String sql = "(" + cut(args.get(0)) + " " + operator + " " + cut(args.get(1)) + " + 0e0)";
    return dialect.cast(sql, Type.DOUBLE, type);
  }

  /** A divisor of zero gives NULL, and so does one so small that the quotient might be infinite. */
  String divide(List<RenderedExpression> args, Type type) {
    String number = cut(args.get(0));
    RenderedExpression divisor = args.get(1);
    String sql;
    if (divisor.expr() instanceof Expr.Literal literal
            && literal.value() instanceof BigDecimal constant
            && constant.signum() != 0
        || divisor.type().isExact()) {
      sql = "(" + number + " / " + real(divisor) + " + 0e0)";
    } else {
      sql =
          once(
              real(divisor),
              d ->
                  Sql.of(
                      "(CASE WHEN ABS({d}) >= {least} THEN {number} / {d} + 0e0 END)",
                      d,
                      LEAST_DIVISOR,
                      number));
    }
    return dialect.cast(sql, Type.DOUBLE, type);
  }

  String modulo(List<RenderedExpression> args, Type type) {
    String sql = "(MOD(" + real(args.get(0)) + ", " + real(args.get(1)) + ") + 0e0)";
    return dialect.cast(sql, Type.DOUBLE, type);
  }

  String negate(RenderedExpression value, Type type) {
    return dialect.cast("(0e0 - " + real(value) + ")", Type.DOUBLE, type);
  }

  /** Halves away from zero, as decimals are rounded; the database would round them to even. */
  String rounded(RenderedExpression value, int decimals) {
    return once(
        value.sql(),
        v ->
            Sql.of(
                "(CASE WHEN ABS({v}) < 1e15 THEN CAST(ROUND(CAST({v} AS DECIMAL(65, 30)),"
                    + " {decimals}) AS DOUBLE) + 0e0 ELSE {large} END)",
                v,
                decimals,
                decimals < 0 ? "ROUND(" + v + ", " + decimals + ")" : v));
  }

  String exponential(RenderedExpression operand, Type type) {
    String sql = once(real(operand), v -> Sql.of("(CASE WHEN {v} <= 709 THEN EXP({v}) END)", v));
    return dialect.cast(sql, Type.DOUBLE, type);
  }

  String power(List<RenderedExpression> args, Type type) {
    String sql = once(real(args.get(0)), a -> once(real(args.get(1)), b -> power(a, b)));
    return dialect.cast(sql, Type.DOUBLE, type);
  }

  private static String power(String a, String b) {
    return Sql.of(
        "(CASE WHEN {a} IS NULL THEN NULL WHEN {b} = 0 THEN 1e0 WHEN {a} = 0 THEN CASE WHEN {b} > 0"
            + " THEN 0e0 END WHEN ABS({b}) <= 1e6 AND ({a} > 0 OR {b} = FLOOR({b})) AND {b} *"
            + " LN(ABS({a})) < 700 THEN POW({a}, {b}) + 0e0 END)",
        a,
        b);
  }
}
