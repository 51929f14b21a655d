package flexdp.workload;

import java.util.Arrays;

/**
 * The best shares where precisions go with shares: a convex problem. Every round multiplies each
 * share by the root of what it is worth, which never makes the loss larger.
 */
final class ConvexSplit {
  private static final int ROUNDS = 3000;
  private static final double ENOUGH = 1e-9;

  private ConvexSplit() {}

  static double[] of(Design design) {
    int size = design.size();
    double[] shares = new double[size];
    Arrays.fill(shares, 1.0 / size);
    double last = Double.POSITIVE_INFINITY;
    for (int round = 0; round < ROUNDS; round++) {
      double[] slopes = design.slopes(shares, Norm.SQUARES);
      double loss = slopes[size];
      double sum = 0;
      for (int c = 0; c < size; c++) {
        shares[c] *= Math.sqrt(slopes[c]);
        sum += shares[c];
      }
      for (int c = 0; c < size; c++) {
        shares[c] /= sum;
      }
      if (last - loss < ENOUGH * loss) {
        break;
      }
      last = loss;
    }
    return shares;
  }
}
