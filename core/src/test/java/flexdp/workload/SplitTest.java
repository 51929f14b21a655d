package flexdp.workload;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class SplitTest {
  /** Every cuboid of keys without levels is a question; alone it gets an even share. */
  private static List<Wanted> cube(Lattice lattice, Norm norm) {
    List<Wanted> questions = new ArrayList<>();
    double sets = lattice.size();
    double alone = 2 * (norm == Norm.SUM ? sets * sets : sets);
    for (int q = 0; q < lattice.size(); q++) {
      questions.add(new Wanted(lattice.cell(q), 1, alone));
    }
    return questions;
  }

  /** Laplace noise of scale one over the share. */
  private static double[] full(Lattice lattice) {
    double[] full = new double[lattice.size()];
    Arrays.fill(full, 0.5);
    return full;
  }

  private static double error(Lattice lattice, List<Wanted> questions, double[] full, Norm norm) {
    Fit fit = Split.of(lattice, questions, full, norm).orElseThrow().fit(lattice, full);
    return Math.sqrt(
        questions.stream().mapToDouble(q -> fit.variance(q.shares())).average().orElseThrow());
  }

  @Test
  void cubeOfFourKeysHasHalfTheErrorOfAnEvenSplit() {
    Lattice lattice = Lattice.flat(20, 12, 3, 4);
    assertEquals(11.6, error(lattice, cube(lattice, Norm.SUM), full(lattice), Norm.SUM), 0.1);
    Lattice withRest = Lattice.flat(21, 13, 4, 5);
    assertTrue(error(withRest, cube(withRest, Norm.SUM), full(withRest), Norm.SUM) <= 12.5);
  }

  @Test
  void cubeOfSixTruthValuesHasANineteenthOfIt() {
    Lattice lattice = Lattice.flat(2, 2, 2, 2, 2, 2);
    double error = error(lattice, cube(lattice, Norm.SUM), full(lattice), Norm.SUM);
    assertEquals(19, 64 * Math.sqrt(2) / error, 0.5);
  }

  @Test
  void squaresAreSplitByTheConvexProblem() {
    Lattice lattice = Lattice.flat(20, 12, 3, 4);
    double[] full = new double[lattice.size()];
    Arrays.fill(full, 1);
    double error = error(lattice, cube(lattice, Norm.SQUARES), full, Norm.SQUARES);
    assertEquals(2.0, Math.sqrt(2 * 16) / error, 0.05, "Gaussian against Laplace noise");
  }

  @Test
  void sharesNeverExceedTheWholeAndAreTheSameEveryTime() {
    for (Norm norm : Norm.values()) {
      Lattice lattice = new Lattice(List.of(new int[] {1, 5, 20}, new int[] {1, 3}));
      double[] one =
          Split.of(lattice, cube(lattice, norm), full(lattice), norm).orElseThrow().shares();
      double[] two =
          Split.of(lattice, cube(lattice, norm), full(lattice), norm).orElseThrow().shares();
      assertArrayEquals(one, two);
      assertTrue(Arrays.stream(one).sum() <= 1);
      assertTrue(Arrays.stream(one).sum() > 0.999);
    }
  }

  @Test
  void noQuestionIsAnsweredWorseThanByItself() {
    Lattice lattice = Lattice.flat(50, 40);
    List<Wanted> questions =
        List.of(
            new Wanted(lattice.cell(lattice.point(1, 1)), 1, 18),
            new Wanted(lattice.cell(lattice.point(1, 0)), 1, 18),
            new Wanted(lattice.cell(lattice.point(0, 0)), 1, 18));
    Split split = Split.of(lattice, questions, full(lattice), Norm.SUM).orElseThrow();
    Fit fit = split.fit(lattice, full(lattice));
    questions.forEach(q -> assertTrue(fit.variance(q.shares()) <= q.most()));
  }
}
