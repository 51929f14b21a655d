package flexdp.release;

import flexdp.algebra.Expr;
import flexdp.algebra.WindowCall;
import flexdp.compute.Evaluator;
import java.math.BigDecimal;
import java.util.function.IntFunction;

/** Ranks, and values of other rows, by place in the order. */
final class WindowRanks {
  private final WindowCall call;
  private final IntFunction<Object[]> arguments;
  private final WindowPartitions partitions;
  private final Object[] values;

  WindowRanks(WindowCall call, RowTable input, Evaluator evaluator, WindowPartitions partitions) {
    this(
        call,
        index -> argument(call.arguments().get(index), input, evaluator, partitions),
        partitions);
  }

  /**
   * @param arguments whatever stands for the values of an argument, by place
   */
  WindowRanks(WindowCall call, IntFunction<Object[]> arguments, WindowPartitions partitions) {
    this.call = call;
    this.arguments = arguments;
    this.partitions = partitions;
    this.values = new Object[partitions.size()];
  }

  /** By place. */
  Object[] values() {
    switch (call.rank().orElseThrow()) {
      case ROW_NUMBER -> each(i -> whole(i - partitions.start(i) + 1));
      case RANK -> each(i -> whole(partitions.peerStart(i) - partitions.start(i) + 1));
      case DENSE_RANK -> denseRanks();
      case PERCENT_RANK -> each(this::percentRank);
      case CUME_DIST -> each(i -> (double) (partitions.peerEnd(i) - partitions.start(i)) / size(i));
      case NTILE -> tiles(constant(0));
      case LAG -> moved(-1);
      case LEAD -> moved(1);
      case FIRST_VALUE -> framed(1);
      case LAST_VALUE -> framed(0);
      case NTH_VALUE -> framed(constant(1));
    }
    return values;
  }

  private interface AtPlace {
    Object at(int place);
  }

  private void each(AtPlace value) {
    for (int i = 0; i < values.length; i++) {
      values[i] = value.at(i);
    }
  }

  private int size(int place) {
    return partitions.end(place) - partitions.start(place);
  }

  private static BigDecimal whole(long number) {
    return BigDecimal.valueOf(number);
  }

  private void denseRanks() {
    long rank = 0;
    for (int i = 0; i < values.length; i++) {
      rank = i == partitions.start(i) ? 1 : i == partitions.peerStart(i) ? rank + 1 : rank;
      values[i] = whole(rank);
    }
  }

  private Object percentRank(int place) {
    int size = size(place);
    return size == 1
        ? 0.0
        : (double) (partitions.peerStart(place) - partitions.start(place)) / (size - 1);
  }

  /** Parts of equal size, the first ones larger by one where that does not come out even. */
  private void tiles(long parts) {
    each(
        i -> {
          long least = size(i) / parts;
          long larger = size(i) % parts;
          long at = (long) i - partitions.start(i);
          long inLarger = larger * (least + 1);
          return whole(at < inLarger ? at / (least + 1) + 1 : larger + (at - inLarger) / least + 1);
        });
  }

  private long constant(int argument) {
    BigDecimal value = (BigDecimal) ((Expr.Literal) call.arguments().get(argument)).value();
    return value.min(BigDecimal.valueOf(Integer.MAX_VALUE)).longValueExact();
  }

  private static Object[] argument(
      Expr argument, RowTable input, Evaluator evaluator, WindowPartitions partitions) {
    Evaluator.Value value = evaluator.compile(argument);
    Object[] all = new Object[partitions.size()];
    for (int i = 0; i < all.length; i++) {
      all[i] = value.on(input.rows().get(partitions.row(i)));
    }
    return all;
  }

  private void moved(int direction) {
    Object[] shown = arguments.apply(0);
    long distance = direction * (call.arguments().size() > 1 ? constant(1) : 1);
    Object[] otherwise =
        call.arguments().size() > 2 ? arguments.apply(2) : new Object[values.length];
    each(
        i -> {
          long place = i + distance;
          return place >= partitions.start(i) && place < partitions.end(i)
              ? shown[(int) place]
              : otherwise[i];
        });
  }

  /** The value at a place of the frame, from 1; 0 is the last. */
  private void framed(long nth) {
    Object[] shown = arguments.apply(0);
    FrameEnds ends = new FrameEnds(partitions, call.frame());
    each(
        i -> {
          long place = nth == 0 ? ends.to(i) - 1 : ends.from(i) + nth - 1;
          return place >= ends.from(i) && place < ends.to(i) ? shown[(int) place] : null;
        });
  }
}
