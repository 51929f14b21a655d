package flexdp.sensitivity;

import flexdp.algebra.Relation;
import flexdp.policy.Unit;
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
final class JoinTouched {
  private final Analysis analysis;
  private final Relation.Join join;
  private final Unit unit;
  private final Set<Integer> one;
  private final Set<Integer> two;

  private JoinTouched(Analysis analysis, Relation.Join join, Set<Integer> group, Unit unit) {
    this.analysis = analysis;
    this.join = join;
    this.unit = unit;
    this.one = among(group, analysis.ids(join.left()));
    this.two = among(group, analysis.ids(join.right()));
  }

  static Estimate of(Analysis analysis, Relation.Join join, Set<Integer> group, Unit unit) {
    Estimate least = new JoinTouched(analysis, join, group, unit).all();
    if (join.kind() == Relation.JoinKind.INNER && !analysis.isPaper()) {
      // Columns that the join makes equal may be read from either side.
      Set<Integer> closed = new TreeSet<>(analysis.facts(join).determinedBy(group));
      closed.removeAll(analysis.facts(join).constant());
      for (Relation side : List.of(join.left(), join.right())) {
        Set<Integer> moved = among(closed, analysis.ids(side));
        if (analysis.facts(join).determinedBy(moved).containsAll(group)) {
          least = Estimate.min(least, new JoinTouched(analysis, join, moved, unit).all());
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

  private Estimate all() {
    JoinKeys keys = analysis.keys(join);
    List<Alternative> alternatives = keys.alternatives();
    if (keys.isEmpty()) {
      alternatives = List.of(new Alternative(Key.NONE, Key.NONE, Set.of(), Set.of(), List.of()));
    }
    List<Estimate> sums = new ArrayList<>();
    for (Alternative alternative : alternatives) {
      sums.add(joined(alternative, keys.isEmpty()));
    }
    return analysis.terms.sum("D-JOIN.OR", sums.toArray(Estimate[]::new));
  }

  private Estimate joined(Alternative on, boolean cross) {
    Terms terms = analysis.terms;
    boolean oneFixed = isFixed(one, on.left(), join.left());
    boolean twoFixed = isFixed(two, on.right(), join.right());
    Estimate spreadOne = oneFixed ? Estimate.ONE : partners(on.left(), join.left(), cross);
    Estimate spreadTwo = twoFixed ? Estimate.ONE : partners(on.right(), join.right(), cross);
    Estimate matched;
    if (two.isEmpty()) {
      matched =
          terms.sum(
              "D-JOIN.ONE.1",
              touchedLeft(one),
              terms.product("D-JOIN.ONE.1.2", touchedRight(on.rightEqual()), spreadOne));
    } else if (one.isEmpty()) {
      matched =
          terms.sum(
              "D-JOIN.ONE.2",
              touchedRight(two),
              terms.product("D-JOIN.ONE.2.1", touchedLeft(on.leftEqual()), spreadTwo));
    } else {
      Estimate left = touchedLeft(union(one, on.leftEqual()));
      Estimate right = touchedRight(union(two, on.rightEqual()));
      matched =
          terms.sum(
              "D-JOIN.TWO",
              terms.product("D-JOIN.TWO.1", left, spreadTwo),
              terms.product("D-JOIN.TWO.2", right, spreadOne),
              oneFixed || twoFixed ? Estimate.ZERO : terms.product("D-JOIN.TWO.3", left, right));
    }
    Estimate paddedRight = Estimate.ZERO;
    Estimate paddedLeft = Estimate.ZERO;
    if (join.kind() != Relation.JoinKind.INNER && !two.isEmpty()) {
      paddedRight =
          one.isEmpty()
              ? Estimate.ONE
              : terms.sum(
                  "D-JOIN.PAD.1",
                  touchedLeft(one),
                  terms.product("D-JOIN.PAD.1.2", touchedRight(on.rightEqual()), spreadOne));
    }
    if (join.kind() == Relation.JoinKind.FULL && !one.isEmpty()) {
      paddedLeft =
          two.isEmpty()
              ? Estimate.ONE
              : terms.sum(
                  "D-JOIN.PAD.2",
                  touchedRight(two),
                  terms.product("D-JOIN.PAD.2.1", touchedLeft(on.leftEqual()), spreadTwo));
    }
    return terms.sum("D-JOIN.PAD", matched, paddedRight, paddedLeft);
  }

  /** Whether rows with the same key have the same values of these columns. */
  private boolean isFixed(Set<Integer> columns, Key key, Relation side) {
    return analysis.facts(side).determinedBy(key.columns()).containsAll(columns);
  }

  private Estimate partners(Key key, Relation side, boolean cross) {
    return cross ? analysis.rows(side, FrequencyRules::computed) : analysis.frequency(key, side);
  }

  private Estimate touchedLeft(Set<Integer> columns) {
    return analysis.touched(columns, join.left(), unit);
  }

  private Estimate touchedRight(Set<Integer> columns) {
    return analysis.touched(columns, join.right(), unit);
  }

  private static Set<Integer> union(Set<Integer> one, Set<Integer> other) {
    Set<Integer> all = new TreeSet<>(one);
    all.addAll(other);
    return all;
  }
}
