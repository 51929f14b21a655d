package flexdp.sensitivity;

import flexdp.algebra.Relation;
import java.util.List;
import java.util.stream.IntStream;

/** The sets of a GROUP BY; where none are listed, all keys are one set. */
final class GroupingSets {
  private GroupingSets() {}

  static List<List<Integer>> of(Relation.Aggregate aggregate) {
    return of(aggregate.groupingSets(), aggregate.keys().size());
  }

  static List<List<Integer>> of(List<List<Integer>> sets, int keys) {
    return sets.isEmpty() ? List.of(IntStream.range(0, keys).boxed().toList()) : sets;
  }
}
