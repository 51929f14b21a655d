package flexdp.ownership;

import flexdp.algebra.Relation;

/**
 * O-DISTINCT: owned when a column keeps people's rows apart, so that equal rows are one person's.
 * The owner stands among the columns.
 */
final class OwnedDistinct {
  private OwnedDistinct() {}

  static OwnedRelation of(OwnedRelations rules, Relation.Distinct distinct) {
    OwnedRelation input = rules.part(distinct.input());
    boolean apart =
        rules.separates("O-DISTINCT", input.owned(), OwnedRelations.idsOf(distinct.columns()))
            || OwnedRelations.isKin(input.owned(), OwnedRelations.idsOf(distinct.columns()));
    return apart
        ? OwnedRelation.of(new Relation.Distinct(input.relation()), input.owned().get())
        : OwnedRelation.nobodys(new Relation.Distinct(rules.bare(distinct.input())));
  }
}
