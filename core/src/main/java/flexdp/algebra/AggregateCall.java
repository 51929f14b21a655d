package flexdp.algebra;

import flexdp.failure.Position;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * One aggregate function over the rows of a group.
 *
 * @param argument absent for COUNT(*) and GROUPING
 * @param filter only rows for which this is true (FILTER, and CASE arguments rewritten to it)
 * @param fraction for QUANTILE: 0.5 is the median
 * @param together whether a statistic is computed of it and of others over the same rows
 */
public record AggregateCall(
    Column output,
    Kind kind,
    Optional<Expr> argument,
    boolean distinct,
    Optional<Expr> filter,
    Optional<BigDecimal> fraction,
    Position at,
    boolean together) {
  /** One that stands for itself. */
  public AggregateCall(
      Column output,
      Kind kind,
      Optional<Expr> argument,
      boolean distinct,
      Optional<Expr> filter,
      Optional<BigDecimal> fraction,
      Position at) {
    this(output, kind, argument, distinct, filter, fraction, at, false);
  }

  public AggregateCall {
    NodeChecks.that(kind == Kind.COUNT || argument.isPresent(), kind + " of nothing");
    NodeChecks.that(
        fraction.isPresent() == (kind == Kind.QUANTILE), "a fraction without a quantile");
    filter.ifPresent(NodeChecks::condition);
  }

  /** The functions. */
  public enum Kind {
    COUNT,
    SUM,
    AVG,
    VAR_POP,
    VAR_SAMP,
    STDDEV_POP,
    STDDEV_SAMP,
    MIN,
    MAX,
    QUANTILE,
    /** The value that most rows have. */
    MODE,
    /** Texts one after another, in their order: of public rows alone. */
    TEXTS
  }

  /** This call over other rows. */
  public AggregateCall map(UnaryOperator<Expr> rule) {
    return new AggregateCall(
        output, kind, argument.map(rule), distinct, filter.map(rule), fraction, at, together);
  }

  /** This call as one of those that a statistic is computed of. */
  public AggregateCall ofStatistic() {
    return new AggregateCall(output, kind, argument, distinct, filter, fraction, at, true);
  }

  public static AggregateCall countStar(Column output, Position at) {
    return new AggregateCall(
        output, Kind.COUNT, Optional.empty(), false, Optional.empty(), Optional.empty(), at);
  }
}
