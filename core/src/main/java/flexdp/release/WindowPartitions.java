package flexdp.release;

import flexdp.algebra.Expr;
import flexdp.algebra.SortKey;
import flexdp.compute.Evaluator;
import flexdp.compute.ValueOrdering;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Rows in the order of a window: cut into partitions, and those into peers, which are equal in the
 * order. NULL is a value of its own in a partition. Rows that tie stand in the order of all their
 * columns, NULL last, so that the same rows are always arranged alike.
 */
final class WindowPartitions {
  private final List<SortKey> order;
  private final Object[][] keys;
  private final int[] rows;
  private final int[] start;
  private final int[] end;
  private final int[] peerStart;
  private final int[] peerEnd;

  private WindowPartitions(
      RowTable input, Evaluator evaluator, List<Expr> partition, List<SortKey> order) {
    this.order = order;
    int size = input.rows().size();
    int width = partition.size();
    List<Expr> exprs = new ArrayList<>(partition);
    order.forEach(key -> exprs.add(key.expr()));
    List<Evaluator.Value> values = exprs.stream().map(evaluator::compile).toList();
    Object[][] all = new Object[size][];
    for (int i = 0; i < size; i++) {
      List<Object> row = input.rows().get(i);
      Object[] key = new Object[values.size()];
      for (int k = 0; k < key.length; k++) {
        key[k] = values.get(k).on(row);
      }
      all[i] = key;
    }
    rows = SortCodes.sorted(all, width, order).orElseGet(() -> compared(all));
    breakTies(all, input);
    keys = new Object[size][];
    Arrays.setAll(keys, i -> all[rows[i]]);
    start = new int[size];
    end = new int[size];
    peerStart = new int[size];
    peerEnd = new int[size];
    for (int i = 0; i < size; i++) {
      boolean same = i > 0 && compare(keys[i - 1], keys[i], 0, width) == 0;
      boolean peer = same && compare(keys[i - 1], keys[i], width, keys[i].length) == 0;
      start[i] = same ? start[i - 1] : i;
      peerStart[i] = peer ? peerStart[i - 1] : i;
    }
    for (int i = size - 1; i >= 0; i--) {
      boolean last = i == size - 1;
      end[i] = !last && start[i + 1] == start[i] ? end[i + 1] : i + 1;
      peerEnd[i] = !last && peerStart[i + 1] == peerStart[i] ? peerEnd[i + 1] : i + 1;
    }
  }

  static WindowPartitions of(
      RowTable input, Evaluator evaluator, List<Expr> partition, List<SortKey> order) {
    return new WindowPartitions(input, evaluator, partition, order);
  }

  private int compare(Object[] one, Object[] two, int from, int to) {
    int width = one.length - order.size();
    for (int i = from; i < to; i++) {
      int found =
          i < width
              ? ValueOrdering.nullable(one[i], two[i], false, false)
              : ValueOrdering.nullable(
                  one[i],
                  two[i],
                  order.get(i - width).descending(),
                  order.get(i - width).nullsFirst());
      if (found != 0) {
        return found;
      }
    }
    return 0;
  }

  private int[] compared(Object[][] all) {
    Integer[] sorted = new Integer[all.length];
    Arrays.setAll(sorted, i -> i);
    Arrays.sort(sorted, (a, b) -> compare(all[a], all[b], 0, all[a].length));
    return Arrays.stream(sorted).mapToInt(i -> i).toArray();
  }

  private void breakTies(Object[][] all, RowTable input) {
    int[] values =
        IntStream.range(0, input.columns().size())
            .filter(i -> input.columns().get(i).type().kind() != Type.Kind.OPAQUE)
            .toArray();
    int from = 0;
    for (int i = 1; i <= rows.length; i++) {
      boolean ends =
          i == rows.length || compare(all[rows[from]], all[rows[i]], 0, all[rows[i]].length) != 0;
      if (ends && i - from > 1) {
        Integer[] tied = Arrays.stream(rows, from, i).boxed().toArray(Integer[]::new);
        Arrays.sort(tied, (a, b) -> tied(input.rows().get(a), input.rows().get(b), values));
        for (int t = 0; t < tied.length; t++) {
          rows[from + t] = tied[t];
        }
      }
      from = ends ? i : from;
    }
  }

  private static int tied(List<Object> one, List<Object> two, int[] values) {
    for (int i : values) {
      int order = ValueOrdering.nullable(one.get(i), two.get(i), false, false);
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  int size() {
    return rows.length;
  }

  /** The row that stands at a place. */
  int row(int place) {
    return rows[place];
  }

  /** The first place of the partition. */
  int start(int place) {
    return start[place];
  }

  /** One past the last place of the partition. */
  int end(int place) {
    return end[place];
  }

  int peerStart(int place) {
    return peerStart[place];
  }

  int peerEnd(int place) {
    return peerEnd[place];
  }

  /** Whether rows of the partition are equal in the order. */
  boolean hasTies(int place) {
    for (int i = start(place); i < end(place); i = peerEnd(i)) {
      if (peerEnd(i) - i > 1) {
        return true;
      }
    }
    return false;
  }

  /** The value that the only key of the order has at a place. */
  Object key(int place) {
    return keys[place][keys[place].length - 1];
  }

  SortKey onlyKey() {
    return order.getFirst();
  }

  /**
   * Keys of rows as single numbers in the same order, where they are whole numbers, decimals of one
   * scale, days or truth values that do not spread too far: numbers are sorted many times faster
   * than rows.
   */
  private static final class SortCodes {
    private final Object[][] keys;
    private final long[] codes;

    private SortCodes(Object[][] keys) {
      this.keys = keys;
      this.codes = new long[keys.length];
    }

    /**
     * The places of the rows in order, rows that tie as they came; empty when their keys do not
     * fit.
     *
     * @param width how many keys of a partition stand before those of the order
     */
    static Optional<int[]> sorted(Object[][] keys, int width, List<SortKey> order) {
      return new SortCodes(keys).sorted(width, order);
    }

    private Optional<int[]> sorted(int width, List<SortKey> order) {
      int bits = Long.SIZE - Long.numberOfLeadingZeros(keys.length);
      long room = Long.MAX_VALUE >> bits;
      for (int key = 0; key < width + order.size(); key++) {
        boolean descending = key >= width && order.get(key - width).descending();
        boolean nullsFirst = key >= width && order.get(key - width).nullsFirst();
        long span = add(key, descending, nullsFirst, room);
        if (span == 0) {
          return Optional.empty();
        }
        room /= span;
      }
      for (int i = 0; i < codes.length; i++) {
        codes[i] = (codes[i] << bits) | i;
      }
      Arrays.sort(codes);
      int[] places = new int[codes.length];
      for (int i = 0; i < places.length; i++) {
        places[i] = (int) (codes[i] & ((1L << bits) - 1));
      }
      return Optional.of(places);
    }

    /** Appends a key to the codes, and gives the number of values it may have; 0 if too many. */
    private long add(int key, boolean descending, boolean nullsFirst, long room) {
      long[] numbers = new long[codes.length];
      long least = Long.MAX_VALUE;
      long most = Long.MIN_VALUE;
      int scale = Integer.MIN_VALUE;
      for (int i = 0; i < numbers.length; i++) {
        Object value = keys[i][key];
        if (value instanceof BigDecimal number) {
          scale = scale == Integer.MIN_VALUE ? number.scale() : scale;
          if (number.scale() != scale || number.precision() > 18) {
            return 0;
          }
          numbers[i] = scale == 0 ? number.longValue() : number.unscaledValue().longValue();
        } else if (value instanceof LocalDate day) {
          numbers[i] = day.toEpochDay();
        } else if (value instanceof Boolean truth) {
          numbers[i] = truth ? 1 : 0;
        } else if (value != null) {
          return 0;
        }
        if (value != null) {
          least = Math.min(least, numbers[i]);
          most = Math.max(most, numbers[i]);
        }
      }
      // One place at each end for NULL; a key that is always NULL has nothing between them.
      long span = least > most ? 2 : most - least + 3;
      if (span <= 0 || span > room) {
        return 0;
      }
      for (int i = 0; i < numbers.length; i++) {
        long place =
            keys[i][key] == null
                ? (nullsFirst ? 0 : span - 1)
                : 1 + (descending ? most - numbers[i] : numbers[i] - least);
        codes[i] = codes[i] * span + place;
      }
      return span;
    }
  }
}
