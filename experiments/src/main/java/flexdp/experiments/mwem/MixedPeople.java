package flexdp.experiments.mwem;

import flexdp.workload.CuboidLattice;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Made-up people of six attributes with as many values as those of the census table that MWEM was
 * published with: a mixture of six classes, in each of which attributes are independent and skewed.
 */
final class MixedPeople {
  static final int[] SIZES = {9, 16, 7, 15, 5, 2};
  private static final int CLASSES = 6;
  private static final double SKEW = 0.35;

  private final CuboidLattice lattice = CuboidLattice.flat(SIZES);
  private final List<Integer> pairs = new ArrayList<>();
  private final long[][] marginals = new long[lattice.size()][];

  MixedPeople(int rows, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] share = dirichlet(CLASSES, 1, random);
    double[][][] values = new double[CLASSES][SIZES.length][];
    for (double[][] one : values) {
      for (int key = 0; key < SIZES.length; key++) {
        one[key] = dirichlet(SIZES[key], SKEW, random);
      }
    }
    for (int point = 0; point < lattice.size(); point++) {
      int keys = 0;
      for (int key = 0; key < SIZES.length; key++) {
        keys += lattice.level(point, key);
      }
      if (keys == 2) {
        pairs.add(point);
      }
      if (keys == 2 || keys == 0) {
        marginals[point] = new long[(int) lattice.cells(point)];
      }
    }
    for (int row = 0; row < rows; row++) {
      count(values[drawn(share, random)], random);
    }
  }

  private void count(double[][] shares, SplittableRandom random) {
    int[] row = new int[SIZES.length];
    for (int key = 0; key < row.length; key++) {
      row[key] = drawn(shares[key], random);
    }
    for (int point = 0; point < marginals.length; point++) {
      if (marginals[point] != null) {
        int cell = 0;
        for (int key = 0; key < row.length; key++) {
          if (lattice.level(point, key) > 0) {
            cell = cell * SIZES[key] + row[key];
          }
        }
        marginals[point][cell]++;
      }
    }
  }

  CuboidLattice lattice() {
    return lattice;
  }

  /** The cuboids of two attributes. */
  List<Integer> pairs() {
    return pairs;
  }

  long[] exact(int cuboid) {
    return marginals[cuboid];
  }

  List<BigInteger> cells(int cuboid) {
    return Arrays.stream(marginals[cuboid]).mapToObj(BigInteger::valueOf).toList();
  }

  private static int drawn(double[] shares, SplittableRandom random) {
    double left = random.nextDouble();
    for (int i = 0; i < shares.length - 1; i++) {
      left -= shares[i];
      if (left < 0) {
        return i;
      }
    }
    return shares.length - 1;
  }

  /**
   * By gamma variables; for shapes below one by that of one more and a power (Marsaglia, Tsang).
   */
  private static double[] dirichlet(int size, double shape, SplittableRandom random) {
    double[] values = new double[size];
    double sum = 0;
    for (int i = 0; i < size; i++) {
      values[i] = gamma(shape + 1, random) * Math.pow(random.nextDouble(), 1 / shape);
      sum += values[i];
    }
    for (int i = 0; i < size; i++) {
      values[i] /= sum;
    }
    return values;
  }

  private static double gamma(double shape, SplittableRandom random) {
    double d = shape - 1.0 / 3;
    double c = 1 / Math.sqrt(9 * d);
    while (true) {
      double x = random.nextGaussian();
      double v = Math.pow(1 + c * x, 3);
      if (v > 0 && Math.log(random.nextDouble()) < 0.5 * x * x + d - d * v + d * Math.log(v)) {
        return d * v;
      }
    }
  }
}
