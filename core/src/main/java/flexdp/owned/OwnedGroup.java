package flexdp.owned;

import flexdp.algebra.Column;
import flexdp.algebra.Relation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * O-GROUP: GROUP BY keys of which one keeps people's rows apart, so that every group is one
 * person's. Only for one grouping set that holds all keys: elsewhere a key may be NULL.
 */
final class OwnedGroup {
  private OwnedGroup() {}

  static Part of(OwnedRelations rules, Relation.Aggregate aggregate) {
    Part input = rules.part(aggregate.input());
    Set<Integer> keys = OwnedRelations.idsOf(aggregate.keys());
    boolean one =
        aggregate.groupingSets().size() == 1
            && aggregate.groupingSets().getFirst().size() == aggregate.keys().size();
    Optional<Owned> apart = input.owned().filter(o -> one && o.separates(keys));
    if (apart.isEmpty()) {
      return Part.nobodys(over(input.relation(), aggregate, aggregate.keys()));
    }
    Column owner = apart.get().owner();
    List<Column> all = new ArrayList<>(aggregate.keys());
    if (!keys.contains(owner.id())) {
      all.add(owner);
    }
    return Part.of(over(input.relation(), aggregate, all), apart.get().keeping(keys::contains));
  }

  private static Relation over(Relation input, Relation.Aggregate aggregate, List<Column> keys) {
    List<List<Integer>> sets = aggregate.groupingSets();
    if (keys.size() > aggregate.keys().size()) {
      List<Integer> every = new ArrayList<>(sets.getFirst());
      every.add(keys.size() - 1);
      sets = List.of(every);
    }
    return new Relation.Aggregate(
        input,
        keys,
        sets,
        aggregate.calls(),
        aggregate.groupingIds(),
        aggregate.having(),
        aggregate.visible(),
        aggregate.at());
  }
}
