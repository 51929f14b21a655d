package flexdp.ownership;

import flexdp.algebra.Column;
import flexdp.algebra.Relation;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * O-GROUP: GROUP BY keys of which one keeps people's rows apart, so that every group is one
 * person's. Only for one grouping set that holds all keys: elsewhere a key may be NULL. The owner
 * is a key beside them.
 */
final class OwnedGroup {
  private OwnedGroup() {}

  static OwnedRelation of(OwnedRelations rules, Relation.Aggregate aggregate) {
    OwnedRelation input = rules.part(aggregate.input());
    Set<Integer> keys = OwnedRelations.idsOf(aggregate.keys());
    boolean one =
        aggregate.groupingSets().size() == 1
            && aggregate.groupingSets().getFirst().size() == aggregate.keys().size();
    boolean apart =
        rules.require("O-GROUP.SETS", one)
            && (rules.separates("O-GROUP", input.owned(), keys)
                || OwnedRelations.isKin(input.owned(), keys));
    if (!apart) {
      return OwnedRelation.nobodys(over(input.relation(), aggregate, aggregate.keys()));
    }
    RelationOwner owned = input.owned().orElseThrow();
    Column owner = owned.owner();
    List<Column> all = new ArrayList<>(aggregate.keys());
    if (!keys.contains(owner.id())) {
      all.add(owner);
    }
    return OwnedRelation.of(over(input.relation(), aggregate, all), owned.keeping(keys::contains));
  }

  private static Relation over(Relation input, Relation.Aggregate aggregate, List<Column> keys) {
    List<List<Integer>> sets = aggregate.groupingSets();
    if (keys.size() > aggregate.keys().size()) {
      sets =
          sets.stream()
              .map(set -> Stream.concat(set.stream(), Stream.of(keys.size() - 1)).toList())
              .toList();
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
