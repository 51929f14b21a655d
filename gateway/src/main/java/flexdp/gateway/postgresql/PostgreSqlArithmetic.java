package flexdp.gateway.postgresql;

import static flexdp.gateway.postgresql.PostgreSql.once;

import flexdp.algebra.Expr;
import flexdp.gateway.render.RenderedExpression;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Sums, differences and products of exact numbers. NUMERIC computes them exactly, so all there is
 * to check is that the result has no more digits than its type, and often the types say so.
 */
final class PostgreSqlArithmetic {
  /** Shorter arithmetic is computed twice rather than in a subquery, which no worker would run. */
  private static final int CHEAP = 300;

  private PostgreSqlArithmetic() {}

  /** The operator's text; empty when it is another function, or when its result is rounded. */
  static Optional<String> operator(Expr.Call call) {
    return switch (call.function()) {
      case PLUS -> exact("+", call.arguments(), call.type());
      case MINUS -> exact("-", call.arguments(), call.type());
      case TIMES -> exact("*", call.arguments(), call.type());
      default -> Optional.empty();
    };
  }

  private static Optional<String> exact(String operator, List<Expr> arguments, Type type) {
    return type.kind() == Type.Kind.DECIMAL
            && arguments.stream().allMatch(a -> a.type().isExact())
            && keepsDigits(operator, arguments.get(0).type(), arguments.get(1).type(), type)
        ? Optional.of(operator)
        : Optional.empty();
  }

  /** Whether the result has all the digits after the point that exact arithmetic gives it. */
  static boolean keepsDigits(String operator, Type one, Type two, Type type) {
    int digits =
        operator.equals("*") ? one.scale() + two.scale() : Math.max(one.scale(), two.scale());
    return digits <= type.scale();
  }

  private static boolean fits(String operator, Type one, Type two, Type type) {
    int a = one.wholeDigits();
    int b = two.wholeDigits();
    return (operator.equals("*") ? a + b : Math.max(a, b) + 1) <= most(type);
  }

  private static int most(Type type) {
    return type.wholeDigits();
  }

  static String plain(String operator, String left, String right) {
    return "(CAST(" + left + " AS NUMERIC) " + operator + " CAST(" + right + " AS NUMERIC))";
  }

  /** NULL where the number has more digits before the point than its type. */
  static String checked(
      String operator, RenderedExpression left, RenderedExpression right, Type type) {
    String plain = plain(operator, left.sql(), right.sql());
    if (fits(operator, left.type(), right.type(), type)) {
      return plain;
    }
    UnaryOperator<String> within = v -> "CASE WHEN " + few(v, type) + " THEN " + v + " END";
    return plain.length() <= CHEAP ? within.apply(plain) : once(plain, within);
  }

  private static String few(String number, Type type) {
    return "pg_catalog.abs(" + number + ") < 1e" + most(type);
  }

  /**
   * A value that needs no check of its own inside. NaN, which is above all numbers, comes out as
   * NaN, and NULL as NULL; of the digits, those before the point may be too many.
   */
  static Optional<RenderedExpression> computed(Expr expr, Function<Expr, String> sql) {
    if (!(expr instanceof Expr.Call call) || operator(call).isEmpty()) {
      return Optional.empty();
    }
    Expr left = call.arguments().get(0);
    Expr right = call.arguments().get(1);
    if (!isPlain(left) || !isPlain(right)) {
      return Optional.empty();
    }
    String operator = operator(call).get();
    boolean fits = fits(operator, left.type(), right.type(), call.type());
    return Optional.of(
        new RenderedExpression(
            expr,
            plain(operator, sql.apply(left), sql.apply(right)),
            fits
                ? Optional.empty()
                : Optional.of(BigDecimal.ONE.scaleByPowerOfTen(most(call.type())))));
  }

  /** A stored NUMERIC, or sums and products of such: NaN comes out as NaN or NULL. */
  static boolean isExact(Expr expr) {
    return switch (expr) {
      case Expr.Ref ref -> ref.type().kind() == Type.Kind.DECIMAL;
      case Expr.Call call ->
          operator(call).isPresent()
              && call.arguments().stream().allMatch(a -> a instanceof Expr.Literal || isExact(a));
      case Expr.Literal ignored -> false;
      case Expr.Cast ignored -> false;
      case Expr.Case ignored -> false;
    };
  }

  private static boolean isPlain(Expr expr) {
    return switch (expr) {
      case Expr.Ref ref -> ref.type().isExact();
      case Expr.Literal literal -> literal.type().isExact() && !literal.isNull();
      case Expr.Call call ->
          operator(call)
              .filter(
                  o ->
                      fits(
                          o,
                          call.arguments().get(0).type(),
                          call.arguments().get(1).type(),
                          call.type()))
              .filter(o -> call.arguments().stream().allMatch(PostgreSqlArithmetic::isPlain))
              .isPresent();
      case Expr.Cast ignored -> false;
      case Expr.Case ignored -> false;
    };
  }
}
