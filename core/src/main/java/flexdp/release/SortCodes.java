package flexdp.release;

import flexdp.algebra.SortKey;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Keys of rows as single numbers in the same order, where they are whole numbers, decimals of one
 * scale, days or truth values that do not spread too far: numbers are sorted many times faster than
 * rows.
 */
final class SortCodes {
  private final Object[][] keys;
  private final long[] codes;

  private SortCodes(Object[][] keys) {
    this.keys = keys;
    this.codes = new long[keys.length];
  }

  /**
   * The places of the rows in order, rows that tie as they came; empty when their keys do not fit.
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
