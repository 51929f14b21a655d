package flexdp.owned;

import flexdp.algebra.Relation;

/** O-FILTER: each row passes or not by itself, so whoever owned it owns it. */
final class OwnedFilter {
  private OwnedFilter() {}

  static Part of(OwnedRelations rules, Relation.Filter filter) {
    Part input = rules.part(filter.input());
    return new Part(new Relation.Filter(input.relation(), filter.predicate()), input.owned());
  }
}
