package flexdp.algebra;

import flexdp.failure.Position;
import java.util.List;
import java.util.Optional;

/**
 * One window function, by its standard default frame.
 *
 * @param aggregate the aggregate function, when it is one; otherwise {@code rank} is set
 */
public record WindowCall(
    Column output,
    Optional<AggregateCall> aggregate,
    Optional<Rank> rank,
    List<Expr> arguments,
    List<Expr> partition,
    List<SortKey> order,
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
    LAST_VALUE
  }

  public WindowCall {
    arguments = List.copyOf(arguments);
    partition = List.copyOf(partition);
    order = List.copyOf(order);
    Checked.that(
        aggregate.isPresent() != rank.isPresent(), "a window function that is not one of two");
  }
}
