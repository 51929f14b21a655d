package flexdp.sensitivity;

import flexdp.algebra.Relation;
import flexdp.policy.PrivacyUnit;
import flexdp.sensitivity.JoinKeys.Alternative;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Touched keys of a join on a = b. A joined row changes only if the row of r1 or the row of r2 in
 * it changed. G1, G2: the columns of G on each side; φ1 = 1 if G1 ⊆ a else m1, φ2 likewise.
 *
 * <p>D-JOIN.ONE: G ⊆ r1: D(G,r1) + D(b,r2)·φ1, and symmetric.
 *
 * <p>D-JOIN.TWO: D(G1∪a,r1)·φ2 + D(G2∪b,r2)·φ1, plus D(G1∪a,r1)·D(G2∪b,r2) if neither G1 ⊆ a nor G2
 * ⊆ b, for pairs of changed rows.
 *
 * <p>D-JOIN.PAD: for the side that is padded with NULL, D(G1,r1) + D(b,r2)·φ1 more; just 1 if G1 =
 * ∅.
 */
final class JoinAffectedGroups {
  private final SensitivityAnalysis analysis;
  private final Relation.Join join;
  private final PrivacyUnit unit;
  private final Set<Integer> one;
  private final Set<Integer> two;

  private JoinAffectedGroups(
      SensitivityAnalysis analysis, Relation.Join join, Set<Integer> group, PrivacyUnit unit) {
    this.analysis = analysis;
    this.join = join;
    this.unit = unit;
    this.one = among(group, analysis.ids(join.left()));
    this.two = among(group, analysis.ids(join.right()));
  }

  static BoundOrReason of(
      SensitivityAnalysis analysis, Relation.Join join, Set<Integer> group, PrivacyUnit unit) {
    BoundOrReason least = new JoinAffectedGroups(analysis, join, group, unit).all();
    if (join.kind() == Relation.JoinKind.INNER && !analysis.isPaper()) {
      // Columns that the join makes equal may be read from either side.
      Set<Integer> closed = new TreeSet<>(analysis.facts(join).determinedBy(group));
      closed.removeAll(analysis.facts(join).constant());
      for (Relation side : List.of(join.left(), join.right())) {
        Set<Integer> moved = among(closed, analysis.ids(side));
        if (analysis.facts(join).determinedBy(moved).containsAll(group)) {
          least =
              BoundOrReason.min(least, new JoinAffectedGroups(analysis, join, moved, unit).all());
        }
      }
    }
    return least;
  }

  private static Set<Integer> among(Set<Integer> columns, Set<Integer> side) {
    Set<Integer> some = new TreeSet<>(columns);
    some.retainAll(side);
    return some;
  }

  private BoundOrReason all() {
    JoinKeys keys = analysis.keys(join);
    List<Alternative> alternatives = keys.alternatives();
    if (keys.isEmpty()) {
      alternatives =
          List.of(
              new Alternative(FrequencyKey.NONE, FrequencyKey.NONE, Set.of(), Set.of(), List.of()));
    }
    List<BoundOrReason> sums = new ArrayList<>();
    for (Alternative alternative : alternatives) {
      sums.add(joined(alternative, keys.isEmpty()));
    }
    return analysis.terms.sum("D-JOIN.OR", sums.toArray(BoundOrReason[]::new));
  }

  private BoundOrReason joined(Alternative on, boolean cross) {
    BoundArithmetic terms = analysis.terms;
    boolean oneFixed = isFixed(one, on.left(), join.left());
    boolean twoFixed = isFixed(two, on.right(), join.right());
    BoundOrReason spreadOne =
        oneFixed ? BoundOrReason.ONE : partners(on.left(), join.left(), cross);
    BoundOrReason spreadTwo =
        twoFixed ? BoundOrReason.ONE : partners(on.right(), join.right(), cross);
    BoundOrReason matched;
    if (two.isEmpty()) {
      matched =
          terms.sum(
              "D-JOIN.ONE.1",
              affectedLeft(one),
              terms.product("D-JOIN.ONE.1.2", affectedRight(on.rightEqual()), spreadOne));
    } else if (one.isEmpty()) {
      matched =
          terms.sum(
              "D-JOIN.ONE.2",
              affectedRight(two),
              terms.product("D-JOIN.ONE.2.1", affectedLeft(on.leftEqual()), spreadTwo));
    } else {
      BoundOrReason left = affectedLeft(union(one, on.leftEqual()));
      BoundOrReason right = affectedRight(union(two, on.rightEqual()));
      matched =
          terms.sum(
              "D-JOIN.TWO",
              terms.product("D-JOIN.TWO.1", left, spreadTwo),
              terms.product("D-JOIN.TWO.2", right, spreadOne),
              oneFixed || twoFixed
                  ? BoundOrReason.ZERO
                  : terms.product("D-JOIN.TWO.3", left, right));
    }
    BoundOrReason paddedRight = BoundOrReason.ZERO;
    BoundOrReason paddedLeft = BoundOrReason.ZERO;
    if (join.kind() != Relation.JoinKind.INNER && !two.isEmpty()) {
      paddedRight =
          one.isEmpty()
              ? BoundOrReason.ONE
              : terms.sum(
                  "D-JOIN.PAD.1",
                  affectedLeft(one),
                  terms.product("D-JOIN.PAD.1.2", affectedRight(on.rightEqual()), spreadOne));
    }
    if (join.kind() == Relation.JoinKind.FULL && !one.isEmpty()) {
      paddedLeft =
          two.isEmpty()
              ? BoundOrReason.ONE
              : terms.sum(
                  "D-JOIN.PAD.2",
                  affectedRight(two),
                  terms.product("D-JOIN.PAD.2.1", affectedLeft(on.leftEqual()), spreadTwo));
    }
    return terms.sum("D-JOIN.PAD", matched, paddedRight, paddedLeft);
  }

  /** Whether rows with the same key have the same values of these columns. */
  private boolean isFixed(Set<Integer> columns, FrequencyKey key, Relation side) {
    return analysis.facts(side).determinedBy(key.columns()).containsAll(columns);
  }

  private BoundOrReason partners(FrequencyKey key, Relation side, boolean cross) {
    return cross ? analysis.rows(side, FrequencyRules::computed) : analysis.frequency(key, side);
  }

  private BoundOrReason affectedLeft(Set<Integer> columns) {
    return analysis.affectedGroups(columns, join.left(), unit);
  }

  private BoundOrReason affectedRight(Set<Integer> columns) {
    return analysis.affectedGroups(columns, join.right(), unit);
  }

  private static Set<Integer> union(Set<Integer> one, Set<Integer> other) {
    Set<Integer> all = new TreeSet<>(one);
    all.addAll(other);
    return all;
  }
}
