package flexdp.owned;

import flexdp.algebra.Relation;

/** O-FILTER: each row passes or not by itself, so whoever owned it owns it. */
final class OwnedFilter {
  private OwnedFilter() {}

  static OwnedPart of(OwnedRelations rules, Relation.Filter filter) {
    OwnedPart input = rules.part(filter.input());
    return new OwnedPart(new Relation.Filter(input.relation(), filter.predicate()), input.owned());
  }
}
