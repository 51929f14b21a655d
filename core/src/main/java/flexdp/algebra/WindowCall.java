package flexdp.algebra;

import flexdp.failure.Position;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * One window function.
 *
 * @param aggregate the aggregate function, when it is one; otherwise {@code rank} is set
 * @param frame absent for the standard's default: all rows without an order, otherwise those up to
 *     the rows that equal the current one
 */
public record WindowCall(
    Column output,
    Optional<AggregateCall> aggregate,
    Optional<Rank> rank,
    List<Expr> arguments,
    List<Expr> partition,
    List<SortKey> order,
    Optional<Frame> frame,
    Position at) {
  /** Functions that are not aggregates. */
  public enum Rank {
    ROW_NUMBER,
    RANK,
    DENSE_RANK,
    PERCENT_RANK,
    CUME_DIST,
    NTILE,
    LAG,
    LEAD,
    FIRST_VALUE,
    LAST_VALUE,
    NTH_VALUE
  }

  public WindowCall {
    arguments = List.copyOf(arguments);
    partition = List.copyOf(partition);
    order = List.copyOf(order);
    NodeChecks.that(
        aggregate.isPresent() != rank.isPresent(), "a window function that is not one of two");
  }

  /** This call over other rows. */
  public WindowCall map(UnaryOperator<Expr> rule) {
    return new WindowCall(
        output,
        aggregate.map(a -> a.map(rule)),
        rank,
        arguments.stream().map(rule).toList(),
        partition.stream().map(rule).toList(),
        order.stream().map(key -> key.map(rule)).toList(),
        frame,
        at);
  }

  /** A call with the default frame. */
  public WindowCall(
      Column output,
      Optional<AggregateCall> aggregate,
      Optional<Rank> rank,
      List<Expr> arguments,
      List<Expr> partition,
      List<SortKey> order,
      Position at) {
    this(output, aggregate, rank, arguments, partition, order, Optional.empty(), at);
  }
}
