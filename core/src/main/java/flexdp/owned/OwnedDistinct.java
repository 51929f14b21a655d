package flexdp.owned;

import flexdp.algebra.Relation;

/**
 * O-DISTINCT: owned when a column keeps people's rows apart, so that equal rows are one person's.
 * The owner stands among the columns.
 */
final class OwnedDistinct {
  private OwnedDistinct() {}

  static OwnedPart of(OwnedRelations rules, Relation.Distinct distinct) {
    OwnedPart input = rules.part(distinct.input());
    boolean apart =
        rules.separates("O-DISTINCT", input.owned(), OwnedRelations.idsOf(distinct.columns()))
            || OwnedRelations.isKin(input.owned(), OwnedRelations.idsOf(distinct.columns()));
    return apart
        ? OwnedPart.of(new Relation.Distinct(input.relation()), input.owned().get())
        : OwnedPart.nobodys(new Relation.Distinct(rules.bare(distinct.input())));
  }
}
