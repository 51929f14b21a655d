package flexdp.gateway.duckdb;

import flexdp.algebra.AggregateCall;
import flexdp.gateway.render.RenderedExpression;
import flexdp.gateway.render.TargetDialect;
import flexdp.policy.Type;
import java.util.Optional;

/**
 * Aggregates below the release point. Binary floating point sums depend on the order of rows, which
 * threads decide, and wide decimals overflow; so both are summed as decimals of at most 28 digits,
 * for which ten billion rows fit. A value that does not fit counts as NULL.
 */
final class DuckDbAggregates {
  private static final int SUMMABLE_DIGITS = 28;

  private DuckDbAggregates() {}

  static String sql(
      DuckDb dialect,
      AggregateCall call,
      Optional<RenderedExpression> argument,
      Optional<String> filter,
      String over) {
    String tail = TargetDialect.where(filter) + over;
    String distinct = call.distinct() ? "DISTINCT " : "";
    Type type = call.output().type();
    if (call.kind() == AggregateCall.Kind.COUNT) {
      return "COUNT(" + argument.map(a -> distinct + a.sql()).orElse("*") + ")" + tail;
    }
    RenderedExpression value = argument.orElseThrow();
    String sql =
        switch (call.kind()) {
          case SUM -> "SUM(" + distinct + summable(value) + ")" + tail;
          case AVG -> "AVG(" + distinct + summable(value) + ")" + tail;
          case VAR_POP -> variance(call, value, tail, false);
          case VAR_SAMP -> variance(call, value, tail, true);
          case STDDEV_POP -> "sqrt(" + variance(call, value, tail, false) + ")";
          case STDDEV_SAMP -> "sqrt(" + variance(call, value, tail, true) + ")";
          case MIN -> "MIN(" + value.sql() + ")" + tail;
          case MAX -> "MAX(" + value.sql() + ")" + tail;
          case QUANTILE ->
              (type.isNumeric() ? "quantile_cont(" : "quantile_disc(")
                  + value.sql()
                  + ", "
                  + call.fraction().orElseThrow().toPlainString()
                  + ")"
                  + tail;
          case TEXTS ->
              "string_agg(" + distinct + value.sql() + ", '' ORDER BY " + value.sql() + ")" + tail;
          case COUNT, MODE -> throw new IllegalStateException("it has another form");
        };
    String converted = "TRY_CAST(" + sql + " AS " + dialect.typeName(type) + ")";
    // Between two values far apart the difference overflows.
    return call.kind() == AggregateCall.Kind.QUANTILE
        ? dialect.canonicalize(converted, type)
        : converted;
  }

  private static String summable(RenderedExpression value) {
    Type type = value.type();
    if (type.isInteger()
        || type.kind() == Type.Kind.DECIMAL && type.precision() <= SUMMABLE_DIGITS) {
      return value.sql();
    }
    int scale = type.kind() == Type.Kind.DECIMAL ? Math.min(type.scale(), 10) : 10;
    return "TRY_CAST(" + value.sql() + " AS DECIMAL(" + SUMMABLE_DIGITS + ", " + scale + "))";
  }

  /** From exact sums of x and x², with x as DECIMAL(14, 4); never below zero. */
  private static String variance(
      AggregateCall call, RenderedExpression value, String tail, boolean sample) {
    TargetDialect.requireAll(call);
    String x = "TRY_CAST(" + value.sql() + " AS DECIMAL(14, 4))";
    String count = "CAST(COUNT(" + x + ")" + tail + " AS DOUBLE)";
    String sum = "CAST(SUM(" + x + ")" + tail + " AS DOUBLE)";
    // A product of decimals of at most 18 digits would have 18 digits, too, and overflow.
    String wide = "CAST(" + x + " AS DECIMAL(19, 4))";
    String squares = "CAST(SUM(" + wide + " * " + x + ")" + tail + " AS DOUBLE)";
    String spread = "(" + squares + " - " + sum + " * " + sum + " / NULLIF(" + count + ", 0))";
    String divisor = sample ? "(" + count + " - 1)" : count;
    String ratio = "greatest(0, " + spread + " / NULLIF(" + divisor + ", 0))";
    return "CASE WHEN " + count + (sample ? " > 1" : " > 0") + " THEN " + ratio + " END";
  }
}
