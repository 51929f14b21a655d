package flexdp.smooth;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Branch and bound over boxes of integer distance vectors. In a box from lo to hi no value of
 * e^{-βΣκ}·F exceeds F(hi)·e^{-βΣlo}, as F is monotone; boxes that cannot beat the best value seen
 * are dropped, the others are halved. Values are exact integers, compared by their logarithms with
 * a margin above the error of these; what remains within the margin is returned for an exact
 * comparison.
 */
final class Boxes {
  /** Far above the rounding error of a logarithm, far below any gap that matters. */
  private static final double MARGIN = 1e-10;

  /** A monotone function of distances. */
  interface Formula {
    BigInteger at(long[] distances);
  }

  /** A vector's total distance and the value of the formula there. */
  record Point(long distance, BigInteger value, double height) {}

  /**
   * @param top the logarithm of the formula at its high corner
   */
  private record Box(long[] low, long[] high, double top, double ceiling) {}

  private final Formula formula;
  private final double beta;
  private final List<Point> found = new ArrayList<>();
  private double best = Double.NEGATIVE_INFINITY;

  Boxes(Formula formula, double beta) {
    this.formula = formula;
    this.beta = beta;
  }

  /** All points that may be highest with no component beyond its limit. */
  List<Point> highest(long[] limits) {
    PriorityQueue<Box> open = new PriorityQueue<>((a, b) -> Double.compare(b.ceiling, a.ceiling));
    corner(open, new long[limits.length], limits.clone());
    while (!open.isEmpty() && open.peek().ceiling >= best - MARGIN) {
      Box box = open.poll();
      int widest = widest(box);
      if (box.low[widest] == box.high[widest]) {
        continue;
      }
      long middle = box.low[widest] + (box.high[widest] - box.low[widest]) / 2;
      long[] below = box.high.clone();
      below[widest] = middle;
      corner(open, box.low, below);
      long[] above = box.low.clone();
      above[widest] = middle + 1;
      open(open, above, box.high, box.top);
    }
    found.removeIf(point -> point.height < best - MARGIN);
    return found;
  }

  /** A box whose high corner no other had. */
  private void corner(PriorityQueue<Box> open, long[] low, long[] high) {
    BigInteger top = formula.at(high);
    if (top.signum() == 0) {
      return;
    }
    double logarithm = logarithm(top);
    note(total(high), top, logarithm);
    open(open, low, high, logarithm);
  }

  private void open(PriorityQueue<Box> open, long[] low, long[] high, double top) {
    double ceiling = top - beta * total(low);
    if (ceiling >= best - MARGIN) {
      open.add(new Box(low, high, top, ceiling));
    }
  }

  private void note(long distance, BigInteger value, double logarithm) {
    double height = logarithm - beta * distance;
    if (height >= best - MARGIN) {
      found.add(new Point(distance, value, height));
      best = Math.max(best, height);
    }
  }

  private static int widest(Box box) {
    int widest = 0;
    for (int i = 1; i < box.low.length; i++) {
      if (box.high[i] - box.low[i] > box.high[widest] - box.low[widest]) {
        widest = i;
      }
    }
    return widest;
  }

  private static long total(long[] distances) {
    long total = 0;
    for (long distance : distances) {
      total += distance;
    }
    return total;
  }

  private static double logarithm(BigInteger value) {
    int shift = Math.max(0, value.bitLength() - 62);
    return Math.log(value.shiftRight(shift).doubleValue()) + shift * Math.log(2);
  }
}
