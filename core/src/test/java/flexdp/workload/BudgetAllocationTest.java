package flexdp.workload;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class BudgetAllocationTest {
  /** Every cuboid of keys without levels is a question; alone it gets an even share. */
  private static List<WorkloadGoal> cube(CuboidLattice lattice, BudgetNorm norm) {
    List<WorkloadGoal> questions = new ArrayList<>();
    double sets = lattice.size();
    double alone = 2 * (norm == BudgetNorm.SUM ? sets * sets : sets);
    for (int q = 0; q < lattice.size(); q++) {
      questions.add(new WorkloadGoal(lattice.cell(q), 1, alone));
    }
    return questions;
  }

  /** Laplace noise of scale one over the share. */
  private static double[] full(CuboidLattice lattice) {
    double[] full = new double[lattice.size()];
    Arrays.fill(full, 0.5);
    return full;
  }

  private static BudgetAllocation split(
      CuboidLattice lattice, List<WorkloadGoal> questions, double[] full, BudgetNorm norm) {
    double[] even = new double[lattice.size()];
    Arrays.fill(even, 1.0 / lattice.size());
    return BudgetAllocation.of(lattice, questions, full, even, norm);
  }

  private static double error(
      CuboidLattice lattice, List<WorkloadGoal> questions, double[] full, BudgetNorm norm) {
    LeastSquares fit = split(lattice, questions, full, norm).fit(lattice, full);
    return Math.sqrt(
        questions.stream().mapToDouble(q -> fit.variance(q.shares())).average().orElseThrow());
  }

  @Test
  void cubeOfFourKeysHasHalfTheErrorOfAnEvenSplit() {
    CuboidLattice lattice = CuboidLattice.flat(20, 12, 3, 4);
    assertEquals(
        11.6, error(lattice, cube(lattice, BudgetNorm.SUM), full(lattice), BudgetNorm.SUM), 0.1);
    CuboidLattice withRest = CuboidLattice.flat(21, 13, 4, 5);
    assertEquals(
        13.2,
        error(withRest, cube(withRest, BudgetNorm.SUM), full(withRest), BudgetNorm.SUM),
        0.1,
        "a rest");
  }

  @Test
  void cubeOfSixTruthValuesHasANineteenthOfIt() {
    CuboidLattice lattice = CuboidLattice.flat(2, 2, 2, 2, 2, 2);
    double error = error(lattice, cube(lattice, BudgetNorm.SUM), full(lattice), BudgetNorm.SUM);
    assertEquals(19, 64 * Math.sqrt(2) / error, 0.5);
  }

  @Test
  void squaresAreSplitByTheConvexProblem() {
    CuboidLattice lattice = CuboidLattice.flat(20, 12, 3, 4);
    double[] full = new double[lattice.size()];
    Arrays.fill(full, 1);
    double error = error(lattice, cube(lattice, BudgetNorm.SQUARES), full, BudgetNorm.SQUARES);
    assertEquals(2.0, Math.sqrt(2 * 16) / error, 0.05, "Gaussian against Laplace noise");
  }

  /**
   * The least sum of variances that correlated Gaussian noise on residuals can have (Xiao et al.,
   * ResidualPlanner), with ρ = ½: one step per component, for the sets that are asked for.
   */
  private static double residuals(CuboidLattice lattice, List<Integer> sets) {
    double sum = 0;
    for (int r = 0; r < lattice.size(); r++) {
      double part = 1;
      for (int key = 0; key < lattice.keys(); key++) {
        double labels = lattice.blocks(key, 1);
        part *= lattice.level(r, key) > 0 ? (labels - 1) / labels : 1;
      }
      double weight = 0;
      for (int q : sets) {
        double own = lattice.isBelow(r, q) ? part : 0;
        for (int key = 0; key < lattice.keys(); key++) {
          double labels = lattice.blocks(key, 1);
          boolean spread = lattice.level(q, key) > 0 && lattice.level(r, key) == 0;
          own /= spread ? labels * labels : 1;
        }
        weight += own;
      }
      sum += Math.sqrt(weight * part);
    }
    return sum * sum;
  }

  private static double beyondResiduals(CuboidLattice lattice, int mostKeys) {
    List<Integer> sets = new ArrayList<>();
    List<WorkloadGoal> questions = new ArrayList<>();
    double[] even = new double[lattice.size()];
    for (int q = 0; q < lattice.size(); q++) {
      int keys = 0;
      for (int key = 0; key < lattice.keys(); key++) {
        keys += lattice.level(q, key);
      }
      if (mostKeys < 0 || keys == mostKeys) {
        sets.add(q);
        questions.add(new WorkloadGoal(lattice.cell(q), 1, Double.POSITIVE_INFINITY));
      }
    }
    sets.forEach(q -> even[q] = 1.0 / sets.size());
    double[] full = new double[lattice.size()];
    Arrays.fill(full, 1);
    LeastSquares fit =
        BudgetAllocation.of(lattice, questions, full, even, BudgetNorm.SQUARES).fit(lattice, full);
    double ours = questions.stream().mapToDouble(q -> fit.variance(q.shares())).sum();
    return Math.sqrt(ours / residuals(lattice, sets));
  }

  /** Plain GROUP BYs are as good as correlated noise on cubes, and nearly so on bare pairs. */
  @Test
  void theConvexSplitIsTheOptimumOfResidualsOnCubes() {
    assertEquals(1, beyondResiduals(CuboidLattice.flat(20, 12, 3, 4), -1), 0.005);
    assertEquals(1, beyondResiduals(CuboidLattice.flat(2, 2, 2, 2, 2, 2), -1), 0.005);
    assertEquals(1.03, beyondResiduals(CuboidLattice.flat(9, 16, 7, 15, 5, 2), 2), 0.01);
  }

  @Test
  void sharesNeverExceedTheWholeAndAreTheSameEveryTime() {
    for (BudgetNorm norm : BudgetNorm.values()) {
      CuboidLattice lattice = new CuboidLattice(List.of(new int[] {1, 5, 20}, new int[] {1, 3}));
      double[] one = split(lattice, cube(lattice, norm), full(lattice), norm).shares();
      double[] two = split(lattice, cube(lattice, norm), full(lattice), norm).shares();
      assertArrayEquals(one, two);
      assertTrue(Arrays.stream(one).sum() <= 1);
      assertTrue(Arrays.stream(one).sum() > 0.999);
    }
  }

  @Test
  void noQuestionIsAnsweredWorseThanByItself() {
    CuboidLattice lattice = CuboidLattice.flat(50, 40);
    List<WorkloadGoal> questions =
        List.of(
            new WorkloadGoal(lattice.cell(lattice.point(1, 1)), 1, 18),
            new WorkloadGoal(lattice.cell(lattice.point(1, 0)), 1, 18),
            new WorkloadGoal(lattice.cell(lattice.point(0, 0)), 1, 18));
    BudgetAllocation split = split(lattice, questions, full(lattice), BudgetNorm.SUM);
    assertTrue(split.shares()[lattice.size() - 1] < 0.9, "which would be best for cells alone");
    LeastSquares fit = split.fit(lattice, full(lattice));
    questions.forEach(q -> assertTrue(fit.variance(q.shares()) <= q.most()));
  }
}
