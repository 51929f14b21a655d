package flexdp.owned;

import flexdp.algebra.Relation;

/**
 * O-WINDOW: owned when every partition is one person's: one of its columns keeps people's rows
 * apart.
 *
 * <p>O-TOP: the same for the first rows of each partition, of every one where rows are ranked by
 * several.
 */
final class OwnedWindow {
  private OwnedWindow() {}

  static OwnedPart of(OwnedRelations rules, Relation.Window window) {
    OwnedPart input = rules.part(window.input());
    Relation relation = new Relation.Window(input.relation(), window.calls());
    return new OwnedPart(
        relation,
        input
            .owned()
            .filter(
                owned ->
                    window.calls().stream()
                        .allMatch(
                            call ->
                                rules.separates(
                                    "O-WINDOW",
                                    input.owned(),
                                    OwnedRelations.columns(call.partition())))));
  }

  static OwnedPart of(OwnedRelations rules, Relation.TopRows top) {
    OwnedPart input = rules.part(top.input());
    boolean apart =
        top.ranks().stream()
            .allMatch(
                rank ->
                    rules.separates(
                        "O-TOP", input.owned(), OwnedRelations.columns(rank.partition())));
    Relation rows = apart ? input.relation() : rules.bare(top.input());
    Relation relation = top.over(rows);
    return apart ? OwnedPart.of(relation, input.owned().get()) : OwnedPart.nobodys(relation);
  }
}
