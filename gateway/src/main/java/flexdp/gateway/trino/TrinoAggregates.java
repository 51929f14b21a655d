package flexdp.gateway.trino;

import flexdp.algebra.AggregateCall;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.gateway.render.RenderedExpression;
import flexdp.gateway.render.Sql;
import flexdp.gateway.render.TargetDialect;
import flexdp.policy.Type;
import java.util.Optional;

/**
 * Aggregates below the release point. Trino's sums of BIGINT and of wide decimals raise when they
 * overflow, and sums of floats depend on which worker is first; so all are sums of decimals of at
 * most 26 digits, of which a trillion fit. A value that is wider counts as NULL.
 */
final class TrinoAggregates {
  static final int SUMMABLE_DIGITS = 26;

  private TrinoAggregates() {}

  /**
   * @param tail FILTER (...) or OVER (...), with a leading space
   */
  static String sql(
      Trino dialect, AggregateCall call, Optional<RenderedExpression> argument, String tail) {
    String distinct = call.distinct() ? "DISTINCT " : "";
    if (call.kind() == AggregateCall.Kind.COUNT) {
      return "COUNT(" + argument.map(a -> distinct + a.sql()).orElse("*") + ")" + tail;
    }
    RenderedExpression value = argument.orElseThrow();
    String sql =
        switch (call.kind()) {
          case SUM -> "SUM(" + distinct + summable(value) + ")" + tail;
          case AVG -> average(distinct + summable(value), tail);
          case VAR_POP -> variance(call, value, tail, false);
          case VAR_SAMP -> variance(call, value, tail, true);
          case STDDEV_POP -> "sqrt(" + variance(call, value, tail, false) + ")";
          case STDDEV_SAMP -> "sqrt(" + variance(call, value, tail, true) + ")";
          case MIN -> "MIN(" + value.sql() + ")" + tail;
          case MAX -> "MAX(" + value.sql() + ")" + tail;
          case QUANTILE ->
              throw Rejection.of(
                  RejectionCode.UNSUPPORTED,
                  "Trino has no exact quantiles below another aggregate.",
                  "Take the quantile at the top of the query, or use MIN, MAX or AVG.",
                  call.at());
          case TEXTS ->
              Sql.of(
                  "NULLIF(array_join(array_sort(array_agg({x}){tail}), ''), '')",
                  distinct + value.sql(),
                  tail);
          case COUNT, MODE -> throw new IllegalStateException("it has another form");
        };
    return "TRY_CAST(" + sql + " AS " + dialect.typeName(call.output().type()) + ")";
  }

  private static String summable(RenderedExpression value) {
    Type type = value.type();
    if (type.isInteger()) {
      return "CAST(" + value.sql() + " AS DECIMAL(19, 0))";
    }
    if (type.kind() == Type.Kind.DECIMAL && type.precision() <= SUMMABLE_DIGITS) {
      return value.sql();
    }
    int scale = type.kind() == Type.Kind.DECIMAL ? Math.min(type.scale(), 10) : 10;
    return "TRY_CAST(" + value.sql() + " AS DECIMAL(" + SUMMABLE_DIGITS + ", " + scale + "))";
  }

  /** Not AVG, which rounds to the digits of its argument. */
  private static String average(String inner, String tail) {
    return Sql.of(
        "CAST(SUM({x}){tail} AS DOUBLE) / NULLIF(CAST(COUNT({x}){tail} AS DOUBLE), 0E0)",
        inner,
        tail);
  }

  /** From exact sums of x and x², with x as DECIMAL(13, 4); never below zero. */
  private static String variance(
      AggregateCall call, RenderedExpression value, String tail, boolean sample) {
    TargetDialect.requireAll(call);
    String x = "TRY_CAST(" + value.sql() + " AS DECIMAL(13, 4))";
    String count = "CAST(COUNT(" + x + ")" + tail + " AS DOUBLE)";
    String sum = "CAST(SUM(" + x + ")" + tail + " AS DOUBLE)";
    String squares = "CAST(SUM(" + x + " * " + x + ")" + tail + " AS DOUBLE)";
    String spread = "(" + squares + " - " + sum + " * " + sum + " / NULLIF(" + count + ", 0E0))";
    String divisor = sample ? "(" + count + " - 1E0)" : count;
    String ratio = "greatest(0E0, " + spread + " / NULLIF(" + divisor + ", 0E0))";
    return "CASE WHEN " + count + (sample ? " > 1E0" : " > 0E0") + " THEN " + ratio + " END";
  }
}
