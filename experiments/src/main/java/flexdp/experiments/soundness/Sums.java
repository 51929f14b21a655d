package flexdp.experiments.soundness;

import flexdp.experiments.measure.Setting;
import flexdp.experiments.measure.Way;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * SUM with the width of the range, max − min, as its factor. A replaced row may leave the filter
 * altogether, and then the sum falls by its whole value.
 */
final class Sums {
  private static final String SQL = "SELECT SUM(v) FROM t WHERE f = 1";
  private static final String POLICY =
      """
      flexdp: 1
      privacy: {neighbors: replace-one, epsilon: 1, delta: 1e-8}
      tables:
        t: {columns: {v: {type: integer, range: [%d, %d]}, f: {type: integer}}}
      """;

  private Sums() {}

  static Shortcut run(int cases, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Shortcut.Tally tally = new Shortcut.Tally();
    for (int i = 0; i < cases; i++) {
      int low = random.nextInt(-60, 120);
      int high = low + 1 + random.nextInt(100);
      int[] values = random.ints(1 + random.nextInt(5), low, high + 1).toArray();
      boolean[] passes = new boolean[values.length];
      for (int j = 0; j < passes.length; j++) {
        passes[j] = random.nextBoolean();
      }
      double truth = truth(values, passes, low, high);
      tally.add(
          truth,
          high - low,
          ours(low, high),
          "values in [%d, %d]: %s, one row replaced moves the sum by %.0f, the range is %d wide"
              .formatted(low, high, Arrays.toString(values), truth, high - low));
    }
    return tally.shortcut(
        "SUM by the width of the value range",
        "(max − min)·S",
        "(max(U,0) + max(−L,0))·S, since" + " a row may come and go");
  }

  /** Over every row and everything it may be replaced by: a value, inside the filter or outside. */
  private static double truth(int[] values, boolean[] passes, int low, int high) {
    double most = 0;
    for (int i = 0; i < values.length; i++) {
      double before = passes[i] ? values[i] : 0;
      for (double after : new double[] {low, high, 0}) {
        most = Math.max(most, Math.abs(after - before));
      }
    }
    return most;
  }

  private static double ours(int low, int high) {
    return Setting.read(POLICY.formatted(low, high), "t: {rows: 5}")
        .plan(SQL, Way.DEFAULT, Setting.Cost.of(1, 1e-8), Optional.empty())
        .measurements()
        .stream()
        .map(m -> new BigDecimal(m.bound().elastic(0)).multiply(m.unit()))
        .reduce(BigDecimal.ZERO, BigDecimal::max)
        .doubleValue();
  }
}
