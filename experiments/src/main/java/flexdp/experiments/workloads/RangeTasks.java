package flexdp.experiments.workloads;

import flexdp.workload.CuboidLattice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** RangeTasks of an ordered key, which before were sums of the finest cells. */
final class RangeTasks {
  private static final int LABELS = 1024;

  private RangeTasks() {}

  /**
   * @param every of how many ranges one is looked at
   */
  static List<Task> all(int every) {
    return all(every, 1, 8, 64, LABELS);
  }

  /** Tasks with a level for every halving: where precisions go with shares, more are better. */
  static List<Task> halved(int every) {
    return all(every, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, LABELS);
  }

  private static List<Task> all(int every, int... blocks) {
    CuboidLattice lattice = new CuboidLattice(List.of(blocks));
    List<int[]> ranges = new ArrayList<>();
    List<int[]> prefixes = new ArrayList<>();
    for (int from = 0; from < LABELS; from++) {
      prefixes.add(new int[] {0, from});
      for (int to = from; to < LABELS; to++) {
        ranges.add(new int[] {from, to});
      }
    }
    return List.of(
        of("all 524,800 ranges over 1,024 labels", lattice, some(ranges, every)),
        of("1,024 running totals", lattice, prefixes));
  }

  private static List<int[]> some(List<int[]> all, int every) {
    List<int[]> some = new ArrayList<>();
    for (int i = every / 2; i < all.size(); i += every) {
      some.add(all.get(i));
    }
    return some;
  }

  private static Task of(String name, CuboidLattice lattice, List<int[]> ranges) {
    List<double[]> shares = new ArrayList<>();
    double[] today = new double[ranges.size()];
    for (int i = 0; i < today.length; i++) {
      double[] coefficients = new double[LABELS];
      Arrays.fill(coefficients, ranges.get(i)[0], ranges.get(i)[1] + 1, 1);
      shares.add(lattice.product(new double[][] {coefficients}));
      today[i] = 2.0 * (ranges.get(i)[1] - ranges.get(i)[0] + 1);
    }
    return new Task(name, lattice, shares, today, List.of(lattice.size() - 1));
  }
}
