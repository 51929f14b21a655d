package flexdp.release;

import flexdp.algebra.AggregateCall;
import flexdp.compute.Evaluator;
import flexdp.compute.Ordering;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayDeque;
import java.util.function.UnaryOperator;

/**
 * Aggregates over frames. Totals are differences of running totals, which are exact: floating-point
 * numbers are added up as the numbers that they are, and rounded once. Extremes slide.
 */
final class WindowTotals {
  private static final MathContext DIGITS = new MathContext(60, RoundingMode.HALF_EVEN);

  private final AggregateCall call;

  /** By place; null for rows that FILTER leaves out and for NULL. */
  private final Object[] values;

  /** How many values stand before a place. */
  private final int[] counts;

  WindowTotals(AggregateCall call, Rows input, Evaluator evaluator, Arranged arranged) {
    if (call.distinct()) {
      throw new IllegalArgumentException("DISTINCT has no rule in a window over noisy rows");
    }
    this.call = call;
    Evaluator.Value argument = call.argument().map(evaluator::compile).orElse(row -> true);
    Evaluator.Value filter = call.filter().map(evaluator::compile).orElse(row -> true);
    values = new Object[arranged.size()];
    counts = new int[values.length + 1];
    for (int i = 0; i < values.length; i++) {
      var row = input.rows().get(arranged.row(i));
      values[i] = Evaluator.isTrue(filter.on(row)) ? argument.on(row) : null;
      counts[i + 1] = counts[i] + (values[i] == null ? 0 : 1);
    }
  }

  /** By place. */
  Object[] over(FrameEnds ends) {
    return switch (call.kind()) {
      case COUNT -> each(ends, (from, to) -> BigDecimal.valueOf(counts[to] - counts[from]));
      case MIN -> extremes(ends, -1);
      case MAX -> extremes(ends, 1);
      case SUM -> {
        BigDecimal[] sums = running(n -> n);
        yield each(ends, (from, to) -> count(from, to) == 0 ? null : between(sums, from, to));
      }
      case AVG -> {
        BigDecimal[] sums = running(n -> n);
        yield each(ends, (from, to) -> divided(between(sums, from, to), count(from, to)));
      }
      case VAR_POP, VAR_SAMP, STDDEV_POP, STDDEV_SAMP -> spreads(ends);
      case QUANTILE, MODE, TEXTS ->
          throw new IllegalArgumentException("quantiles and lists have no rule here");
    };
  }

  private interface OverFrame {
    Object of(int from, int to);
  }

  private Object[] each(FrameEnds ends, OverFrame value) {
    Object[] all = new Object[values.length];
    for (int i = 0; i < all.length; i++) {
      all[i] = value.of(ends.from(i), ends.to(i));
    }
    return all;
  }

  private int count(int from, int to) {
    return counts[to] - counts[from];
  }

  private BigDecimal[] running(UnaryOperator<BigDecimal> term) {
    BigDecimal[] sums = new BigDecimal[values.length + 1];
    sums[0] = BigDecimal.ZERO;
    for (int i = 0; i < values.length; i++) {
      sums[i + 1] = values[i] == null ? sums[i] : sums[i].add(term.apply(number(values[i])));
    }
    return sums;
  }

  private static BigDecimal number(Object value) {
    return value instanceof Double d ? new BigDecimal(d) : (BigDecimal) value;
  }

  private static BigDecimal between(BigDecimal[] sums, int from, int to) {
    return sums[to].subtract(sums[from]);
  }

  private static BigDecimal divided(BigDecimal sum, int by) {
    return by <= 0 ? null : sum.divide(BigDecimal.valueOf(by), DIGITS);
  }

  private Object[] spreads(FrameEnds ends) {
    boolean sample =
        call.kind() == AggregateCall.Kind.VAR_SAMP || call.kind() == AggregateCall.Kind.STDDEV_SAMP;
    boolean root =
        call.kind() == AggregateCall.Kind.STDDEV_POP
            || call.kind() == AggregateCall.Kind.STDDEV_SAMP;
    BigDecimal[] sums = running(n -> n);
    BigDecimal[] squares = running(n -> n.multiply(n));
    return each(
        ends,
        (from, to) -> {
          int count = count(from, to);
          BigDecimal sum = between(sums, from, to);
          // count·Σx² − (Σx)² is exact and never negative.
          BigDecimal spread =
              between(squares, from, to)
                  .multiply(BigDecimal.valueOf(count))
                  .subtract(sum.multiply(sum));
          BigDecimal variance = divided(divided(spread, count), sample ? count - 1 : count);
          return variance == null || !root ? variance : variance.sqrt(DIGITS);
        });
  }

  /** The best value of each frame: only those that no later one of the frame beats are kept. */
  private Object[] extremes(FrameEnds ends, int sign) {
    Object[] all = new Object[values.length];
    ArrayDeque<Integer> best = new ArrayDeque<>();
    int read = 0;
    for (int i = 0; i < all.length; i++) {
      for (; read < ends.to(i); read++) {
        Object value = values[read];
        if (value == null) {
          continue;
        }
        while (!best.isEmpty() && sign * Ordering.compare(value, values[best.peekLast()]) >= 0) {
          best.pollLast();
        }
        best.addLast(read);
      }
      while (!best.isEmpty() && best.peekFirst() < ends.from(i)) {
        best.pollFirst();
      }
      all[i] = best.isEmpty() ? null : values[best.peekFirst()];
    }
    return all;
  }
}
