package flexdp.release;

import flexdp.algebra.Frame;
import flexdp.algebra.SortKey;
import flexdp.compute.DateEvaluation;
import flexdp.compute.ValueConversion;
import flexdp.compute.ValueOrdering;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.util.Optional;

/**
 * Where the frame of every row begins and ends. Neither ever goes back from one row to the next,
 * which lets totals and extremes slide.
 */
final class FrameEnds {
  private final WindowPartitions partitions;
  private final int[] from;
  private final int[] to;

  FrameEnds(WindowPartitions partitions, Optional<Frame> frame) {
    this.partitions = partitions;
    from = new int[partitions.size()];
    to = new int[partitions.size()];
    for (int i = 0; i < from.length; i++) {
      int at = i;
      to[i] = frame.map(f -> high(f, at)).orElse(partitions.peerEnd(i));
      from[i] = Math.min(to[i], frame.map(f -> low(f, at)).orElse(partitions.start(i)));
    }
  }

  /** The first place of the frame. */
  int from(int place) {
    return from[place];
  }

  /** One past the last; the same as the first for a frame without rows. */
  int to(int place) {
    return to[place];
  }

  private int low(Frame frame, int at) {
    return switch (frame.low()) {
      case Frame.Bound.Unbounded ignored -> partitions.start(at);
      case Frame.Bound.Current ignored ->
          frame.unit() == Frame.Unit.ROWS ? at : partitions.peerStart(at);
      case Frame.Bound.Offset offset ->
          switch (frame.unit()) {
            case ROWS -> within(at, moved(at, offset));
            case RANGE -> range(at, offset, true);
          };
    };
  }

  private int high(Frame frame, int at) {
    return switch (frame.high()) {
      case Frame.Bound.Unbounded ignored -> partitions.end(at);
      case Frame.Bound.Current ignored ->
          frame.unit() == Frame.Unit.ROWS ? at + 1 : partitions.peerEnd(at);
      case Frame.Bound.Offset offset ->
          switch (frame.unit()) {
            case ROWS -> within(at, moved(at, offset) + 1);
            case RANGE -> range(at, offset, false);
          };
    };
  }

  private int within(int at, long place) {
    return (int) Math.max(partitions.start(at), Math.min(partitions.end(at), place));
  }

  /** A distance beyond all rows is as good as any other. */
  private static long moved(int at, Frame.Bound.Offset offset) {
    BigDecimal distance = (BigDecimal) offset.distance().value();
    long rows = distance.min(BigDecimal.valueOf(Integer.MAX_VALUE)).longValue();
    return offset.preceding() ? at - rows : at + rows;
  }

  /** The rows whose key is within a distance; NULL is near nothing but NULL. */
  private int range(int at, Frame.Bound.Offset offset, boolean low) {
    Object key = partitions.key(at);
    if (key == null) {
      return low ? partitions.peerStart(at) : partitions.peerEnd(at);
    }
    SortKey order = partitions.onlyKey();
    boolean nulls = partitions.key(partitions.start(at)) == null;
    int first = nulls ? partitions.peerEnd(partitions.start(at)) : partitions.start(at);
    int last = partitions.end(at) - 1;
    int end = partitions.key(last) == null ? partitions.peerStart(last) : last + 1;
    Object limit = shifted(key, offset, order);
    if (limit == null) {
      return offset.preceding() ? first : end;
    }
    while (first < end) {
      int middle = (first + end) >>> 1;
      int found = ValueOrdering.compare(partitions.key(middle), limit);
      found = order.descending() ? -found : found;
      if (low ? found < 0 : found <= 0) {
        first = middle + 1;
      } else {
        end = middle;
      }
    }
    return first;
  }

  /** Null when no moment is so far away. */
  private static Object shifted(Object key, Frame.Bound.Offset offset, SortKey order) {
    boolean less = offset.preceding() != order.descending();
    Object distance = offset.distance().value();
    if (distance instanceof Long length) {
      Object moment = ValueConversion.to(Type.TIMESTAMP, key);
      return DateEvaluation.add(moment, less ? -length : length, offset.distance().type());
    }
    BigDecimal by = (BigDecimal) distance;
    BigDecimal number = key instanceof Double d ? new BigDecimal(d) : (BigDecimal) key;
    return less ? number.subtract(by) : number.add(by);
  }
}
