package flexdp.experiments.blocks;

import java.util.SplittableRandom;

/** Trips whose fare grows with their distance, about 1.8 for each mile. */
final class FareRows {
  static final double FARTHEST = 50;
  static final double DEAREST = 500;

  final double[] distance;
  final double[] fare;

  FareRows(int rows, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    distance = new double[rows];
    fare = new double[rows];
    for (int i = 0; i < rows; i++) {
      double far = -3 * (Math.log(1 - random.nextDouble()) + Math.log(1 - random.nextDouble()));
      distance[i] = Math.min(far, FARTHEST);
      double slope = 1.8 + 0.25 * random.nextGaussian();
      double exact = 3 + slope * distance[i] + 3 * random.nextGaussian();
      fare[i] = Math.min(DEAREST, Math.max(0, exact));
    }
  }

  int rows() {
    return fare.length;
  }

  /** Sums from which a slope is computed, about the middle of both ranges. */
  double[] sums() {
    double[] sums = new double[5];
    for (int i = 0; i < rows(); i++) {
      add(sums, distance[i] - FARTHEST / 2, fare[i] - DEAREST / 2);
    }
    return sums;
  }

  private static void add(double[] sums, double x, double y) {
    sums[0]++;
    sums[1] += x;
    sums[2] += y;
    sums[3] += x * y;
    sums[4] += x * x;
  }

  /** By a hash of the row's own number, as DP_BLOCK does. */
  static int block(int row, int blocks) {
    long mixed = (row + 1) * 0x9E3779B97F4A7C15L;
    mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
    return (int) Long.remainderUnsigned(mixed >>> 20, blocks);
  }

  /** The slopes of all blocks. */
  double[] slopes(int blocks) {
    double[][] sums = new double[blocks][5];
    for (int i = 0; i < rows(); i++) {
      add(sums[block(i, blocks)], distance[i], fare[i]);
    }
    double[] slopes = new double[blocks];
    for (int b = 0; b < blocks; b++) {
      slopes[b] = slope(sums[b]);
    }
    return slopes;
  }

  static double slope(double[] s) {
    double spread = s[4] - s[1] * s[1] / Math.max(1, s[0]);
    return spread > 0 ? (s[3] - s[1] * s[2] / Math.max(1, s[0])) / spread : 0;
  }
}
