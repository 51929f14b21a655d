package flexdp.frame;

import flexdp.compute.Ordering;
import flexdp.question.ReleasePoint;
import flexdp.release.CellSink;
import flexdp.workload.Lattice;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The keys of a release point, each with all of its labels: those that are listed and, unless these
 * are proven to be all there are, one for the rest. Only so do the cells of every cuboid add up to
 * all rows; the rest is never shown.
 */
public final class Frame {
  static final int MOST_KEYS = 10;
  static final int MOST_CELLS = 200_000;
  static final long MOST_IN_ALL = 2_000_000;

  private final List<Map<List<Object>, Integer>> labels = new ArrayList<>();
  private final boolean[] hasRest;
  private final Lattice lattice;

  private Frame(ReleasePoint point, List<List<Object>> rows, List<List<Integer>> complete) {
    int keys = point.keys().size();
    this.hasRest = new boolean[keys];
    int[] sizes = new int[keys];
    for (int key = 0; key < keys; key++) {
      int place = key;
      Map<List<Object>, Integer> known = new HashMap<>();
      rows.forEach(row -> known.putIfAbsent(name(row.get(place)), known.size()));
      labels.add(known);
      hasRest[key] = complete.stream().noneMatch(group -> group.contains(place));
      sizes[key] = known.size() + (hasRest[key] ? 1 : 0);
    }
    this.lattice = Lattice.flat(sizes);
  }

  /**
   * @param rows the listed labels, a value per key
   * @param complete groups of keys whose listed labels are all there are
   * @return nothing where there is no label, or more than can be measured together
   */
  static Optional<Frame> of(
      ReleasePoint point, List<List<Object>> rows, List<List<Integer>> complete) {
    boolean fits = !rows.isEmpty() && !point.keys().isEmpty() && point.keys().size() <= MOST_KEYS;
    if (!fits || isTooLarge(point, rows)) {
      return Optional.empty();
    }
    return Optional.of(new Frame(point, rows, complete));
  }

  /** Then the number of cells of all keys together has no meaning left. */
  private static boolean isTooLarge(ReleasePoint point, List<List<Object>> rows) {
    double cells = 1;
    for (int key = 0; key < point.keys().size(); key++) {
      int place = key;
      cells *= rows.stream().map(row -> name(row.get(place))).distinct().count() + 1;
    }
    return cells > 1e15;
  }

  private static List<Object> name(Object label) {
    return Ordering.canonical(Collections.singletonList(label));
  }

  Lattice lattice() {
    return lattice;
  }

  /** The cuboid that a grouping set is. */
  int cuboid(List<Integer> set) {
    int[] levels = new int[labels.size()];
    set.forEach(key -> levels[key] = lattice.finest(key));
    return lattice.point(levels);
  }

  /** The keys of a cuboid, which are a grouping set. */
  List<Integer> keys(int cuboid) {
    List<Integer> keys = new ArrayList<>();
    for (int key = 0; key < labels.size(); key++) {
      if (lattice.level(cuboid, key) > 0) {
        keys.add(key);
      }
    }
    return keys;
  }

  /** The cell of a cuboid that has these labels; −1 where one is in none. */
  int cell(int cuboid, List<Object> values) {
    int cell = 0;
    for (int key = 0; key < labels.size(); key++) {
      if (lattice.level(cuboid, key) > 0) {
        int label = label(key, values.get(key));
        if (label < 0) {
          return -1;
        }
        cell = cell * lattice.blocks(key, lattice.finest(key)) + label;
      }
    }
    return cell;
  }

  private int label(int key, Object value) {
    Integer known = value == CellSink.UNREADABLE ? null : labels.get(key).get(name(value));
    if (known != null) {
      return known;
    }
    return hasRest[key] ? labels.get(key).size() : -1;
  }
}
