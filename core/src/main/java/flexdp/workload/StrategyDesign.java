package flexdp.workload;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Which cuboids could be measured, and what each of them would tell: the loss of a choice of
 * shares, and how it changes with each share. Sums over finer and coarser cuboids are made key by
 * key, so both take a few steps per cuboid.
 */
final class StrategyDesign {
  private final CuboidLattice lattice;
  private final int[] candidates;

  /** By candidate: the precision of a cell that gets everything, over the number of cells. */
  private final double[] tells;

  /** Of the components that matter, by cuboid; 0 of the others. */
  private final double[] weights;

  private final boolean[] enough;
  private final double[] finer;
  private final double[] coarser;

  /**
   * @param full the precision of a cell of each cuboid that gets everything; 0 for cuboids that
   *     must not be measured
   * @param shares of the components in the loss
   */
  StrategyDesign(CuboidLattice lattice, double[] full, double[] shares) {
    double largest = Arrays.stream(shares).max().orElse(0);
    this.lattice = lattice;
    this.weights = Arrays.stream(shares).map(x -> x > 1e-12 * largest ? x : 0).toArray();
    double[] below = Arrays.stream(weights).map(x -> x > 0 ? 1 : 0).toArray();
    double all = Arrays.stream(below).sum();
    lattice.sumOfCoarser(below);
    this.candidates =
        IntStream.range(0, full.length).filter(s -> full[s] > 0 && below[s] > 0).toArray();
    this.tells = Arrays.stream(candidates).mapToDouble(s -> full[s] / lattice.cells(s)).toArray();
    this.enough = new boolean[candidates.length];
    for (int c = 0; c < candidates.length; c++) {
      enough[c] = below[candidates[c]] == all;
    }
    this.finer = new double[full.length];
    this.coarser = new double[full.length];
  }

  int size() {
    return candidates.length;
  }

  /** Shares by candidate as shares by cuboid. */
  double[] spread(double[] shares) {
    double[] all = new double[weights.length];
    for (int c = 0; c < candidates.length; c++) {
      all[candidates[c]] = shares[c];
    }
    return all;
  }

  /** Whether a candidate alone tells everything. */
  boolean isEnough(int candidate) {
    return enough[candidate];
  }

  /** The sum of variances, by weight. */
  double loss(double[] shares, BudgetNorm norm) {
    inform(shares, norm);
    double loss = 0;
    for (int r = 0; r < weights.length; r++) {
      if (weights[r] > 0) {
        loss += weights[r] / (finer[r] * lattice.cells(r));
      }
    }
    return loss;
  }

  /** What is known of each component, but for the number of its cells. */
  private void inform(double[] shares, BudgetNorm norm) {
    Arrays.fill(finer, 0);
    for (int c = 0; c < candidates.length; c++) {
      finer[candidates[c]] = norm.precision(shares[c]) * tells[c];
    }
    lattice.sumOfFiner(finer);
  }

  /** How much the loss falls with the precision of each candidate; the loss comes last. */
  double[] slopes(double[] shares, BudgetNorm norm) {
    inform(shares, norm);
    double[] slopes = new double[candidates.length + 1];
    for (int r = 0; r < weights.length; r++) {
      coarser[r] = 0;
      if (weights[r] > 0) {
        long cells = lattice.cells(r);
        double inverse = 1 / Math.max(finer[r] * cells, 1e-300);
        slopes[candidates.length] += weights[r] * inverse;
        coarser[r] = weights[r] * inverse * inverse * cells;
      }
    }
    lattice.sumOfCoarser(coarser);
    for (int c = 0; c < candidates.length; c++) {
      slopes[c] = coarser[candidates[c]] * tells[c];
    }
    return slopes;
  }
}
