package flexdp.sensitivity;

import flexdp.algebra.Equality;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Columns gathered into classes within which all are equal, or all NULL. */
final class EqualColumns {
  private final List<Equality> pairs;
  private Map<Integer, List<Integer>> members;
  private Set<Integer> neverNull;

  EqualColumns(List<Equality> pairs) {
    this.pairs = pairs;
  }

  /** The columns equal to a column, itself among them unless there are no others. */
  List<Integer> members(int column) {
    gather();
    return members.getOrDefault(column, List.of());
  }

  /** These and all that are equal to one of them; each class is gathered once. */
  Set<Integer> withEqual(Set<Integer> columns) {
    Set<Integer> all = new TreeSet<>(columns);
    Set<List<Integer>> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    for (int column : columns) {
      List<Integer> equal = members(column);
      if (seen.add(equal)) {
        all.addAll(equal);
      }
    }
    return all;
  }

  /** Whether a plain equality, which NULL never meets, holds in the column's class. */
  boolean isNeverNull(int column) {
    gather();
    return neverNull.contains(column);
  }

  private void gather() {
    if (members != null) {
      return;
    }
    Map<Integer, List<Integer>> classes = new HashMap<>();
    for (Equality pair : pairs) {
      List<Integer> one = classes.computeIfAbsent(pair.left(), EqualColumns::alone);
      List<Integer> other = classes.computeIfAbsent(pair.right(), EqualColumns::alone);
      if (one != other) {
        List<Integer> larger = one.size() < other.size() ? other : one;
        List<Integer> smaller = larger == one ? other : one;
        larger.addAll(smaller);
        smaller.forEach(column -> classes.put(column, larger));
      }
    }
    Set<Integer> values = new HashSet<>();
    for (Equality pair : pairs) {
      if (!pair.nullSafe() && values.add(pair.left())) {
        values.addAll(classes.get(pair.left()));
      }
    }
    neverNull = values;
    members = classes;
  }

  private static List<Integer> alone(int column) {
    return new ArrayList<>(List.of(column));
  }
}
