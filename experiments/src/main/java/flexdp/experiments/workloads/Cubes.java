package flexdp.experiments.workloads;

import flexdp.workload.CuboidLattice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/** Grouping sets over keys without levels. */
final class Cubes {
  private Cubes() {}

  static List<Task> all() {
    return List.of(
        of("CUBE of 4 keys (20·12·3·4)", s -> true, 20, 12, 3, 4),
        of("CUBE of 6 truth values", s -> true, 2, 2, 2, 2, 2, 2),
        of("ROLLUP of 4 keys (8·10·12·3)", Cubes::isPrefix, 8, 10, 12, 3),
        of("all 2-way marginals of 6 keys", s -> s.size() == 2, 9, 16, 7, 15, 5, 2),
        of("with 1-way marginals and the total", s -> s.size() <= 2, 9, 16, 7, 15, 5, 2));
  }

  private static boolean isPrefix(List<Integer> set) {
    return set.isEmpty() || set.getLast() == set.size() - 1;
  }

  private static Task of(String name, Predicate<List<Integer>> wanted, int... sizes) {
    CuboidLattice lattice = CuboidLattice.flat(sizes);
    List<Integer> cuboids = new ArrayList<>();
    for (int point = 0; point < lattice.size(); point++) {
      List<Integer> set = new ArrayList<>();
      for (int key = 0; key < sizes.length; key++) {
        if (lattice.level(point, key) > 0) {
          set.add(key);
        }
      }
      if (wanted.test(set)) {
        cuboids.add(point);
      }
    }
    double[] today = new double[cuboids.size()];
    Arrays.fill(today, 2.0 * cuboids.size() * cuboids.size());
    return new Task(name, lattice, cuboids.stream().map(lattice::cell).toList(), today, cuboids);
  }
}
