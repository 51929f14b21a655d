package flexdp.ownership;

import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import flexdp.algebra.WindowCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * O-WINDOW: owned when every partition is one person's: one of its columns keeps people's rows
 * apart.
 *
 * <p>O-TOP: the same for the first rows of each partition, of every one where rows are ranked by
 * several.
 *
 * <p>Where a partition is by a column that is said to stand for one person's rows, the owner is
 * added to it.
 */
final class OwnedWindow {
  private OwnedWindow() {}

  static OwnedRelation of(OwnedRelations rules, Relation.Window window) {
    OwnedRelation input = rules.part(window.input());
    List<WindowCall> calls = new ArrayList<>();
    boolean apart = true;
    for (WindowCall call : window.calls()) {
      List<Integer> columns = OwnedRelations.columns(call.partition());
      boolean own = rules.separates("O-WINDOW", input.owned(), columns);
      boolean kin = !own && OwnedRelations.isKin(input.owned(), columns);
      apart &= own || kin;
      calls.add(kin ? within(call, input.owned().orElseThrow()) : call);
    }
    Relation relation =
        new Relation.Window(input.relation(), apart ? calls : window.calls(), window.traces());
    return new OwnedRelation(relation, apart ? input.owned() : Optional.empty());
  }

  private static WindowCall within(WindowCall call, RelationOwner owned) {
    return new WindowCall(
        call.output(),
        call.aggregate(),
        call.rank(),
        call.arguments(),
        within(call.partition(), owned),
        call.order(),
        call.frame(),
        call.at());
  }

  private static List<Expr> within(List<Expr> partition, RelationOwner owned) {
    return Stream.concat(partition.stream(), Stream.of(owned.owner().ref())).toList();
  }

  static OwnedRelation of(OwnedRelations rules, Relation.TopRows top) {
    OwnedRelation input = rules.part(top.input());
    List<Relation.TopRows.Rank> ranks = new ArrayList<>();
    boolean apart = true;
    for (Relation.TopRows.Rank rank : top.ranks()) {
      List<Integer> columns = OwnedRelations.columns(rank.partition());
      boolean own = rules.separates("O-TOP", input.owned(), columns);
      boolean kin = !own && OwnedRelations.isKin(input.owned(), columns);
      apart &= own || kin;
      ranks.add(
          kin
              ? new Relation.TopRows.Rank(
                  within(rank.partition(), input.owned().orElseThrow()), rank.count())
              : rank);
    }
    if (!apart) {
      return OwnedRelation.nobodys(top.over(rules.bare(top.input())));
    }
    Relation relation =
        new Relation.TopRows(
            input.relation(),
            ranks.getFirst().partition(),
            top.order(),
            top.count(),
            ranks.subList(1, ranks.size()),
            top.nullsStay(),
            top.at());
    return OwnedRelation.of(relation, input.owned().orElseThrow());
  }
}
