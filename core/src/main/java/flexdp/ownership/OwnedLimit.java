package flexdp.ownership;

import flexdp.algebra.Relation;
import java.util.Optional;

/**
 * O-SORT: an order changes nothing. LIMIT and OFFSET let other people's rows in when one leaves, so
 * nothing is owned above them.
 */
final class OwnedLimit {
  private OwnedLimit() {}

  static OwnedRelation of(OwnedRelations rules, Relation.Limit limit) {
    boolean sorts = rules.require("O-SORT", limit.count().isEmpty() && limit.offset() == 0);
    OwnedRelation input = rules.part(limit.input());
    Relation rows = sorts ? input.relation() : rules.bare(limit.input());
    return new OwnedRelation(
        new Relation.Limit(rows, limit.order(), limit.offset(), limit.count(), limit.at()),
        sorts ? input.owned() : Optional.empty());
  }
}
