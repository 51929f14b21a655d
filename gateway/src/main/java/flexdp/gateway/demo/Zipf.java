package flexdp.gateway.demo;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Ranks 0, 1, 2, ... of which the first are by far the most frequent, as drivers, riders and cities
 * are: rank i has weight (i + head)^-exponent.
 */
final class Zipf {
  private final double[] cumulative;

  Zipf(int ranks, double head, double exponent) {
    cumulative = new double[ranks];
    double sum = 0;
    for (int i = 0; i < ranks; i++) {
      sum += StrictMath.pow(i + head, -exponent);
      cumulative[i] = sum;
    }
  }

  /** A rank among the first {@code limit}. */
  int rank(SplittableRandom random, int limit) {
    double point = random.nextDouble() * cumulative[limit - 1];
    int found = Arrays.binarySearch(cumulative, 0, limit, point);
    return Math.min(limit - 1, found >= 0 ? found + 1 : -found - 1);
  }
}
