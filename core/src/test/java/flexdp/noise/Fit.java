package flexdp.noise;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;

/**
 * Does a sample follow a distribution? Each test raises a false alarm once in a million seeds, and
 * seeds are fixed.
 */
final class Fit {
  private static final double FALSE_ALARM = 1e-6;

  private Fit() {}

  /** Chi-square by Laurent and Massart's tail bound: P(χ²_k ≥ k + 2√(kx) + 2x) ≤ e^(−x). */
  static boolean chiSquare(long[] observed, double[] probabilities) {
    long n = Arrays.stream(observed).sum();
    double statistic = 0;
    int cells = 0;
    double restObserved = n;
    double restExpected = n;
    for (int i = 0; i < observed.length; i++) {
      double expected = n * probabilities[i];
      if (expected >= 25) {
        statistic += Math.pow(observed[i] - expected, 2) / expected;
        restObserved -= observed[i];
        restExpected -= expected;
        cells++;
      }
    }
    if (restExpected >= 25) {
      statistic += Math.pow(restObserved - restExpected, 2) / restExpected;
      cells++;
    }
    double k = cells - 1;
    double x = -Math.log(FALSE_ALARM);
    return statistic <= k + 2 * Math.sqrt(k * x) + 2 * x;
  }

  /** Kolmogorov and Smirnov by Massart's bound: P(sup |F_n − F| > t) ≤ 2e^(−2nt²), for any F. */
  static boolean distribution(double[] sample, DoubleUnaryOperator cdf) {
    double[] sorted = sample.clone();
    Arrays.sort(sorted);
    int n = sorted.length;
    double worst = 0;
    for (int i = 0; i < n; ) {
      int next = i;
      while (next < n && sorted[next] == sorted[i]) {
        next++;
      }
      worst = Math.max(worst, Math.abs((double) next / n - cdf.applyAsDouble(sorted[i])));
      i = next;
    }
    return worst <= Math.sqrt(Math.log(2 / FALSE_ALARM) / (2.0 * n));
  }

  /** A proportion by Hoeffding's bound, of seeded draws. */
  static void assertProportion(double expected, long hits, long n) {
    assertProportion(expected, hits, n, FALSE_ALARM);
  }

  /**
   * Compares a share of draws that differ in every run.
   *
   * @param falseAlarm how likely it is to fail although all is well
   */
  static void assertProportion(double expected, long hits, long n, double falseAlarm) {
    double off = Math.abs((double) hits / n - expected);
    assertTrue(
        off <= Math.sqrt(Math.log(2 / falseAlarm) / (2.0 * n)),
        () -> "expected " + expected + ", seen " + (double) hits / n + " of " + n);
  }
}
