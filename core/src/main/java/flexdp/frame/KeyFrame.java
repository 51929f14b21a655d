package flexdp.frame;

import flexdp.compute.Ordering;
import flexdp.question.ReleasePoint;
import flexdp.release.CellSink;
import flexdp.workload.Lattice;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The keys of a release point, each with all of its labels: those that are listed and, unless these
 * are proven to be all there are, one for the rest. Only so do the cells of every cuboid add up to
 * all rows; the rest is never shown.
 */
public final class KeyFrame {
  static final int MOST_KEYS = 10;
  static final int MOST_CELLS = 200_000;
  static final long MOST_IN_ALL = 2_000_000;

  private final List<Map<List<Object>, Integer>> labels = new ArrayList<>();
  private final boolean[] hasRest;
  private final Lattice lattice;

  private KeyFrame(List<List<Object>> listed, boolean[] complete) {
    this.hasRest = new boolean[complete.length];
    int[] sizes = new int[complete.length];
    for (int key = 0; key < sizes.length; key++) {
      Map<List<Object>, Integer> known = new HashMap<>();
      listed.get(key).forEach(label -> known.putIfAbsent(name(label), known.size()));
      labels.add(known);
      hasRest[key] = !complete[key];
      sizes[key] = known.size() + (hasRest[key] ? 1 : 0);
    }
    this.lattice = Lattice.flat(sizes);
  }

  /**
   * @param listed the labels of each key
   * @param complete by key, whether these are all there are
   * @return nothing where there is no label, or more than can be measured together
   */
  static Optional<KeyFrame> of(List<List<Object>> listed, boolean[] complete) {
    double cells = 1;
    for (List<Object> labels : listed) {
      cells *= labels.isEmpty() ? Double.POSITIVE_INFINITY : labels.size() + 1;
    }
    // Beyond that the number of cells of all keys together has no meaning left.
    return listed.isEmpty() || listed.size() > MOST_KEYS || cells > 1e15
        ? Optional.empty()
        : Optional.of(new KeyFrame(listed, complete));
  }

  /**
   * @param rows the listed labels, a value per key
   * @param complete groups of keys whose listed labels are all there are
   * @return nothing where there is no label, or more than can be measured together
   */
  static Optional<KeyFrame> of(
      ReleasePoint point, List<List<Object>> rows, List<List<Integer>> complete) {
    List<List<Object>> listed = new ArrayList<>();
    boolean[] all = new boolean[point.keys().size()];
    for (int key = 0; key < all.length; key++) {
      int place = key;
      Map<List<Object>, Object> distinct = new LinkedHashMap<>();
      rows.forEach(row -> distinct.putIfAbsent(name(row.get(place)), row.get(place)));
      listed.add(new ArrayList<>(distinct.values()));
      all[key] = complete.stream().anyMatch(group -> group.contains(place));
    }
    return of(listed, all);
  }

  static List<Object> name(Object label) {
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

  int label(int key, Object value) {
    Integer known = value == CellSink.UNREADABLE ? null : labels.get(key).get(name(value));
    if (known != null) {
      return known;
    }
    return hasRest[key] ? labels.get(key).size() : -1;
  }
}
