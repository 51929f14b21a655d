package flexdp.owned;

import flexdp.algebra.Relation;

/**
 * O-DISTINCT: owned when a column keeps people's rows apart, so that equal rows are one person's.
 */
final class OwnedDistinct {
  private OwnedDistinct() {}

  static Part of(OwnedRelations rules, Relation.Distinct distinct) {
    Part input = rules.part(distinct.input());
    boolean apart =
        rules.separates("O-DISTINCT", input.owned(), OwnedRelations.idsOf(distinct.columns()));
    return apart
        ? Part.of(new Relation.Distinct(input.relation()), input.owned().get())
        : Part.nobodys(new Relation.Distinct(rules.bare(distinct.input())));
  }
}
