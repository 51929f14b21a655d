package flexdp.ownership;

import flexdp.algebra.Relation;

/** O-FILTER: each row passes or not by itself, so whoever owned it owns it. */
final class OwnedFilter {
  private OwnedFilter() {}

  static OwnedRelation of(OwnedRelations rules, Relation.Filter filter) {
    OwnedRelation input = rules.part(filter.input());
    return new OwnedRelation(
        new Relation.Filter(input.relation(), filter.predicate()), input.owned());
  }
}
