package flexdp.gateway.sqlite;

import flexdp.algebra.AggregateCall;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.gateway.render.RenderedExpression;
import flexdp.gateway.render.Sql;
import flexdp.gateway.render.TargetDialect;
import flexdp.policy.Type;
import java.util.Optional;

/**
 * Aggregates below the release point. SUM of whole numbers raises when it leaves 64 bits and SUM of
 * floats depends on the order of rows; so whole numbers are summed in two halves, and floats as a
 * whole part and ten digits after the point. A float of 10^15 and more counts as NULL.
 */
final class SqliteAggregates {
  private static final String FLOAT = "4294967296.0";

  private SqliteAggregates() {}

  static String sql(
      AggregateCall call,
      Optional<RenderedExpression> argument,
      Optional<String> filter,
      String over) {
    String tail = TargetDialect.where(filter) + over;
    String distinct = call.distinct() ? "DISTINCT " : "";
    if (call.kind() == AggregateCall.Kind.COUNT) {
      return "COUNT(" + argument.map(a -> distinct + a.sql()).orElse("*") + ")" + tail;
    }
    RenderedExpression value = argument.orElseThrow();
    return switch (call.kind()) {
      case MIN -> "MIN(" + value.sql() + ")" + tail;
      case MAX -> "MAX(" + value.sql() + ")" + tail;
      case TEXTS -> texts(call, value, tail);
      case SUM -> sum(call, value, tail);
      case AVG -> average(call, value, tail);
      case VAR_POP, VAR_SAMP, STDDEV_POP, STDDEV_SAMP, QUANTILE ->
          throw unsupported(call, call.kind() + " below another aggregate");
      case COUNT, MODE -> throw new IllegalStateException("it has another form");
    };
  }

  /** Of different texts there is no separator to choose: their bytes are put together instead. */
  private static String texts(AggregateCall call, RenderedExpression value, String tail) {
    if (!call.distinct()) {
      return "group_concat(" + value.sql() + ", '' ORDER BY " + value.sql() + ")" + tail;
    }
    String bytes = "CASE WHEN " + value.sql() + " IS NOT NULL THEN hex(" + value.sql() + ") END";
    String list = "group_concat(DISTINCT " + bytes + " ORDER BY " + bytes + ")" + tail;
    return "CAST(unhex(replace(" + list + ", ',', '')) AS TEXT)";
  }

  private static Rejection unsupported(AggregateCall call, String what) {
    return Rejection.of(
        RejectionCode.UNSUPPORTED,
        what + " is not supported on SQLite.",
        "Use COUNT, SUM, AVG, MIN or MAX there; distinct values can be taken in a subquery first.",
        call.at());
  }

  private static String sum(AggregateCall call, RenderedExpression value, String tail) {
    requirePlain(call);
    Type type = call.output().type();
    if (value.type().kind() == Type.Kind.DOUBLE) {
      return SqliteCasts.cast(real(value, tail), Type.DOUBLE, type);
    }
    String total = total(value.sql(), "4294967296", tail);
    String whole = "CASE WHEN typeof(" + total + ") = 'integer' THEN " + total + " END";
    return type.isExact() && type.scale() == value.type().scale()
        ? "(" + whole + ")"
        : cast("(" + whole + ")", value.type(), type);
  }

  private static void requirePlain(AggregateCall call) {
    if (call.distinct()) {
      throw unsupported(call, call.kind() + "(DISTINCT ...)");
    }
  }

  private static String average(AggregateCall call, RenderedExpression value, String tail) {
    requirePlain(call);
    String count = "COUNT(" + value.sql() + ")" + tail;
    String total =
        value.type().kind() == Type.Kind.DOUBLE
            ? real(value, tail)
            : "(" + total(value.sql(), FLOAT, tail) + " / 1e" + value.type().scale() + ")";
    String mean = "(" + total + " / NULLIF(" + count + ", 0))";
    return cast(mean, Type.DOUBLE, call.output().type());
  }

  /** Without a subquery around it, in which an aggregate would lose its rows. */
  private static String cast(String sql, Type from, Type to) {
    if (from.equals(to)) {
      return sql;
    }
    if (to.kind() == Type.Kind.DOUBLE) {
      return "(CAST(" + sql + " AS REAL) / 1e" + from.scale() + ")";
    }
    if (from.kind() == Type.Kind.DOUBLE && to.isExact()) {
      String scaled = "round(" + sql + " * 1e" + to.scale() + ")";
      return "CASE WHEN abs(" + scaled + ") < 1e18 THEN CAST(" + scaled + " AS INTEGER) END";
    }
    throw new IllegalArgumentException("a sum is not a " + to);
  }

  private static String real(RenderedExpression value, String tail) {
    String x = value.sql();
    String inside = "CASE WHEN abs(" + x + ") < 1e15 THEN ";
    String whole = inside + "CAST(floor(" + x + ") AS INTEGER) END";
    String rest = inside + "CAST(round((" + x + " - floor(" + x + ")) * 1e10) AS INTEGER) END";
    return "(" + total(whole, FLOAT, tail) + " + " + total(rest, FLOAT, tail) + " / 1e10)";
  }

  /** The sum of whole numbers, put together as a whole number or a float. */
  private static String total(String whole, String unit, String tail) {
    return Sql.of(
        "(SUM(({x}) >> 32){tail} * {unit} + SUM(({x}) & 4294967295){tail})", whole, tail, unit);
  }
}
