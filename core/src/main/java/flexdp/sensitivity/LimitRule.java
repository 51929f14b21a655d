package flexdp.sensitivity;

import flexdp.algebra.Relation;
import flexdp.policy.PrivacyUnit;

/**
 * S-LIMIT: (min(T1,N), min(T1,N), min(2·T1,2N)) for a total order ({@link TotalOrder}): a row that
 * comes or goes before the cut moves one other row over it.
 *
 * <p>S-TOP: (T1, T1, 2·T1): the same in each partition.
 *
 * <p>S-TOP-ALL: where a row has to be among the first of its group for each of c partitions, all
 * ranks taken on the whole input, a row that comes moves at most one other over each cut: (P1 +
 * c·M1, M1 + c·P1, (1+c)·T1).
 */
final class LimitRule {
  private LimitRule() {}

  static Stability of(SensitivityAnalysis analysis, Relation.Limit limit, PrivacyUnit unit) {
    Stability one = analysis.stability(limit.input(), unit);
    BoundArithmetic terms = analysis.terms;
    if (limit.count().isEmpty() && limit.offset() == 0) {
      analysis.applied.rule(limit, "S-SORT");
      return terms.signed("S-SORT", one.added(), one.removed(), one.both());
    }
    analysis.applied.rule(limit, "S-LIMIT");
    BoundOrReason moved = terms.sum("S-LIMIT.MOVED", one.both());
    BoundOrReason twice = terms.product("S-LIMIT.T", BoundOrReason.of(2), moved);
    Stability shifted = terms.signed("S-LIMIT", moved, moved, twice);
    if (limit.count().isEmpty()) {
      return shifted;
    }
    BoundOrReason most = BoundOrReason.of(limit.count().getAsLong());
    return new Stability(
        terms.min("S-LIMIT.P.MIN", shifted.added(), most),
        terms.min("S-LIMIT.M.MIN", shifted.removed(), most),
        terms.min(
            "S-LIMIT.T.MIN",
            shifted.both(),
            terms.product("S-LIMIT.N", BoundOrReason.of(2), most)));
  }

  static Stability of(SensitivityAnalysis analysis, Relation.TopRows top, PrivacyUnit unit) {
    BoundArithmetic terms = analysis.terms;
    if (!top.also().isEmpty()) {
      analysis.applied.rule(top, "S-TOP-ALL");
      return several(analysis, top, unit);
    }
    analysis.applied.rule(top, "S-TOP");
    BoundOrReason moved = terms.sum("S-TOP.MOVED", analysis.stability(top.input(), unit).both());
    return terms.signed(
        "S-TOP", moved, moved, terms.product("S-TOP.T", BoundOrReason.of(2), moved));
  }

  private static Stability several(
      SensitivityAnalysis analysis, Relation.TopRows top, PrivacyUnit unit) {
    Stability one = analysis.stability(top.input(), unit);
    BoundOrReason caps = BoundOrReason.of(top.ranks().size());
    BoundOrReason all = BoundOrReason.of(top.ranks().size() + 1);
    return analysis.terms.signed(
        "S-TOP-ALL",
        BoundOrReason.sum(one.added(), BoundOrReason.product(caps, one.removed())),
        BoundOrReason.sum(one.removed(), BoundOrReason.product(caps, one.added())),
        BoundOrReason.product(all, one.both()));
  }
}
