package flexdp.sensitivity;

import flexdp.algebra.Relation;
import flexdp.sensitivity.JoinKeys.Alternative;
import java.util.List;

/**
 * F-INNER: min{mf(C1,r1)·mf(C2∪b,r2), mf(C2,r2)·mf(C1∪a,r1)}: fix the value of C; at most mf(C1,r1)
 * rows of r1 carry it, each of which meets rows of r2 that carry C2 and its key.
 *
 * <p>F-LEFT: with C2 = ∅, mf(C1,r1)·max(1, mf(b,r2)), since a row without partner stays once; with
 * C2 ≠ ∅ the matched rows as F-INNER, and mf(C1,r1) more if NULL in all of C2 counts as a value.
 *
 * <p>F-FULL: the same from both sides.
 */
final class JoinFrequency {
  private final Analysis analysis;
  private final Relation.Join join;
  private final Key key;
  private final JoinKeys keys;

  private JoinFrequency(Analysis analysis, Relation.Join join, Key key) {
    this.analysis = analysis;
    this.join = join;
    this.key = key;
    this.keys = analysis.keys(join);
  }

  static Estimate of(Analysis analysis, Relation.Join join, Key key) {
    JoinFrequency rule = new JoinFrequency(analysis, join, key);
    return switch (join.kind()) {
      case INNER -> rule.matched(key);
      case LEFT -> rule.left();
      case FULL -> rule.full();
    };
  }

  private Key ofLeft(Key some) {
    return some.where(analysis.ids(join.left())::contains);
  }

  private Key ofRight(Key some) {
    return some.where(analysis.ids(join.right())::contains);
  }

  private Estimate left() {
    Key one = ofLeft(key);
    Key two = ofRight(key);
    if (two.isEmpty()) {
      return keptOnce(one, "F-LEFT");
    }
    Estimate padded = two.admitsAllNull() ? analysis.frequency(one, join.left()) : Estimate.ZERO;
    Estimate all = analysis.terms.sum("F-LEFT.NULL", matchedClosed(), padded);
    return one.isEmpty() ? all : Estimate.min(all, keptOnce(one, "F-LEFT"));
  }

  private Estimate full() {
    Key one = ofLeft(key);
    Key two = ofRight(key);
    if (two.isEmpty()) {
      // Rows of the right without partner have NULL in C1, or count when there is no C1.
      Estimate alone =
          one.admitsAllNull() ? analysis.frequency(Key.NONE, join.right()) : Estimate.ZERO;
      return analysis.terms.sum("F-FULL.LEFT", keptOnce(one, "F-FULL.L"), alone);
    }
    if (one.isEmpty()) {
      Estimate alone =
          two.admitsAllNull() ? analysis.frequency(Key.NONE, join.left()) : Estimate.ZERO;
      return analysis.terms.sum("F-FULL.RIGHT", keptOnceRight(two), alone);
    }
    return analysis.terms.sum(
        "F-FULL.NULL",
        matchedClosed(),
        two.admitsAllNull() ? analysis.frequency(one, join.left()) : Estimate.ZERO,
        one.admitsAllNull() ? analysis.frequency(two, join.right()) : Estimate.ZERO);
  }

  private Estimate keptOnce(Key one, String place) {
    return analysis.terms.product(
        place,
        analysis.frequency(one, join.left()),
        analysis.terms.max(place + ".MAX", Estimate.ONE, partners(Key.NONE, false)));
  }

  private Estimate keptOnceRight(Key two) {
    return analysis.terms.product(
        "F-FULL.R",
        analysis.frequency(two, join.right()),
        analysis.terms.max("F-FULL.R.MAX", Estimate.ONE, partners(Key.NONE, true)));
  }

  /** Matched rows obey the condition, so the key may be closed under it. */
  private Estimate matchedClosed() {
    return matched(analysis.isPaper() ? key : Facts.ofMatched(join, analysis).close(key));
  }

  private Estimate matched(Key closed) {
    Key one = ofLeft(closed);
    Key two = ofRight(closed);
    Estimate first =
        analysis.terms.product("F-INNER.1", alone(one, join.left(), two), partners(two, false));
    if (analysis.isLong() || analysis.isPaper() && !one.isEmpty()) {
      return first;
    }
    Estimate second =
        analysis.terms.product("F-INNER.2", alone(two, join.right(), one), partners(one, true));
    return analysis.isPaper() && !two.isEmpty()
        ? second
        : analysis.terms.min("F-INNER", first, second);
  }

  /** mf of one side's part of the key; all its rows only when the key as a whole is empty. */
  private Estimate alone(Key part, Relation side, Key other) {
    return part.isEmpty() && !other.isEmpty()
        ? analysis.rows(side, FrequencyRules::computed)
        : analysis.frequency(part, side);
  }

  /** How many rows of one side carry some columns and the key of a row of the other side. */
  private Estimate partners(Key also, boolean onLeft) {
    Relation side = onLeft ? join.left() : join.right();
    if (keys.isEmpty()) {
      return analysis.frequency(also, side);
    }
    List<Alternative> alternatives = keys.alternatives();
    return analysis.terms.sum(
        "F-OR",
        alternatives.stream()
            .map(a -> analysis.frequency((onLeft ? a.left() : a.right()).and(also), side))
            .toArray(Estimate[]::new));
  }
}
