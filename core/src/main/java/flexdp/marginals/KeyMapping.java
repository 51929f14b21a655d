package flexdp.marginals;

import flexdp.workload.CuboidLattice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a member does with one key of a frame: which blocks of a level are added up to one of its
 * numbers.
 *
 * @param level 0 where it does not look at the key
 * @param grouped its own keys that are labels of this one, by place
 * @param chosen the cells that its conditions leave, where they leave not all
 */
record KeyMapping(
    int level, Map<Integer, Optional<LabelCells>> grouped, Optional<boolean[]> chosen) {
  static final KeyMapping NOTHING = new KeyMapping(0, Map.of(), Optional.empty());

  private static final int[] ALL = {0};

  /** The blocks of the level that are added up for a bin with these labels. */
  int[] blocks(BinIndex binIndex, List<Object> labels) {
    if (level == 0) {
      return ALL;
    }
    if (binIndex instanceof BinIndex.Listed && !grouped.isEmpty()) {
      return new int[] {binIndex.cell(labels.get(grouped.keySet().iterator().next()))};
    }
    int[] counts = binIndex.blocks();
    int width = counts[counts.length - 1] / counts[level];
    List<boolean[]> all = new ArrayList<>();
    chosen.ifPresent(all::add);
    grouped.forEach(
        (place, cells) ->
            all.add(cells.orElseThrow().cells().get(KeyDomain.name(labels.get(place)))));
    return blocks(all, counts[level], width);
  }

  private static int[] blocks(List<boolean[]> all, int count, int width) {
    int[] found = new int[count];
    int size = 0;
    for (int block = 0; block < count; block++) {
      int cell = block * width;
      if (all.stream().allMatch(some -> some[cell])) {
        found[size++] = block;
      }
    }
    return Arrays.copyOf(found, size);
  }

  /** By level, the squared norm of the component of its coefficients, on average over labels. */
  double[] norms(CuboidLattice lattice, int key) {
    if (level == 0) {
      return sparse(lattice, key, ALL);
    }
    List<Map<List<Object>, boolean[]>> own =
        grouped.values().stream().flatMap(Optional::stream).map(LabelCells::cells).toList();
    if (own.isEmpty() && !grouped.isEmpty()) {
      return sparse(lattice, key, ALL);
    }
    int count = lattice.blocks(key, level);
    int width = lattice.blocks(key, lattice.finest(key)) / count;
    List<boolean[]> given = chosen.map(List::of).orElse(List.of());
    if (own.isEmpty()) {
      return sparse(lattice, key, blocks(given, count, width));
    }
    double[] norms = new double[lattice.finest(key) + 1];
    int labels = 0;
    // With several keys on one axis, those of the finest say what is added up.
    Map<List<Object>, boolean[]> finest =
        own.stream().max(java.util.Comparator.comparingInt(Map::size)).orElseThrow();
    for (boolean[] label : finest.values()) {
      List<boolean[]> all = new ArrayList<>(given);
      all.add(label);
      int[] blocks = blocks(all, count, width);
      if (blocks.length > 0) {
        labels++;
        double[] one = sparse(lattice, key, blocks);
        for (int i = 0; i < norms.length; i++) {
          norms[i] += one[i];
        }
      }
    }
    double of = Math.max(1, labels);
    return Arrays.stream(norms).map(x -> x / of).toArray();
  }

  /** Of coefficients that are 1 in some blocks of the level and 0 elsewhere. */
  private double[] sparse(CuboidLattice lattice, int key, int[] blocks) {
    int finest = lattice.finest(key);
    double[] norms = new double[finest + 1];
    double labels = lattice.blocks(key, finest);
    double width = labels / lattice.blocks(key, level);
    double before = 0;
    for (int r = 0; r <= level; r++) {
      int per = lattice.blocks(key, level) / lattice.blocks(key, r);
      double squares = 0;
      int i = 0;
      while (i < blocks.length) {
        int parent = blocks[i] / per;
        double sum = 0;
        for (; i < blocks.length && blocks[i] / per == parent; i++) {
          sum += width;
        }
        squares += sum * sum;
      }
      double scale = lattice.blocks(key, r) / labels;
      double children = r == 0 ? 1 : (double) lattice.blocks(key, r) / lattice.blocks(key, r - 1);
      norms[r] = Math.max(0, squares - (r == 0 ? 0 : before / children)) * scale * scale;
      before = squares;
    }
    return norms;
  }
}
