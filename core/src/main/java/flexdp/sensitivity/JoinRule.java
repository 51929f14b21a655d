package flexdp.sensitivity;

import flexdp.Rejection;
import flexdp.RejectionCode;
import flexdp.algebra.Relation;
import flexdp.sensitivity.JoinKeys.Alternative;
import java.util.List;

/**
 * With m1 = mf(a, r1) and m2 = mf(b, r2) for a join on a = b:
 *
 * <p>S-INNER: P = m2·P1 + m1·P2 + X, M = m2·M1 + m1·M2, T = P + M. A row that appears in r1 brings
 * at most m2 partners, one that appears in r2 at most m1; pairs of new rows are X.
 *
 * <p>S-LEFT: P = max(1,m2)·P1 + m1·(P2+M2) + X, M = max(1,m2)·M1 + m1·(M2+P2), T = P + M. A row
 * without partner stays once, padded, and is padded anew when its last partner leaves.
 *
 * <p>S-FULL: P = max(1,m2)·P1 + m1·M2 + max(1,m1)·P2 + m2·M1 + X, M = max(1,m2)·M1 + m1·P2 +
 * max(1,m1)·M2 + m2·P1, T = P + M. The same from both sides.
 *
 * <p>X = min(P1·P2, P1·(m2⁺−m2), P2·(m1⁺−m1)), m⁺ being m with one more row of the table; the
 * paper's P1·P2 under its rules. Without an equality m is the number of rows (S-CROSS), which only
 * public sides have.
 */
final class JoinRule {
  private JoinRule() {}

  static Signed of(Analysis analysis, Relation.Join join, String table) {
    JoinKeys keys = analysis.keys(join);
    Estimate m1 = side(analysis, join, keys, true).orAt(join.at());
    Estimate m2 = side(analysis, join, keys, false).orAt(join.at());
    return analysis.combine(
        List.of(join.left(), join.right()),
        table,
        inputs -> {
          Signed one = inputs.get(0);
          Signed two = inputs.get(1);
          Estimate x = bothNew(analysis, one, two, m1, m2, table);
          return switch (join.kind()) {
            case INNER -> inner(analysis.terms, one, two, m1, m2, x);
            case LEFT -> left(analysis.terms, one, two, m1, m2, x);
            case FULL -> full(analysis.terms, one, two, m1, m2, x);
          };
        });
  }

  private static Estimate side(
      Analysis analysis, Relation.Join join, JoinKeys keys, boolean left) {
    Relation side = left ? join.left() : join.right();
    return keys.isEmpty()
        ? analysis.rows(side, () -> noEquality(analysis, join, keys))
        : analysis.matches(keys, side, left ? Alternative::left : Alternative::right, "S-OR");
  }

  private static Signed inner(
      Terms terms, Signed one, Signed two, Estimate m1, Estimate m2, Estimate x) {
    Estimate added =
        terms.sum(
            "S-INNER.P",
            terms.product("S-INNER.P.1", m2, one.added()),
            terms.product("S-INNER.P.2", m1, two.added()),
            x);
    Estimate removed =
        terms.sum(
            "S-INNER.M",
            terms.product("S-INNER.M.1", m2, one.removed()),
            terms.product("S-INNER.M.2", m1, two.removed()));
    return terms.signed("S-INNER", added, removed, terms.sum("S-INNER.T", added, removed));
  }

  private static Signed left(
      Terms terms, Signed one, Signed two, Estimate m1, Estimate m2, Estimate x) {
    Estimate kept = terms.max("S-LEFT.KEPT", Estimate.ONE, m2);
    Estimate added =
        terms.sum(
            "S-LEFT.P",
            terms.product("S-LEFT.P.1", kept, one.added()),
            terms.product(
                "S-LEFT.P.2", m1, terms.sum("S-LEFT.P.3", two.added(), two.removed())),
            x);
    Estimate removed =
        terms.sum(
            "S-LEFT.M",
            terms.product("S-LEFT.M.1", kept, one.removed()),
            terms.product(
                "S-LEFT.M.2", m1, terms.sum("S-LEFT.M.3", two.removed(), two.added())));
    return terms.signed("S-LEFT", added, removed, terms.sum("S-LEFT.T", added, removed));
  }

  private static Signed full(
      Terms terms, Signed one, Signed two, Estimate m1, Estimate m2, Estimate x) {
    Estimate keptLeft = terms.max("S-FULL.KEPT.1", Estimate.ONE, m2);
    Estimate keptRight = terms.max("S-FULL.KEPT.2", Estimate.ONE, m1);
    Estimate added =
        terms.sum(
            "S-FULL.P",
            terms.product("S-FULL.P.1", keptLeft, one.added()),
            terms.product("S-FULL.P.2", m1, two.removed()),
            terms.product("S-FULL.P.3", keptRight, two.added()),
            terms.product("S-FULL.P.4", m2, one.removed()),
            x);
    Estimate removed =
        terms.sum(
            "S-FULL.M",
            terms.product("S-FULL.M.1", keptLeft, one.removed()),
            terms.product("S-FULL.M.2", m1, two.added()),
            terms.product("S-FULL.M.3", keptRight, two.removed()),
            terms.product("S-FULL.M.4", m2, one.added()));
    return terms.signed("S-FULL", added, removed, terms.sum("S-FULL.T", added, removed));
  }

  private static Estimate bothNew(
      Analysis analysis, Signed one, Signed two, Estimate m1, Estimate m2, String table) {
    Estimate pairs = analysis.terms.product("S-X", one.added(), two.added());
    if (analysis.isPaper() || pairs.isZero()) {
      return pairs;
    }
    return analysis.terms.min(
        "S-X.MIN",
        pairs,
        analysis.terms.product("S-X.1", one.added(), growth(m2, table)),
        analysis.terms.product("S-X.2", two.added(), growth(m1, table)));
  }

  private static Estimate growth(Estimate frequency, String table) {
    return switch (frequency) {
      case Estimate.Known known -> Estimate.of(known.bound().step(table));
      case Estimate.Missing missing -> missing;
    };
  }

  private static Rejection noEquality(Analysis analysis, Relation.Join join, JoinKeys keys) {
    if (keys.isCross()) {
      return Rejection.of(
          RejectionCode.CROSS_JOIN,
          "Two protected relations are joined without a condition.",
          "Join them on an equality of columns.",
          join.at());
    }
    if (keys.isComputed(analysis.ids(join.left()), analysis.ids(join.right()))) {
      return Rejection.of(
          RejectionCode.JOIN_KEY_COMPUTED,
          "The join key is computed, so its max frequency cannot be measured.",
          "Join on columns of the tables themselves.",
          join.at());
    }
    return Rejection.of(
        RejectionCode.JOIN_NOT_EQUI,
        "The join of two protected relations requires no equality of their columns.",
        "Add an equality between a column of one side and a column of the other to the condition.",
        join.at());
  }
}
