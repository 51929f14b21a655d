package flexdp.sensitivity;

import flexdp.algebra.Relation;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The ids of the columns of relations, found once for each. */
final class ColumnIds {
  private final Map<Relation, Set<Integer>> known = new IdentityHashMap<>();

  Set<Integer> of(Relation relation) {
    Set<Integer> before = known.get(relation);
    if (before == null) {
      before = find(relation);
      known.put(relation, before);
    }
    return before;
  }

  private Set<Integer> find(Relation relation) {
    if (relation instanceof Relation.Join join) {
      Set<Integer> both = new TreeSet<>(of(join.left()));
      both.addAll(of(join.right()));
      return both;
    }
    return ColumnReferences.ids(relation);
  }
}
