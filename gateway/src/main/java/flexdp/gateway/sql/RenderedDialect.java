package flexdp.gateway.sql;

import flexdp.Rejection;
import flexdp.RejectionCode;
import flexdp.algebra.AggregateCall;
import flexdp.algebra.Expr;
import flexdp.policy.Range;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Optional;

/**
 * What dialects share for which statements are written but not run here. They stay with what the
 * database's documentation settles; everything else is rejected. FILTER is written as CASE, which
 * all of them have.
 */
abstract class RenderedDialect extends Dialect {
  private final ExactClamp clamp;

  RenderedDialect(ExactClamp clamp) {
    this.clamp = clamp;
  }

  ExactClamp clamp() {
    return clamp;
  }

  /** The name in sentences. */
  abstract String title();

  /** Why and what instead: never a guess. */
  Rejection unsupported(String what) {
    return Rejection.of(
        RejectionCode.UNSUPPORTED,
        what + " is not supported on " + title() + ".",
        "Leave it out, or ask another database.");
  }

  @Override
  public boolean hasGroupingSets() {
    return false;
  }

  @Override
  public boolean readsOuterColumnsInFrom() {
    return false;
  }

  /** Comparisons of decimals that no type holds both would lose digits or raise. */
  private void requireComparable(Operand left, Operand right) {
    if (left.type().isExact()
        && right.type().isExact()
        && !DuckDb.fits(left.type(), right.type())) {
      throw unsupported("A comparison of " + left.type() + " with " + right.type());
    }
  }

  @Override
  public String compare(String operator, Operand left, Operand right) {
    requireComparable(left, right);
    return "(" + left.sql() + " " + operator + " " + right.sql() + ")";
  }

  @Override
  public String distinctness(boolean distinct, Operand left, Operand right) {
    String same = compare("<=>", left, right);
    return distinct ? "(NOT " + same + ")" : same;
  }

  /** The text of a date that every one of them has. */
  String day(LocalDate date) {
    if (date.getYear() < 1 || date.getYear() > 9999) {
      throw unsupported("A date outside of the years 1 to 9999");
    }
    return SqlText.date(date);
  }

  @Override
  public String count(Optional<String> argument, boolean distinct, Optional<String> filter) {
    String inner =
        filter
            .map(f -> "CASE WHEN " + f + " THEN " + argument.orElse("1") + " END")
            .or(() -> argument)
            .map(a -> (distinct ? "DISTINCT " : "") + a)
            .orElse("*");
    return "COUNT(" + inner + ")";
  }

  @Override
  public Clamped clamped(Operand value, Range range, BigDecimal grid) {
    return clamp.of(value, range, grid);
  }

  @Override
  public String sum(Clamped clamped, Optional<String> filter) {
    return "SUM(" + only(clamped.sql(), filter) + ")";
  }

  private static String only(String sql, Optional<String> filter) {
    return filter.map(f -> "CASE WHEN " + f + " THEN " + sql + " END").orElse(sql);
  }

  @Override
  String aggregate(
      AggregateCall call, Optional<Operand> argument, Optional<String> filter, String over) {
    if (call.kind() == AggregateCall.Kind.COUNT) {
      return count(argument.map(Operand::sql), call.distinct(), filter) + over;
    }
    Operand value = argument.orElseThrow();
    String distinct = call.distinct() ? "DISTINCT " : "";
    Type type = call.output().type();
    return switch (call.kind()) {
      case MIN, MAX -> call.kind() + "(" + only(value.sql(), filter) + ")" + over;
      case SUM ->
          cast(
              "SUM(" + distinct + only(summable(value), filter) + ")" + over,
              Type.decimal(38, scale(value)),
              type);
      case AVG -> {
        String inner = distinct + only(summable(value), filter);
        String sum = "CAST(SUM(" + inner + ")" + over + " AS " + clamp.real() + ")";
        yield cast(
            "(" + sum + " / NULLIF(COUNT(" + inner + ")" + over + ", 0))", Type.DOUBLE, type);
      }
      case VAR_POP, VAR_SAMP, STDDEV_POP, STDDEV_SAMP, QUANTILE ->
          throw unsupported(call.kind() + " below another aggregate");
      case COUNT -> throw new IllegalStateException("handled above");
    };
  }

  private static int scale(Operand value) {
    return value.type().isExact() ? Math.min(value.type().scale(), 10) : 10;
  }

  /** A decimal of 28 digits, of which ten billion fit; a value that is wider counts as NULL. */
  private String summable(Operand value) {
    return cast(value.sql(), value.type(), Type.decimal(28, scale(value)));
  }

  /** A whole number that a function takes, when it is a constant; others are rejected. */
  long constant(Operand operand, String function) {
    if (operand.expr() instanceof Expr.Literal literal
        && literal.value() instanceof BigDecimal number
        && number.abs().compareTo(BigDecimal.valueOf(1_000_000_000)) <= 0) {
      return number.longValue();
    }
    throw unsupported(function + " with a number that is not constant");
  }
}
