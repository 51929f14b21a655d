package flexdp.gateway.mariadb;

import static flexdp.gateway.mariadb.MariaDb.once;

import flexdp.algebra.AggregateCall;
import flexdp.algebra.WindowCall;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.gateway.render.FunctionSpelling;
import flexdp.gateway.render.RenderedExpression;
import flexdp.gateway.render.Sql;
import flexdp.gateway.render.TargetDialect;
import flexdp.policy.Type;
import java.util.List;
import java.util.Optional;

/**
 * Aggregates below the release point. Sums are made of decimals with at most 28 digits, which no
 * number of rows overflows and no order of rows changes; a value too large for that counts as NULL.
 */
final class MariaDbAggregates {
  private static final int SUMMABLE_DIGITS = 28;

  private MariaDbAggregates() {}

  static String sql(
      MariaDb dialect,
      AggregateCall call,
      Optional<RenderedExpression> argument,
      Optional<String> filter,
      String over) {
    if (call.kind() == AggregateCall.Kind.COUNT) {
      return dialect.count(argument.map(RenderedExpression::sql), call.distinct(), filter) + over;
    }
    RenderedExpression value = argument.orElseThrow();
    Type type = call.output().type();
    return switch (call.kind()) {
      case SUM ->
          dialect.cast(total("SUM", dialect, call, value, filter) + over, wide(value), type);
      case AVG ->
          dialect.cast(
              "CAST(" + total("AVG", dialect, call, value, filter) + over + " AS DOUBLE)",
              Type.DOUBLE,
              type);
      case VAR_POP -> variance(dialect, call, value, filter, over, false);
      case VAR_SAMP -> variance(dialect, call, value, filter, over, true);
      case STDDEV_POP -> "SQRT(" + variance(dialect, call, value, filter, over, false) + ")";
      case STDDEV_SAMP -> "SQRT(" + variance(dialect, call, value, filter, over, true) + ")";
      case TEXTS ->
          "GROUP_CONCAT("
              + (call.distinct() ? "DISTINCT " : "")
              + filter.map(f -> MariaDb.chosen(value.sql(), f)).orElse(value.sql())
              + " ORDER BY "
              + value.sql()
              + " SEPARATOR '')";
      case MIN, MAX -> extreme(dialect, call, value, filter, over);
      case QUANTILE ->
          throw Rejection.of(
              RejectionCode.UNSUPPORTED,
              "MariaDB has no quantiles below another aggregate.",
              "Use AVG, MIN or MAX there.",
              call.at());
      case COUNT, MODE -> throw new IllegalStateException("it has another form");
    };
  }

  private static String total(
      String function,
      MariaDb dialect,
      AggregateCall call,
      RenderedExpression value,
      Optional<String> filter) {
    String number = summable(dialect, value);
    return function
        + "("
        + (call.distinct() ? "DISTINCT " : "")
        + filter.map(f -> MariaDb.chosen(number, f)).orElse(number)
        + ")";
  }

  /** The type of a sum: never the declared type itself, so that the conversion checks it. */
  private static Type wide(RenderedExpression value) {
    return Type.decimal(38, scale(value.type()));
  }

  private static int scale(Type type) {
    return switch (type.kind()) {
      case DECIMAL ->
          type.precision() <= SUMMABLE_DIGITS ? type.scale() : Math.min(type.scale(), 10);
      case DOUBLE -> 10;
      default -> 0;
    };
  }

  private static String summable(MariaDb dialect, RenderedExpression value) {
    Type type = value.type();
    if (!type.isNumeric()
        || type.isInteger()
        || type.kind() == Type.Kind.DECIMAL && type.precision() <= SUMMABLE_DIGITS) {
      return value.sql();
    }
    return dialect.cast(value.sql(), type, Type.decimal(SUMMABLE_DIGITS, scale(type)));
  }

  private static String extreme(
      MariaDb dialect,
      AggregateCall call,
      RenderedExpression value,
      Optional<String> filter,
      String over) {
    return switch (value.type().kind()) {
      case BOOLEAN, UUID, OPAQUE ->
          throw Rejection.of(
              RejectionCode.TYPE_MISMATCH,
              call.kind() + " of a " + value.type() + " is not supported.",
              "Use COUNT, or convert the argument to text.",
              call.at());
      default -> {
        String inner = filter.map(f -> MariaDb.chosen(value.sql(), f)).orElse(value.sql());
        String sql = call.kind() + "(" + inner + ")" + over;
        yield dialect.cast(sql, value.type(), call.output().type());
      }
    };
  }

  /** From exact sums of x and x², with x as DECIMAL(14, 4); never below zero. */
  private static String variance(
      MariaDb dialect,
      AggregateCall call,
      RenderedExpression value,
      Optional<String> filter,
      String over,
      boolean sample) {
    TargetDialect.requireAll(call);
    String number = dialect.cast(value.sql(), value.type(), Type.decimal(14, 4));
    String chosen = filter.map(f -> MariaDb.chosen(number, f)).orElse(number);
    return once(
        chosen,
        x -> {
          String count = "CAST(COUNT(" + x + ")" + over + " AS DOUBLE)";
          String sum = "CAST(SUM(" + x + ")" + over + " AS DOUBLE)";
          String squares = "CAST(SUM((" + x + ") * (" + x + "))" + over + " AS DOUBLE)";
          String spread = "(" + squares + " - " + sum + " * " + sum + " / " + count + ")";
          String divisor = sample ? "(" + count + " - 1)" : count;
          return Sql.of(
              "(CASE WHEN {count} > {least} THEN GREATEST(0e0, {spread} / {divisor}) END)",
              count,
              sample ? 1 : 0,
              spread,
              divisor);
        });
  }

  static String ranking(WindowCall call, List<RenderedExpression> arguments, String over) {
    WindowCall.Rank rank = call.rank().orElseThrow();
    if (arguments.size() > 2) {
      throw Rejection.of(
          RejectionCode.WINDOW_UNSUPPORTED,
          "MariaDB's " + rank + " has no default value.",
          "Leave the third argument out, and use COALESCE.",
          call.at());
    }
    // Most of them want an order, and a constant order is none.
    String order = over.contains("ORDER BY ") ? over : (over + " ORDER BY NULL").strip();
    return rank + "(" + FunctionSpelling.list(arguments) + ") OVER (" + order + ")";
  }
}
