package flexdp.workload;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Which cuboids could be measured, and what each of them would tell: the loss of a choice of
 * shares, and how it changes with each share.
 */
final class Design {
  private final int[] candidates;
  private final double[] full;

  /** The components that matter, and their weights. */
  private final int[] components;

  private final double[] weights;

  /** By candidate: components below it, and what it tells of each at full precision. */
  private final int[][] below;

  private final double[][] tells;

  /**
   * @param full the precision of a cell of each cuboid that gets everything; 0 for cuboids that
   *     must not be measured
   * @param shares of the components in the loss
   */
  Design(Lattice lattice, double[] full, double[] shares) {
    double largest = Arrays.stream(shares).max().orElse(0);
    this.components =
        IntStream.range(0, shares.length).filter(r -> shares[r] > 1e-12 * largest).toArray();
    this.weights = Arrays.stream(components).mapToDouble(r -> shares[r]).toArray();
    this.candidates =
        IntStream.range(0, full.length)
            .filter(s -> full[s] > 0)
            .filter(s -> Arrays.stream(components).anyMatch(r -> lattice.isBelow(r, s)))
            .toArray();
    this.full = full.clone();
    this.below = new int[candidates.length][];
    this.tells = new double[candidates.length][];
    for (int c = 0; c < candidates.length; c++) {
      int s = candidates[c];
      below[c] =
          IntStream.range(0, components.length)
              .filter(i -> lattice.isBelow(components[i], s))
              .toArray();
      tells[c] =
          Arrays.stream(below[c])
              .mapToDouble(i -> full[s] * lattice.cells(components[i]) / lattice.cells(s))
              .toArray();
    }
  }

  int size() {
    return candidates.length;
  }

  /** Shares by candidate as shares by cuboid. */
  double[] spread(double[] shares) {
    double[] all = new double[full.length];
    for (int c = 0; c < candidates.length; c++) {
      all[candidates[c]] = shares[c];
    }
    return all;
  }

  /** Whether a candidate alone tells everything. */
  boolean isEnough(int candidate) {
    return below[candidate].length == components.length;
  }

  /** The sum of variances, by weight. */
  double loss(double[] shares, Norm norm) {
    double[] known = information(shares, norm);
    double loss = 0;
    for (int i = 0; i < known.length; i++) {
      loss += weights[i] / known[i];
    }
    return loss;
  }

  private double[] information(double[] shares, Norm norm) {
    double[] known = new double[components.length];
    for (int c = 0; c < candidates.length; c++) {
      double precision = norm.precision(shares[c]);
      for (int j = 0; j < below[c].length; j++) {
        known[below[c][j]] += precision * tells[c][j];
      }
    }
    return known;
  }

  /** How much the loss falls with the precision of each candidate; the loss comes last. */
  double[] slopes(double[] shares, Norm norm) {
    double[] known = information(shares, norm);
    double[] slopes = new double[candidates.length + 1];
    for (int i = 0; i < known.length; i++) {
      double inverse = 1 / Math.max(known[i], 1e-300);
      slopes[candidates.length] += weights[i] * inverse;
      known[i] = weights[i] * inverse * inverse;
    }
    for (int c = 0; c < candidates.length; c++) {
      for (int j = 0; j < below[c].length; j++) {
        slopes[c] += known[below[c][j]] * tells[c][j];
      }
    }
    return slopes;
  }
}
