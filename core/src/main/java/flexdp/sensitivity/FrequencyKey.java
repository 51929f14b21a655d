package flexdp.sensitivity;

import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;

/**
 * The columns by whose values rows are gathered and counted.
 *
 * @param columns ids; none at all gathers every row
 * @param withNull those among them where NULL is a value like any other, as GROUP BY, windows and
 *     IS NOT DISTINCT FROM see it; a row with NULL in another column does not count, as joins see
 *     it
 */
record FrequencyKey(Set<Integer> columns, Set<Integer> withNull) {
  static final FrequencyKey NONE = new FrequencyKey(Set.of(), Set.of());

  /** For joins: NULL never matches. */
  static FrequencyKey matching(Set<Integer> columns) {
    return new FrequencyKey(columns, Set.of());
  }

  /** For partitions and orders: NULL is a value. */
  static FrequencyKey grouping(Set<Integer> columns) {
    return new FrequencyKey(columns, columns);
  }

  boolean isEmpty() {
    return columns.isEmpty();
  }

  /** Whether a row with NULL in all these columns would count. */
  boolean admitsAllNull() {
    return withNull.containsAll(columns);
  }

  FrequencyKey where(IntPredicate wanted) {
    return new FrequencyKey(filtered(columns, wanted), filtered(withNull, wanted));
  }

  /** Both keys' columns; where only one of them takes NULL for a value, it is not one. */
  FrequencyKey and(FrequencyKey other) {
    if (other.isEmpty()) {
      return this;
    }
    Set<Integer> all = new TreeSet<>(columns);
    all.addAll(other.columns);
    Set<Integer> nulls = new TreeSet<>();
    for (int column : all) {
      boolean here = !columns.contains(column) || withNull.contains(column);
      boolean there = !other.columns.contains(column) || other.withNull.contains(column);
      if (here && there) {
        nulls.add(column);
      }
    }
    return new FrequencyKey(all, nulls);
  }

  private static Set<Integer> filtered(Set<Integer> ids, IntPredicate wanted) {
    Set<Integer> kept = new TreeSet<>(ids);
    kept.removeIf(id -> !wanted.test(id));
    return kept;
  }
}
