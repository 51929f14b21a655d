package flexdp.marginals;

import flexdp.compute.ValueOrdering;
import flexdp.query.NoisyAggregate;
import flexdp.workload.CuboidLattice;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The keys of a release point, each with all of its labels: those that are listed and, unless these
 * are proven to be all there are, one for the rest. Only so do the cells of every cuboid add up to
 * all rows; the rest is never shown. An ordered key may have levels between all labels and each.
 */
public final class KeyDomain {
  static final int MOST_KEYS = 10;
  static final int MOST_POINTS = 1_024;
  static final int MOST_CELLS = 200_000;
  static final long MOST_IN_ALL = 2_000_000;

  private final List<BinIndex> rulers;
  private final CuboidLattice lattice;

  private KeyDomain(List<BinIndex> rulers) {
    this.rulers = List.copyOf(rulers);
    this.lattice = new CuboidLattice(rulers.stream().map(BinIndex::blocks).toList());
  }

  /**
   * @return nothing where there is no label, or more than can be measured together
   */
  static Optional<KeyDomain> of(List<BinIndex> rulers) {
    double cells = 1;
    double points = 1;
    for (BinIndex binIndex : rulers) {
      int[] blocks = binIndex.blocks();
      cells *= blocks[blocks.length - 1] + 1;
      points *= blocks.length;
    }
    // Beyond that the number of cells of all keys together has no meaning left.
    return rulers.isEmpty() || rulers.size() > MOST_KEYS || points > MOST_POINTS || cells > 1e15
        ? Optional.empty()
        : Optional.of(new KeyDomain(rulers));
  }

  /**
   * @param rows the listed labels, a value per key
   * @param complete groups of keys whose listed labels are all there are
   * @return nothing where there is no label, or more than can be measured together
   */
  static Optional<KeyDomain> of(
      NoisyAggregate point, List<List<Object>> rows, List<List<Integer>> complete) {
    List<BinIndex> rulers = new ArrayList<>();
    for (int key = 0; key < point.keys().size(); key++) {
      int place = key;
      Map<List<Object>, Object> distinct = new LinkedHashMap<>();
      rows.forEach(row -> distinct.putIfAbsent(name(row.get(place)), row.get(place)));
      boolean all = complete.stream().anyMatch(group -> group.contains(place));
      rulers.add(BinIndex.Listed.of(new ArrayList<>(distinct.values()), all));
    }
    return rows.isEmpty() ? Optional.empty() : of(rulers);
  }

  static List<Object> name(Object label) {
    return ValueOrdering.canonical(Collections.singletonList(label));
  }

  CuboidLattice lattice() {
    return lattice;
  }

  /** The cuboid that a grouping set is. */
  int cuboid(List<Integer> set) {
    int[] levels = new int[rulers.size()];
    set.forEach(key -> levels[key] = lattice.finest(key));
    return lattice.point(levels);
  }

  /** The keys of a cuboid, which are a grouping set. */
  List<Integer> keys(int cuboid) {
    List<Integer> keys = new ArrayList<>();
    for (int key = 0; key < rulers.size(); key++) {
      if (lattice.level(cuboid, key) > 0) {
        keys.add(key);
      }
    }
    return keys;
  }

  /** The cell of a cuboid that has these labels; −1 where one is in none. */
  int cell(int cuboid, List<Object> values) {
    int cell = 0;
    for (int key = 0; key < rulers.size(); key++) {
      if (lattice.level(cuboid, key) > 0) {
        int label = label(key, values.get(key));
        if (label < 0) {
          return -1;
        }
        int level = lattice.level(cuboid, key);
        int width = lattice.blocks(key, lattice.finest(key)) / lattice.blocks(key, level);
        cell = cell * lattice.blocks(key, level) + label / width;
      }
    }
    return cell;
  }

  int label(int key, Object value) {
    return rulers.get(key).cell(value);
  }

  BinIndex ruler(int key) {
    return rulers.get(key);
  }
}
