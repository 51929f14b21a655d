package flexdp.experiments.median;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** By brute force: it bounds what one row changes, and is smooth. */
class MedianSensitivityTest {
  private static final int HIGH = 6;

  @Test
  void itBoundsTheChangeAndNeighboursDifferByTheFactor() {
    SplittableRandom random = new SplittableRandom(2);
    double beta = 0.4;
    for (int round = 0; round < 500; round++) {
      long[] rows = random.longs(1 + random.nextInt(7), 0, HIGH + 1).sorted().toArray();
      double here = MedianSensitivity.of(rows, 0, HIGH, beta);
      for (int i = 0; i < rows.length; i++) {
        for (int value = 0; value <= HIGH; value++) {
          long[] other = rows.clone();
          other[i] = value;
          java.util.Arrays.sort(other);
          int middle = MedianSensitivity.middle(rows.length);
          assertTrue(here >= Math.abs(rows[middle] - other[middle]));
          double there = MedianSensitivity.of(other, 0, HIGH, beta);
          assertTrue(there <= here * Math.exp(beta) * (1 + 1e-12));
        }
      }
    }
  }

  @Test
  void farFromTheMiddleNothingMatters() {
    long[] rows = new long[2001];
    java.util.Arrays.fill(rows, 7);
    rows[2000] = 49_000;
    assertTrue(MedianSensitivity.of(rows, 0, 50_000, 0.15) < 1e-50);
  }
}
