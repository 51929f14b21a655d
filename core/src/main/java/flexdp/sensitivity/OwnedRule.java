package flexdp.sensitivity;

import flexdp.algebra.Relation;
import flexdp.algebra.Relation.JoinKind;
import flexdp.policy.PrivacyUnit;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What is known beside the rules of the operators when a person leaves an owned relation with all
 * her rows, and nobody else's change (guarantee §10).
 *
 * <p>S-OWNED: P = T = min(rule, mf(owner, r) one person further), M = 0: the rows that appear are
 * those of one person in the larger database.
 *
 * <p>D-OWNED: columns that the owner fixes do not add to D: all rows that change are one person's.
 *
 * <p>D-OWNED-JOIN: D(G1, r1)·D(G2, r2), a side without columns of G counting 1, one more for a side
 * that can be padded: both parts of a row are hers, when both sides are owned.
 */
final class OwnedRule {
  private OwnedRule() {}

  static Stability of(
      SensitivityAnalysis analysis, Relation relation, PrivacyUnit unit, Stability rule) {
    Optional<Integer> owner = analysis.owner(relation, unit);
    if (owner.isEmpty()) {
      return rule;
    }
    analysis.applied.rule(relation, "S-OWNED");
    BoundArithmetic terms = analysis.terms;
    BoundOrReason rows = analysis.frequency(FrequencyKey.matching(Set.of(owner.get())), relation);
    BoundOrReason most =
        terms.min("S-OWNED.MIN", rule.added(), terms.grown("S-OWNED.GROWN", rows, unit));
    return terms.signed("S-OWNED", most, BoundOrReason.ZERO, most);
  }

  /** The columns of a group that can differ between rows of one person. */
  static Set<Integer> varying(
      SensitivityAnalysis analysis, Relation relation, Set<Integer> group, PrivacyUnit unit) {
    Set<Integer> varying = new TreeSet<>(group);
    analysis
        .owner(relation, unit)
        .ifPresent(
            owner -> varying.removeAll(analysis.facts(relation).determinedBy(Set.of(owner))));
    return varying;
  }

  /** D of an owned join or of rows with subqueries, beside that of the operator. */
  static Optional<BoundOrReason> affectedGroups(
      SensitivityAnalysis analysis, Relation relation, Set<Integer> group, PrivacyUnit unit) {
    if (analysis.owner(relation, unit).isEmpty()) {
      return Optional.empty();
    }
    return switch (relation) {
      case Relation.Join join -> ofJoin(analysis, join, group, unit);
      case Relation.Where where -> Optional.of(analysis.affectedGroups(group, where.input(), unit));
      case Relation.Attach attach ->
          analysis.ids(attach.input()).containsAll(group)
              ? Optional.of(analysis.affectedGroups(group, attach.input(), unit))
              : Optional.empty();
      case Relation.Scan ignored -> Optional.empty();
      case Relation.Values ignored -> Optional.empty();
      case Relation.Filter ignored -> Optional.empty();
      case Relation.Project ignored -> Optional.empty();
      case Relation.Distinct ignored -> Optional.empty();
      case Relation.Aggregate ignored -> Optional.empty();
      case Relation.SetOperation ignored -> Optional.empty();
      case Relation.Limit ignored -> Optional.empty();
      case Relation.TopRows ignored -> Optional.empty();
      case Relation.Window ignored -> Optional.empty();
      case Relation.Released ignored -> Optional.empty();
    };
  }

  private static Optional<BoundOrReason> ofJoin(
      SensitivityAnalysis analysis, Relation.Join join, Set<Integer> group, PrivacyUnit unit) {
    Optional<BoundOrReason> one =
        side(analysis, join.left(), group, unit, join.kind() == JoinKind.FULL);
    Optional<BoundOrReason> two =
        side(analysis, join.right(), group, unit, join.kind() != JoinKind.INNER);
    return one.flatMap(a -> two.map(b -> analysis.terms.product("D-OWNED-JOIN", a, b)));
  }

  private static Optional<BoundOrReason> side(
      SensitivityAnalysis analysis,
      Relation side,
      Set<Integer> group,
      PrivacyUnit unit,
      boolean padded) {
    Set<Integer> part = new TreeSet<>(group);
    part.retainAll(analysis.ids(side));
    if (part.isEmpty()) {
      return Optional.of(BoundOrReason.ONE);
    }
    if (analysis.owner(side, unit).isEmpty()) {
      return Optional.empty();
    }
    BoundOrReason own = analysis.affectedGroups(part, side, unit);
    return Optional.of(
        padded ? analysis.terms.sum("D-OWNED-JOIN.PAD", own, BoundOrReason.ONE) : own);
  }
}
