package flexdp.sensitivity;

import flexdp.algebra.Relation;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.policy.PrivacyUnit;
import flexdp.sensitivity.JoinKeys.Alternative;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

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
 * <p>X, the pairs of new rows, is P1·P2; or it is counted by letting one of the frequencies grow by
 * the new row (m⁺, the frequency at κ+e_t), whichever gives the least P: new rows lie in A1⋈r2(y) ∪
 * C1⋈A2, and in r1(y)⋈A2 ∪ A1⋈C2. This is X = min(P1·P2, P1·(m2⁺−m2), P2·(m1⁺−m1)) written without
 * differences, which would not be monotone. The paper's rules keep P1·P2.
 *
 * <p>Without an equality m is the number of rows (S-CROSS), which only public sides have.
 */
final class JoinRule {
  private final SensitivityAnalysis analysis;
  private final Relation.Join join;
  private final BoundArithmetic terms;
  private final PrivacyUnit unit;
  private final Stability one;
  private final Stability two;
  private final BoundOrReason m1;
  private final BoundOrReason m2;

  private JoinRule(
      SensitivityAnalysis analysis,
      Relation.Join join,
      PrivacyUnit unit,
      Stability one,
      Stability two,
      Matches matches) {
    this.analysis = analysis;
    this.join = join;
    this.terms = analysis.terms;
    this.unit = unit;
    this.one = one;
    this.two = two;
    this.m1 = matches.m1();
    this.m2 = matches.m2();
  }

  static Stability of(SensitivityAnalysis analysis, Relation.Join join, PrivacyUnit unit) {
    Matches matches = analysis.matches(join);
    analysis.applied.rule(join, "S-" + join.kind());
    if (analysis.keys(join).alternatives().size() != 1) {
      analysis.applied.rule(join, analysis.keys(join).isEmpty() ? "S-CROSS" : "S-OR");
    }
    return analysis.combine(
        List.of(join.left(), join.right()),
        unit,
        inputs -> {
          JoinRule rule = new JoinRule(analysis, join, unit, inputs.get(0), inputs.get(1), matches);
          return switch (join.kind()) {
            case INNER -> rule.inner();
            case LEFT -> rule.left();
            case FULL -> rule.full();
          };
        });
  }

  /** How many rows of each side one row of the other can match. */
  record Matches(BoundOrReason m1, BoundOrReason m2) {}

  static Matches matches(SensitivityAnalysis analysis, Relation.Join join) {
    JoinKeys keys = analysis.keys(join);
    return new Matches(
        side(analysis, join, keys, true).orAt(join.at()),
        side(analysis, join, keys, false).orAt(join.at()));
  }

  private static BoundOrReason side(
      SensitivityAnalysis analysis, Relation.Join join, JoinKeys keys, boolean left) {
    Relation side = left ? join.left() : join.right();
    return keys.isEmpty()
        ? analysis.rows(side, () -> noEquality(analysis, join, keys))
        : analysis.matches(keys, side, left ? Alternative::left : Alternative::right, "S-OR");
  }

  private Stability inner() {
    BoundOrReason added =
        least(
            pairs -> innerAdded(m1, m2, pairs),
            () -> innerAdded(m1, grown(m2), BoundOrReason.ZERO),
            () -> innerAdded(grown(m1), m2, BoundOrReason.ZERO));
    BoundOrReason removed =
        terms.sum(
            "S-INNER.M",
            terms.product("S-INNER.M.1", m2, one.removed()),
            terms.product("S-INNER.M.2", m1, two.removed()));
    return terms.signed("S-INNER", added, removed, terms.sum("S-INNER.T", added, removed));
  }

  private BoundOrReason innerAdded(
      BoundOrReason matches1, BoundOrReason matches2, BoundOrReason pairs) {
    return terms.sum(
        "S-INNER.P",
        terms.product("S-INNER.P.1", matches2, one.added()),
        terms.product("S-INNER.P.2", matches1, two.added()),
        pairs);
  }

  private Stability left() {
    BoundOrReason added =
        least(
            pairs -> leftAdded(m1, m2, pairs),
            () -> leftAdded(m1, grown(m2), BoundOrReason.ZERO),
            () -> leftAdded(grown(m1), m2, BoundOrReason.ZERO));
    BoundOrReason removed =
        terms.sum(
            "S-LEFT.M",
            terms.product("S-LEFT.M.1", kept("S-LEFT.KEPT", m2), one.removed()),
            terms.product("S-LEFT.M.2", m1, two.removed()),
            terms.product("S-LEFT.M.3", m1, two.added()));
    return terms.signed("S-LEFT", added, removed, terms.sum("S-LEFT.T", added, removed));
  }

  private BoundOrReason leftAdded(
      BoundOrReason matches1, BoundOrReason matches2, BoundOrReason pairs) {
    return terms.sum(
        "S-LEFT.P",
        terms.product("S-LEFT.P.1", kept("S-LEFT.KEPT", matches2), one.added()),
        terms.product("S-LEFT.P.2", matches1, two.added()),
        terms.product("S-LEFT.P.3", m1, two.removed()),
        pairs);
  }

  private Stability full() {
    BoundOrReason added =
        least(
            pairs -> fullAdded(m1, m2, pairs),
            () -> fullAdded(m1, grown(m2), BoundOrReason.ZERO),
            () -> fullAdded(grown(m1), m2, BoundOrReason.ZERO));
    BoundOrReason removed =
        terms.sum(
            "S-FULL.M",
            terms.product("S-FULL.M.1", kept("S-FULL.KEPT.1", m2), one.removed()),
            terms.product("S-FULL.M.2", m1, two.added()),
            terms.product("S-FULL.M.3", kept("S-FULL.KEPT.2", m1), two.removed()),
            terms.product("S-FULL.M.4", m2, one.added()));
    return terms.signed("S-FULL", added, removed, terms.sum("S-FULL.T", added, removed));
  }

  private BoundOrReason fullAdded(
      BoundOrReason matches1, BoundOrReason matches2, BoundOrReason pairs) {
    return terms.sum(
        "S-FULL.P",
        terms.product("S-FULL.P.1", kept("S-FULL.KEPT.1", matches2), one.added()),
        terms.product("S-FULL.P.2", m1, two.removed()),
        terms.product("S-FULL.P.3", kept("S-FULL.KEPT.2", matches1), two.added()),
        terms.product("S-FULL.P.4", m2, one.removed()),
        pairs);
  }

  /** A row of a preserved side appears at least once. */
  private BoundOrReason kept(String place, BoundOrReason matches) {
    return terms.max(place, BoundOrReason.ONE, matches);
  }

  private BoundOrReason least(
      UnaryOperator<BoundOrReason> withPairs,
      Supplier<BoundOrReason> growRight,
      Supplier<BoundOrReason> growLeft) {
    BoundOrReason pairs = terms.product("S-X", one.added(), two.added());
    BoundOrReason literal = withPairs.apply(pairs);
    if (!pairs.isZero()) {
      analysis.applied.rule(join, "S-X");
    }
    return analysis.isPaper() || pairs.isZero()
        ? literal
        : terms.min("S-X.MIN", literal, growRight.get(), growLeft.get());
  }

  private BoundOrReason grown(BoundOrReason frequency) {
    return terms.grown("S-X.GROWN", frequency, unit);
  }

  private static Rejection noEquality(
      SensitivityAnalysis analysis, Relation.Join join, JoinKeys keys) {
    if (isOneValue(join.left()) || isOneValue(join.right())) {
      return Rejection.of(
          RejectionCode.SUBQUERY_UNCORRELATED,
          "One value computed from protected rows is compared with every row of a protected"
              + " relation.",
          "Correlate the subquery by an equality with a column of the outer query, or ask for the"
              + " value first and write it as a constant.",
          join.at());
    }
    if (keys.isCross()) {
      return Rejection.of(
          RejectionCode.CROSS_JOIN,
          "Two protected relations are joined without a condition.",
          "Join them on an equality of columns.",
          join.at());
    }
    if (keys.converted().isPresent()) {
      return keys.converted().get().orAt(join.at());
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

  /** An aggregate without keys, as scalar subqueries without correlation become. */
  private static boolean isOneValue(Relation relation) {
    return relation instanceof Relation.Project project
        ? isOneValue(project.input())
        : relation instanceof Relation.Aggregate aggregate && aggregate.keys().isEmpty();
  }
}
