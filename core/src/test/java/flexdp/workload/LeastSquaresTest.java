package flexdp.workload;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import flexdp.workload.Estimates.CellDraws;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** The closed form against linear algebra that knows nothing of lattices. */
class LeastSquaresTest {
  private static final int[][] LEVELS = {{1, 2}, {1, 3}, {1, 2, 6}, {1, 4}, {1, 2, 4}, {1}, {1, 5}};

  @RepeatedTest(25)
  void closedFormIsWeightedLeastSquares(RepetitionInfo run) {
    Random random = new Random(run.getCurrentRepetition());
    CuboidLattice lattice = lattice(random);
    double[] precision = new double[lattice.size()];
    for (int s = 0; s < precision.length; s++) {
      precision[s] = random.nextInt(3) == 0 ? 0.2 + random.nextDouble() : 0;
    }
    precision[lattice.size() - 1] = 0.1 + random.nextDouble();
    int n = (int) lattice.cells(lattice.size() - 1);
    double[][] normal = new double[n][n];
    double[] right = new double[n];
    Map<Integer, double[]> measured = new TreeMap<>();
    for (int s = 0; s < precision.length; s++) {
      if (precision[s] > 0) {
        double[][] m = dense(lattice, s);
        double[] y = random.doubles(m.length, -9, 9).toArray();
        measured.put(s, y);
        for (int row = 0; row < m.length; row++) {
          for (int i = 0; i < n; i++) {
            right[i] += precision[s] * m[row][i] * y[row];
            for (int j = 0; j < n; j++) {
              normal[i][j] += precision[s] * m[row][i] * m[row][j];
            }
          }
        }
      }
    }
    double[] solution = solve(normal, right);
    LeastSquares fit = new LeastSquares(lattice, precision);
    List<Integer> all = new ArrayList<>();
    for (int q = 0; q < lattice.size(); q++) {
      all.add(q);
    }
    double[][] fitted = fit.cuboids(measured, all);
    for (int q = 0; q < lattice.size(); q++) {
      double[][] m = dense(lattice, q);
      assertArrayEquals(times(m, solution), fitted[q], 1e-9);
      double variance = dot(m[0], solve(normal, m[0]));
      assertEquals(variance, fit.variance(lattice.cell(q)), 1e-9 * variance);
      double drawn = 0;
      for (CellDraws draws : CellDraws.of(fit, q)) {
        drawn +=
            draws.times() * draws.coefficient() * draws.coefficient() / precision[draws.cuboid()];
      }
      assertEquals(variance, drawn, 1e-9 * variance, "by draws");
    }
    double[][] coefficients = new double[lattice.keys()][];
    for (int key = 0; key < coefficients.length; key++) {
      int labels = lattice.blocks(key, lattice.finest(key));
      coefficients[key] = random.ints(labels, 0, 2).asDoubleStream().toArray();
      coefficients[key][0] = 1;
    }
    double[] functional = new double[n];
    for (int cell = 0; cell < n; cell++) {
      functional[cell] = 1;
      int rest = cell;
      for (int key = coefficients.length - 1; key >= 0; key--) {
        functional[cell] *= coefficients[key][rest % coefficients[key].length];
        rest /= coefficients[key].length;
      }
    }
    double variance = dot(functional, solve(normal, functional));
    assertEquals(variance, fit.variance(lattice.product(coefficients)), 1e-9 * variance);
  }

  /** By levels and blocks, against the dense row of coefficients: as squares and fourth powers. */
  @RepeatedTest(25)
  void drawsOfSumsAreTheirCoefficients(RepetitionInfo run) {
    Random random = new Random(1_000 + run.getCurrentRepetition());
    CuboidLattice lattice = lattice(random);
    double[] precision = new double[lattice.size()];
    for (int s = 0; s < precision.length; s++) {
      precision[s] = random.nextInt(3) == 0 ? 0.2 + random.nextDouble() : 0;
    }
    precision[lattice.size() - 1] = 0.1 + random.nextDouble();
    int n = (int) lattice.cells(lattice.size() - 1);
    double[][] normal = new double[n][n];
    for (int s = 0; s < precision.length; s++) {
      for (double[] row : precision[s] > 0 ? dense(lattice, s) : new double[0][]) {
        for (int i = 0; i < n; i++) {
          for (int j = 0; j < n; j++) {
            normal[i][j] += precision[s] * row[i] * row[j];
          }
        }
      }
    }
    int cuboid = random.nextInt(lattice.size());
    int[][] blocks = new int[lattice.keys()][];
    for (int key = 0; key < blocks.length; key++) {
      blocks[key] =
          java.util.stream.IntStream.range(0, lattice.blocks(key, lattice.level(cuboid, key)))
              .filter(block -> random.nextInt(3) > 0)
              .toArray();
    }
    double[] functional = new double[n];
    double[][] cells = dense(lattice, cuboid);
    for (int cell = 0; cell < cells.length; cell++) {
      int rest = cell;
      boolean in = true;
      for (int key = blocks.length - 1; key >= 0; key--) {
        int width = lattice.blocks(key, lattice.level(cuboid, key));
        in &= java.util.Arrays.binarySearch(blocks[key], rest % width) >= 0;
        rest /= width;
      }
      for (int i = 0; i < n; i++) {
        functional[i] += in ? cells[cell][i] : 0;
      }
    }
    double[] solved = solve(normal, functional);
    double[] expected = new double[2];
    for (int s = 0; s < precision.length; s++) {
      for (double[] row : precision[s] > 0 ? dense(lattice, s) : new double[0][]) {
        double coefficient = precision[s] * dot(row, solved);
        expected[0] += Math.pow(coefficient, 2);
        expected[1] += Math.pow(coefficient, 4);
      }
    }
    double[] found = new double[2];
    for (CellDraws draws : CellDraws.of(new LeastSquares(lattice, precision), cuboid, blocks)) {
      found[0] += draws.times() * Math.pow(draws.coefficient(), 2);
      found[1] += draws.times() * Math.pow(draws.coefficient(), 4);
    }
    assertArrayEquals(expected, found, 1e-9 * (1 + expected[0] * expected[0]));
  }

  @Test
  void whatNothingHoldsIsNotKnown() {
    CuboidLattice lattice = CuboidLattice.flat(3, 4);
    double[] precision = new double[lattice.size()];
    precision[lattice.point(1, 0)] = 1;
    LeastSquares fit = new LeastSquares(lattice, precision);
    assertFalse(fit.knows(lattice.cell(lattice.point(0, 1))));
    assertEquals(Double.POSITIVE_INFINITY, fit.variance(lattice.cell(lattice.point(1, 1))));
    assertEquals(3, fit.variance(lattice.cell(lattice.point(0, 0))), 1e-12);
  }

  @Test
  void cellsAddUp() {
    CuboidLattice lattice = CuboidLattice.flat(20, 12, 3, 4);
    double[] precision = new double[lattice.size()];
    Map<Integer, double[]> measured = new TreeMap<>();
    Random random = new Random(7);
    for (int s = 0; s < lattice.size(); s++) {
      precision[s] = random.nextDouble();
      measured.put(s, random.doubles(lattice.cells(s), 0, 1e6).toArray());
    }
    double[][] fitted =
        new LeastSquares(lattice, precision).cuboids(measured, List.of(lattice.size() - 1));
    for (int s = 0; s < lattice.size(); s++) {
      double[] sums = times(dense(lattice, s), fitted[lattice.size() - 1]);
      assertArrayEquals(sums, fitted[s], 1e-6, "of numbers up to millions");
    }
  }

  private static CuboidLattice lattice(Random random) {
    List<int[]> keys = new ArrayList<>();
    int cells = 1;
    for (int i = 0; i < 4; i++) {
      int[] levels = LEVELS[random.nextInt(LEVELS.length)];
      if (cells * levels[levels.length - 1] <= 72) {
        cells *= levels[levels.length - 1];
        keys.add(levels);
      }
    }
    return new CuboidLattice(keys);
  }

  /** One row per cell of the cuboid, one column per label of all keys. */
  private static double[][] dense(CuboidLattice lattice, int point) {
    int n = (int) lattice.cells(lattice.size() - 1);
    double[][] rows = new double[(int) lattice.cells(point)][n];
    for (int cell = 0; cell < n; cell++) {
      int row = 0;
      int factor = 1;
      int rest = cell;
      for (int key = lattice.keys() - 1; key >= 0; key--) {
        int labels = lattice.blocks(key, lattice.finest(key));
        int blocks = lattice.blocks(key, lattice.level(point, key));
        row += factor * (rest % labels / (labels / blocks));
        factor *= blocks;
        rest /= labels;
      }
      rows[row][cell] = 1;
    }
    return rows;
  }

  private static double[] times(double[][] m, double[] x) {
    double[] y = new double[m.length];
    for (int i = 0; i < m.length; i++) {
      y[i] = dot(m[i], x);
    }
    return y;
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }

  /** Gauss with pivots. */
  private static double[] solve(double[][] matrix, double[] right) {
    int n = right.length;
    double[][] a = new double[n][];
    for (int i = 0; i < n; i++) {
      a[i] = java.util.Arrays.copyOf(matrix[i], n + 1);
      a[i][n] = right[i];
    }
    for (int i = 0; i < n; i++) {
      int pivot = i;
      for (int j = i + 1; j < n; j++) {
        pivot = Math.abs(a[j][i]) > Math.abs(a[pivot][i]) ? j : pivot;
      }
      double[] swap = a[i];
      a[i] = a[pivot];
      a[pivot] = swap;
      for (int j = 0; j < n; j++) {
        if (j != i && a[j][i] != 0) {
          double factor = a[j][i] / a[i][i];
          for (int k = i; k <= n; k++) {
            a[j][k] -= factor * a[i][k];
          }
        }
      }
    }
    double[] x = new double[n];
    for (int i = 0; i < n; i++) {
      x[i] = a[i][n] / a[i][i];
    }
    return x;
  }
}
