package flexdp.gateway.program;

import java.util.Arrays;
import java.util.Comparator;

/**
 * The rows of one block. They are handed to the program in the order of their numbers, so that it
 * sees no order in which a database met them. A block that is too large is known to be so, and no
 * more of it is kept.
 */
final class BlockRows {
  private final int width;
  private final int most;
  private double[] numbers;
  private int size;
  private boolean tooMany;

  /**
   * @param most numbers that are kept
   */
  BlockRows(int width, int most) {
    this.width = width;
    this.most = most;
    this.numbers = new double[Math.min(most, 8 * width)];
  }

  void add(double[] row) {
    if (tooMany || size + width > most) {
      tooMany = true;
      numbers = new double[0];
      return;
    }
    if (size + width > numbers.length) {
      numbers = Arrays.copyOf(numbers, Math.min(most, Math.max(size + width, 2 * numbers.length)));
    }
    System.arraycopy(row, 0, numbers, size, width);
    size += width;
  }

  boolean isTooMany() {
    return tooMany;
  }

  /** Row after row, sorted by their first numbers, then by the second ones, NaN last. */
  double[] sorted() {
    Integer[] rows = new Integer[size / width];
    Arrays.setAll(rows, i -> i);
    Comparator<Integer> order =
        (a, b) ->
            Arrays.compare(
                numbers, a * width, (a + 1) * width, numbers, b * width, (b + 1) * width);
    Arrays.sort(rows, order);
    double[] sorted = new double[size];
    for (int i = 0; i < rows.length; i++) {
      System.arraycopy(numbers, rows[i] * width, sorted, i * width, width);
    }
    return sorted;
  }
}
