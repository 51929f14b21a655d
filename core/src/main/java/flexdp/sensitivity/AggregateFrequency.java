package flexdp.sensitivity;

import flexdp.algebra.Relation;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * F-GROUP: GROUP BY G has mf 1 if C ⊇ G, else mf(C∩G, r1): each group is one row, and groups that
 * share C∩G have different rows of r1. Grouping sets add up; a key that a set lacks is NULL in its
 * rows.
 */
final class AggregateFrequency {
  private AggregateFrequency() {}

  static BoundOrReason of(
      SensitivityAnalysis analysis, Relation.Aggregate aggregate, FrequencyKey key) {
    List<BoundOrReason> sets = new ArrayList<>();
    for (List<Integer> set : GroupingSets.of(aggregate)) {
      sets.add(ofSet(analysis, aggregate, set, key));
    }
    return analysis.terms.sum("F-GROUPING-SETS", sets.toArray(BoundOrReason[]::new));
  }

  private static BoundOrReason ofSet(
      SensitivityAnalysis analysis,
      Relation.Aggregate aggregate,
      List<Integer> set,
      FrequencyKey key) {
    Set<Integer> present = new TreeSet<>();
    set.forEach(i -> present.add(aggregate.keys().get(i).id()));
    Set<Integer> keys = ColumnReferences.ids(aggregate.keys());
    for (int column : key.columns()) {
      boolean padded = keys.contains(column) && !present.contains(column);
      if (padded && !key.withNull().contains(column)) {
        return BoundOrReason.ZERO;
      }
    }
    if (key.columns().containsAll(present)) {
      return BoundOrReason.ONE;
    }
    return FrequencyRules.orComputed(
        analysis, aggregate.input(), key, key.where(present::contains));
  }
}
