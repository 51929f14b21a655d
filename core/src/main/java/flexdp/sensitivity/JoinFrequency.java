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
  private final SensitivityAnalysis analysis;
  private final Relation.Join join;
  private final FrequencyKey key;
  private final JoinKeys keys;

  private JoinFrequency(SensitivityAnalysis analysis, Relation.Join join, FrequencyKey key) {
    this.analysis = analysis;
    this.join = join;
    this.key = key;
    this.keys = analysis.keys(join);
  }

  static BoundOrReason of(SensitivityAnalysis analysis, Relation.Join join, FrequencyKey key) {
    JoinFrequency rule = new JoinFrequency(analysis, join, key);
    return switch (join.kind()) {
      case INNER -> rule.matched(key);
      case LEFT -> rule.left();
      case FULL -> rule.full();
    };
  }

  private FrequencyKey ofLeft(FrequencyKey some) {
    return some.where(analysis.ids(join.left())::contains);
  }

  private FrequencyKey ofRight(FrequencyKey some) {
    return some.where(analysis.ids(join.right())::contains);
  }

  private BoundOrReason left() {
    FrequencyKey one = ofLeft(key);
    FrequencyKey two = ofRight(key);
    if (two.isEmpty()) {
      return keptOnce(one, "F-LEFT");
    }
    BoundOrReason padded =
        two.admitsAllNull() ? analysis.frequency(one, join.left()) : BoundOrReason.ZERO;
    BoundOrReason all = analysis.terms.sum("F-LEFT.NULL", matchedClosed(), padded);
    return one.isEmpty() ? all : BoundOrReason.min(all, keptOnce(one, "F-LEFT"));
  }

  private BoundOrReason full() {
    FrequencyKey one = ofLeft(key);
    FrequencyKey two = ofRight(key);
    if (two.isEmpty()) {
      // Rows of the right without partner have NULL in C1, or count when there is no C1.
      BoundOrReason alone =
          one.admitsAllNull()
              ? analysis.frequency(FrequencyKey.NONE, join.right())
              : BoundOrReason.ZERO;
      return analysis.terms.sum("F-FULL.LEFT", keptOnce(one, "F-FULL.L"), alone);
    }
    if (one.isEmpty()) {
      BoundOrReason alone =
          two.admitsAllNull()
              ? analysis.frequency(FrequencyKey.NONE, join.left())
              : BoundOrReason.ZERO;
      return analysis.terms.sum("F-FULL.RIGHT", keptOnceRight(two), alone);
    }
    return analysis.terms.sum(
        "F-FULL.NULL",
        matchedClosed(),
        two.admitsAllNull() ? analysis.frequency(one, join.left()) : BoundOrReason.ZERO,
        one.admitsAllNull() ? analysis.frequency(two, join.right()) : BoundOrReason.ZERO);
  }

  private BoundOrReason keptOnce(FrequencyKey one, String place) {
    return analysis.terms.product(
        place,
        analysis.frequency(one, join.left()),
        analysis.terms.max(place + ".MAX", BoundOrReason.ONE, partners(FrequencyKey.NONE, false)));
  }

  private BoundOrReason keptOnceRight(FrequencyKey two) {
    return analysis.terms.product(
        "F-FULL.R",
        analysis.frequency(two, join.right()),
        analysis.terms.max("F-FULL.R.MAX", BoundOrReason.ONE, partners(FrequencyKey.NONE, true)));
  }

  /** Matched rows obey the condition, so the key may be closed under it. */
  private BoundOrReason matchedClosed() {
    return matched(analysis.isPaper() ? key : RelationFacts.ofMatched(join, analysis).close(key));
  }

  private BoundOrReason matched(FrequencyKey closed) {
    FrequencyKey one = ofLeft(closed);
    FrequencyKey two = ofRight(closed);
    BoundOrReason first =
        analysis.terms.product("F-INNER.1", alone(one, join.left(), two), partners(two, false));
    if (analysis.isLong() || analysis.isPaper() && !one.isEmpty()) {
      return first;
    }
    BoundOrReason second =
        analysis.terms.product("F-INNER.2", alone(two, join.right(), one), partners(one, true));
    return analysis.isPaper() && !two.isEmpty()
        ? second
        : analysis.terms.min("F-INNER", first, second);
  }

  /** mf of one side's part of the key; all its rows only when the key as a whole is empty. */
  private BoundOrReason alone(FrequencyKey part, Relation side, FrequencyKey other) {
    return part.isEmpty() && !other.isEmpty()
        ? analysis.rows(side, FrequencyRules::computed)
        : analysis.frequency(part, side);
  }

  /** How many rows of one side carry some columns and the key of a row of the other side. */
  private BoundOrReason partners(FrequencyKey also, boolean onLeft) {
    Relation side = onLeft ? join.left() : join.right();
    if (keys.isEmpty()) {
      return analysis.frequency(also, side);
    }
    List<Alternative> alternatives = keys.alternatives();
    return analysis.terms.sum(
        "F-OR",
        alternatives.stream()
            .map(a -> analysis.frequency((onLeft ? a.left() : a.right()).and(also), side))
            .toArray(BoundOrReason[]::new));
  }
}
