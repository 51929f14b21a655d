package flexdp.owned;

import flexdp.algebra.Relation;

/**
 * O-WINDOW: owned when every partition is one person's: one of its columns keeps people's rows
 * apart.
 *
 * <p>O-TOP: the same for the first rows of each partition.
 */
final class OwnedWindow {
  private OwnedWindow() {}

  static Part of(OwnedRelations rules, Relation.Window window) {
    Part input = rules.part(window.input());
    Relation relation = new Relation.Window(input.relation(), window.calls());
    return new Part(
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

  static Part of(OwnedRelations rules, Relation.TopRows top) {
    Part input = rules.part(top.input());
    boolean apart =
        rules.separates("O-TOP", input.owned(), OwnedRelations.columns(top.partition()));
    Relation rows = apart ? input.relation() : rules.bare(top.input());
    Relation relation =
        new Relation.TopRows(rows, top.partition(), top.order(), top.count(), top.at());
    return apart ? Part.of(relation, input.owned().get()) : Part.nobodys(relation);
  }
}
