package flexdp.gateway.postgresql;

import flexdp.algebra.AggregateCall;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.gateway.render.RenderedExpression;
import flexdp.gateway.render.Sql;
import flexdp.gateway.render.TargetDialect;
import flexdp.policy.Type;
import java.util.Optional;

/**
 * Aggregates below the release point. Sums of floating point depend on the order of rows and can
 * overflow, so they are made in NUMERIC; a value too large for 28 digits counts as NULL.
 */
final class PostgreSqlAggregates {
  private static final Type SUMMABLE = Type.decimal(28, 10);

  private PostgreSqlAggregates() {}

  static String sql(
      PostgreSql dialect,
      AggregateCall call,
      Optional<RenderedExpression> argument,
      Optional<String> filter,
      String over) {
    String tail = TargetDialect.where(filter) + over;
    String distinct = call.distinct() ? "DISTINCT " : "";
    if (call.kind() == AggregateCall.Kind.COUNT) {
      return "pg_catalog.count(" + argument.map(a -> distinct + a.sql()).orElse("*") + ")" + tail;
    }
    RenderedExpression value = argument.orElseThrow();
    Type type = call.output().type();
    String number = summable(dialect, value);
    String numeric =
        switch (call.kind()) {
          case SUM -> "pg_catalog.sum(" + distinct + number + ")" + tail;
          case AVG -> "pg_catalog.avg(" + distinct + number + ")" + tail;
          case VAR_POP -> "pg_catalog.var_pop(" + distinct + number + ")" + tail;
          case VAR_SAMP -> "pg_catalog.var_samp(" + distinct + number + ")" + tail;
          case STDDEV_POP -> "pg_catalog.stddev_pop(" + distinct + number + ")" + tail;
          case STDDEV_SAMP -> "pg_catalog.stddev_samp(" + distinct + number + ")" + tail;
          case MIN -> extreme("min", value, tail, call);
          case MAX -> extreme("max", value, tail, call);
          case QUANTILE -> quantile(call, value, tail, over);
          case TEXTS ->
              Sql.of(
                  "pg_catalog.string_agg({distinct}{x}, '' ORDER BY {x}){tail}",
                  distinct,
                  value.sql(),
                  tail);
          case COUNT, MODE -> throw new IllegalStateException("it has another form");
        };
    boolean same =
        switch (call.kind()) {
          case MIN, MAX, TEXTS -> true;
          case QUANTILE -> !value.type().isNumeric();
          default -> false;
        };
    Type from = call.kind() == AggregateCall.Kind.QUANTILE ? Type.DOUBLE : Type.decimal(38, 10);
    if (same && value.type().equals(type)) {
      return numeric;
    }
    // Sums of what is computed here rely on its having no more digits than its type.
    return type.kind() == Type.Kind.DECIMAL
        ? PostgreSqlCasts.toDecimal(dialect, numeric, from, type)
        : dialect.cast(numeric, from, type);
  }

  private static String summable(PostgreSql dialect, RenderedExpression value) {
    if (!value.type().isNumeric()) {
      return value.sql();
    }
    return value.type().isExact()
        ? "CAST(" + value.sql() + " AS NUMERIC)"
        : dialect.cast(value.sql(), value.type(), SUMMABLE);
  }

  private static String extreme(
      String name, RenderedExpression value, String tail, AggregateCall call) {
    return switch (value.type().kind()) {
      case BOOLEAN, UUID, OPAQUE ->
          throw Rejection.of(
              RejectionCode.TYPE_MISMATCH,
              call.kind() + " of a " + value.type() + " is not supported.",
              "Use COUNT, or convert the argument to text.",
              call.at());
      case VARCHAR ->
          "pg_catalog." + name + "(" + value.sql() + PostgreSql.BY_CODE_POINT + ")" + tail;
      default -> "pg_catalog." + name + "(" + value.sql() + ")" + tail;
    };
  }

  private static String quantile(
      AggregateCall call, RenderedExpression value, String tail, String over) {
    if (!over.isEmpty()) {
      throw Rejection.of(
          RejectionCode.WINDOW_UNSUPPORTED,
          "PostgreSQL has no quantiles over windows.",
          "Compute the quantile with GROUP BY.",
          call.at());
    }
    boolean numeric = value.type().isNumeric();
    String sql =
        (numeric ? "pg_catalog.percentile_cont(" : "pg_catalog.percentile_disc(")
            + call.fraction().orElseThrow().toPlainString()
            + ") WITHIN GROUP (ORDER BY "
            + (numeric ? "CAST(" + value.sql() + " AS DOUBLE PRECISION)" : value.sql())
            + ")"
            + tail;
    // Between two values far apart the difference overflows.
    return numeric
        ? "CASE WHEN " + sql + PostgreSqlCanonicalForm.REAL + " THEN " + sql + " END"
        : sql;
  }
}
