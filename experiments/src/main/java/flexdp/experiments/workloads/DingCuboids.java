package flexdp.experiments.workloads;

import flexdp.workload.CuboidLattice;
import flexdp.workload.LeastSquares;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The choice of Ding, Winslett, Han and Li (2011): some cuboids with equal shares, every set
 * answered from the best of those that hold it, chosen greedily so that the worst set is as good as
 * possible. A special split; ours is never behind it.
 */
record DingCuboids(Task task, List<Integer> chosen) {
  static DingCuboids of(Task task) {
    List<Integer> best = new ArrayList<>(task.measured());
    double value = worst(task, best);
    List<Integer> all = IntStream.range(0, task.lattice().size()).boxed().toList();
    for (int one : all) {
      List<Integer> alone = List.of(one);
      if (worst(task, alone) < value) {
        value = worst(task, alone);
        best = new ArrayList<>(alone);
      }
    }
    boolean better = true;
    while (better) {
      better = false;
      List<Integer> next = best;
      for (int one : all) {
        List<Integer> other = new ArrayList<>(best);
        if (!other.remove((Integer) one)) {
          other.add(one);
        }
        if (!other.isEmpty() && worst(task, other) < value - 1e-12) {
          value = worst(task, other);
          next = other;
          better = true;
        }
      }
      best = next;
    }
    return new DingCuboids(task, best);
  }

  private static double worst(Task task, List<Integer> chosen) {
    return task.measured().stream().mapToDouble(s -> variance(task, chosen, s)).max().orElseThrow();
  }

  /** Of a cell that is added up from the nearest measured cuboid. */
  private static double variance(Task task, List<Integer> chosen, int set) {
    CuboidLattice lattice = task.lattice();
    double fewest =
        chosen.stream()
            .filter(c -> lattice.isBelow(set, c))
            .mapToDouble(c -> (double) lattice.cells(c) / lattice.cells(set))
            .min()
            .orElse(Double.POSITIVE_INFINITY);
    return 2.0 * chosen.size() * chosen.size() * fewest;
  }

  /** Root mean square error over the sets. */
  double error() {
    return Math.sqrt(
        task.measured().stream()
            .mapToDouble(s -> variance(task, chosen, s))
            .average()
            .orElseThrow());
  }

  /** The error when consistency is repaired by least squares. */
  double repaired() {
    double[] precision = new double[task.lattice().size()];
    chosen.forEach(c -> precision[c] = 0.5 / chosen.size() / chosen.size());
    return task.error(new LeastSquares(task.lattice(), precision));
  }
}
