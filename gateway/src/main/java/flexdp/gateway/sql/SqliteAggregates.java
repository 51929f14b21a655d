package flexdp.gateway.sql;

import flexdp.Rejection;
import flexdp.RejectionCode;
import flexdp.algebra.AggregateCall;
import flexdp.policy.Type;
import java.util.Optional;

/**
 * Aggregates below the release point. SUM of whole numbers raises when it leaves 64 bits and SUM of
 * floats depends on the order of rows; so whole numbers are summed in two halves, and floats as a
 * whole part and ten digits after the point. A float of 10^15 and more counts as NULL.
 */
final class SqliteAggregates {
  private SqliteAggregates() {}

  static String sql(
      AggregateCall call, Optional<Operand> argument, Optional<String> filter, String over) {
    String tail = Dialect.where(filter) + over;
    String distinct = call.distinct() ? "DISTINCT " : "";
    if (call.kind() == AggregateCall.Kind.COUNT) {
      return "COUNT(" + argument.map(a -> distinct + a.sql()).orElse("*") + ")" + tail;
    }
    Operand value = argument.orElseThrow();
    return switch (call.kind()) {
      case MIN -> "MIN(" + value.sql() + ")" + tail;
      case MAX -> "MAX(" + value.sql() + ")" + tail;
      case SUM -> sum(call, value, tail);
      case AVG -> average(call, value, tail);
      case VAR_POP, VAR_SAMP, STDDEV_POP, STDDEV_SAMP, QUANTILE ->
          throw unsupported(call, call.kind() + " below another aggregate");
      case COUNT -> throw new IllegalStateException("handled above");
    };
  }

  private static Rejection unsupported(AggregateCall call, String what) {
    return Rejection.of(
        RejectionCode.UNSUPPORTED,
        what + " is not supported on SQLite.",
        "Use COUNT, SUM, AVG, MIN or MAX there; distinct values can be taken in a subquery first.",
        call.at());
  }

  private static String sum(AggregateCall call, Operand value, String tail) {
    Type type = call.output().type();
    if (value.type().kind() == Type.Kind.DOUBLE) {
      return SqliteCasts.cast(real(call, value, tail), Type.DOUBLE, type);
    }
    String total =
        "("
            + half(call, value, ">> 32", tail)
            + " * 4294967296 + "
            + half(call, value, "& 4294967295", tail)
            + ")";
    String whole = "CASE WHEN typeof(" + total + ") = 'integer' THEN " + total + " END";
    Type exact = Type.decimal(18, value.type().scale());
    return type.isExact() && type.scale() == exact.scale()
        ? "(" + whole + ")"
        : cast("(" + whole + ")", exact, type);
  }

  private static String average(AggregateCall call, Operand value, String tail) {
    String count = "COUNT(" + value.sql() + ")" + tail;
    String total =
        value.type().kind() == Type.Kind.DOUBLE
            ? real(call, value, tail)
            : "((CAST("
                + half(call, value, ">> 32", tail)
                + " AS REAL) * 4294967296.0 + "
                + half(call, value, "& 4294967295", tail)
                + ") / 1e"
                + value.type().scale()
                + ")";
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

  private static String half(AggregateCall call, Operand value, String which, String tail) {
    if (call.distinct()) {
      throw unsupported(call, call.kind() + "(DISTINCT ...)");
    }
    return "SUM(" + value.sql() + " " + which + ")" + tail;
  }

  private static String real(AggregateCall call, Operand value, String tail) {
    if (call.distinct()) {
      throw unsupported(call, call.kind() + "(DISTINCT ...)");
    }
    String x = value.sql();
    String inside = "CASE WHEN abs(" + x + ") < 1e15 THEN ";
    String whole = "SUM(" + inside + "CAST(floor(" + x + ") AS INTEGER) END)" + tail;
    String rest =
        "SUM("
            + inside
            + "CAST(round(("
            + x
            + " - floor("
            + x
            + ")) * 1e10) AS INTEGER) END)"
            + tail;
    return "(CAST(" + whole + " AS REAL) + " + rest + " / 1e10)";
  }
}
