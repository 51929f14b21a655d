package flexdp.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.noise.Laplace;
import flexdp.noise.Laplace.LaplaceSum;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Ways that suggest themselves, and what is wrong with them, in figures. */
class WorkloadCounterexamplesTest {
  private static final CuboidLattice CUBE = CuboidLattice.flat(20, 12, 3, 4);

  private static LeastSquares fit(List<WorkloadGoal> goals) {
    double[] full = new double[CUBE.size()];
    Arrays.fill(full, 0.5);
    double[] even = new double[CUBE.size()];
    Arrays.fill(even, 1.0 / CUBE.size());
    return BudgetAllocation.of(CUBE, goals, full, even, BudgetNorm.SUM).fit(CUBE, full);
  }

  /** If every cell counted once, the finest cuboid would get nearly everything. */
  @Test
  void countingEveryCellOnceMakesTotalsWorse() {
    List<WorkloadGoal> goals = new ArrayList<>();
    for (int q = 0; q < CUBE.size(); q++) {
      goals.add(new WorkloadGoal(CUBE.cell(q), CUBE.cells(q), Double.POSITIVE_INFINITY));
    }
    int total = CUBE.point(0, 0, 0, 0);
    double today = Math.sqrt(2) * CUBE.size();
    assertTrue(Math.sqrt(fit(goals).variance(CUBE.cell(total))) / today > 1.5);
    double[] finest = new double[CUBE.size()];
    finest[CUBE.size() - 1] = 0.5;
    double alone = Math.sqrt(new LeastSquares(CUBE, finest).variance(CUBE.cell(total)));
    assertEquals(3.35, alone / today, 0.01, "the finest cuboid only");
  }

  /** Every set counts once, and none is worse than by an even split. */
  @Test
  void countingEverySetOnceMakesNoneWorse() {
    List<WorkloadGoal> goals = new ArrayList<>();
    double today = 2.0 * CUBE.size() * CUBE.size();
    for (int q = 0; q < CUBE.size(); q++) {
      goals.add(new WorkloadGoal(CUBE.cell(q), 1, today));
    }
    LeastSquares fit = fit(goals);
    goals.forEach(goal -> assertTrue(fit.variance(goal.shares()) <= today));
  }

  /** Chernoff's bound on sums is certain and much too wide for bars. */
  @Test
  void exactBarsAreMuchNarrowerThanChernoffs() {
    for (int draws : new int[] {4, 16, 64}) {
      TailProbability tail = new TailProbability();
      tail.laplace(1, draws, 10);
      double chernoff =
          LaplaceSum.halfWidth(
                  Laplace.of(new BigDecimal("0.1")),
                  BigDecimal.ONE,
                  BigDecimal.ONE,
                  new BigDecimal("0.95"),
                  draws)
              .doubleValue();
      double times = chernoff / tail.within(0.95);
      assertTrue(times > 1.25 && times < 2, draws + " draws: " + times);
    }
  }

  /** Only with a cell for the rest do cells add up to the total: without it totals are pulled. */
  @Test
  void withoutARestTotalsArePulledTowardsListedRows() {
    // 100 rows with a listed label, 900 without; next to no noise anywhere.
    CuboidLattice listed = CuboidLattice.flat(10);
    LeastSquares fit = new LeastSquares(listed, new double[] {1, 1});
    double[] labels = new double[10];
    Arrays.fill(labels, 10);
    double pulled =
        fit.cuboids(java.util.Map.of(0, new double[] {1000}, 1, labels), List.of(0))[0][0];
    assertTrue(pulled < 950, "the total is off by " + (1000 - pulled));
    CuboidLattice complete = CuboidLattice.flat(11);
    double[] withRest = Arrays.copyOf(labels, 11);
    withRest[10] = 900;
    double whole =
        new LeastSquares(complete, new double[] {1, 1})
            .cuboids(java.util.Map.of(0, new double[] {1000}, 1, withRest), List.of(0))[0][0];
    assertEquals(1000, whole, 1e-9);
  }
}
