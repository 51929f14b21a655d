package flexdp.experiments.workloads;

import flexdp.workload.BudgetAllocation;
import flexdp.workload.BudgetNorm;
import flexdp.workload.CuboidLattice;
import flexdp.workload.LeastSquares;
import flexdp.workload.WorkloadGoal;
import java.util.Arrays;
import java.util.List;

/**
 * A workload over one vector of data, and how wrong its answers are: exact root mean square errors
 * at ε = 1, one row moving the vector by 1.
 *
 * @param shares of the components in the variance of each question's numbers, on average
 * @param today the variance of each question as it was answered before
 * @param measured the cuboids that an even split would measure
 */
record Task(
    String name,
    CuboidLattice lattice,
    List<double[]> shares,
    double[] today,
    List<Integer> measured) {
  /** Laplace noise of scale one over the share. */
  private double[] full() {
    double[] full = new double[lattice.size()];
    for (int s = 0; s < full.length; s++) {
      full[s] = lattice.cells(s) <= 3_000_000 ? 0.5 : 0;
    }
    return full;
  }

  double before() {
    return Math.sqrt(Arrays.stream(today).average().orElseThrow());
  }

  /** With the best split found; questions are not held to what they were before. */
  LeastSquares fit(BudgetNorm norm) {
    double[] full = full();
    double[] plain = new double[full.length];
    measured.forEach(s -> plain[s] += 1.0 / measured.size());
    List<WorkloadGoal> wanted = List.of(new WorkloadGoal(sum(), 1, Double.POSITIVE_INFINITY));
    return BudgetAllocation.of(lattice, wanted, full, plain, norm).fit(lattice, full);
  }

  /** A fit with an even split of the cuboids that were measured before. */
  LeastSquares even() {
    double[] precision = new double[lattice.size()];
    for (int s : measured) {
      precision[s] = 0.5 / measured.size() / measured.size();
    }
    return new LeastSquares(lattice, precision);
  }

  double error(LeastSquares fit) {
    return Math.sqrt(fit.variance(sum()) / shares.size());
  }

  private double[] sum() {
    double[] sum = new double[lattice.size()];
    for (double[] one : shares) {
      for (int r = 0; r < sum.length; r++) {
        sum[r] += one[r];
      }
    }
    return sum;
  }
}
