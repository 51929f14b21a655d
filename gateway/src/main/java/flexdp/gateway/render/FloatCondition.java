package flexdp.gateway.render;

import flexdp.algebra.Expr;
import flexdp.policy.Type;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A sum, difference or product of floats, compared with a constant where only whether that is true
 * matters. It needs no form then, if what is infinite or NaN, which sorts behind infinity, is held
 * off: it lies between the constant and the last number, or the first.
 *
 * <p>Of small numbers it cannot be beyond them: of n parts, each at most B ≥ 2 in size, it is at
 * most Bⁿ, for Bⁱ + Bʲ ≤ Bⁱ⁺ʲ. So where all columns are small nothing else is looked at, and a
 * database that knows their least and greatest value need not look at any row.
 */
final class FloatCondition {
  private static final double SMALL = 1e30;

  /** How many small numbers make 1e270 at most. */
  private static final int MOST_PARTS = 9;

  /** A longer text is not written twice. */
  private static final int LONGEST_TWICE = 200;

  private final TargetDialect dialect;
  private final Function<Expr, String> sql;

  /**
   * @param sql how columns are written
   */
  FloatCondition(TargetDialect dialect, Function<Expr, String> sql) {
    this.dialect = dialect;
    this.sql = sql;
  }

  String of(RenderedExpression computed, String operator, Expr.Literal constant) {
    if (operator.equals("=")) {
      return dialect.compare(
          operator, computed, new RenderedExpression(constant, sql.apply(constant)));
    }
    Set<String> columns = new LinkedHashSet<>();
    int parts = parts(computed.expr(), columns);
    Optional<String> edge = dialect.nonCanonical().edge(computed, operator.startsWith(">"));
    if (parts > MOST_PARTS || edge.isEmpty() || computed.sql().length() > LONGEST_TWICE) {
      return between(computed, operator, (Double) constant.value());
    }
    String compared =
        dialect.compare(operator, computed, new RenderedExpression(constant, sql.apply(constant)));
    String small =
        columns.stream()
            .map(c -> c + " BETWEEN " + number(-SMALL) + " AND " + number(SMALL))
            .collect(Collectors.joining(" AND "));
    String within = columns.isEmpty() ? edge.get() : "((" + small + ") OR " + edge.get() + ")";
    return "(" + compared + " AND " + within + ")";
  }

  /** How many columns and small constants it is made of; more than enough if of anything else. */
  private int parts(Expr expr, Set<String> columns) {
    return switch (expr) {
      case Expr.Ref ref when ref.type().kind() == Type.Kind.DOUBLE -> {
        columns.add(sql.apply(ref));
        yield 1;
      }
      case Expr.Literal literal
          when literal.value() instanceof Double number && Math.abs(number) <= SMALL ->
          1;
      case Expr.Call call when dialect.nonCanonical().keeps(call) -> {
        int sum = 0;
        for (Expr argument : call.arguments()) {
          sum = Math.min(MOST_PARTS + 1, sum + parts(argument, columns));
        }
        yield sum;
      }
      case Expr.Ref ignored -> MOST_PARTS + 1;
      case Expr.Literal ignored -> MOST_PARTS + 1;
      case Expr.Call ignored -> MOST_PARTS + 1;
      case Expr.Cast ignored -> MOST_PARTS + 1;
      case Expr.Case ignored -> MOST_PARTS + 1;
    };
  }

  private String between(RenderedExpression computed, String operator, double value) {
    return switch (operator) {
      case "<" -> between(computed, -Double.MAX_VALUE, Math.nextDown(value));
      case "<=" -> between(computed, -Double.MAX_VALUE, value);
      case ">" -> between(computed, Math.nextUp(value), Double.MAX_VALUE);
      case ">=" -> between(computed, value, Double.MAX_VALUE);
      default -> throw new IllegalArgumentException("no order: " + operator);
    };
  }

  private String between(RenderedExpression computed, double low, double high) {
    // Beyond the last number is none.
    return Double.isInfinite(low) || Double.isInfinite(high)
        ? "FALSE"
        : "(" + computed.sql() + " BETWEEN " + number(low) + " AND " + number(high) + ")";
  }

  private String number(double value) {
    return dialect.literal(new Expr.Literal(value, Type.DOUBLE));
  }
}
