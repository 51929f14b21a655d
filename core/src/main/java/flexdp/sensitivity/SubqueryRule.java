package flexdp.sensitivity;

import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.algebra.Subquery;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.policy.PrivacyUnit;
import flexdp.sensitivity.JoinKeys.Alternative;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Subqueries that outer rows ask about, each adding its term, with m1 = mf(a, r1) for a correlation
 * a = b. Only outer rows whose key was touched in the subquery can change sides, so P2, M2 and T2
 * are capped by D(b, r2).
 *
 * <p>S-SEMI: (P1 + m1·P2, M1 + m1·M2, T1 + m1·T2): a row starts to pass when a partner appears.
 *
 * <p>S-ANTI: (P1 + m1·M2, M1 + m1·P2, T1 + m1·T2): a row starts to pass when a partner leaves.
 *
 * <p>Both need a predicate that is monotone in what the subquery gives: it stands under AND and OR
 * only, which no row leaves when it turns true. Where it does not, S-SCALAR holds of it.
 *
 * <p>S-SCALAR: (P1 + m1·T2, M1 + m1·T2, T1 + m1·T2): any change may turn the predicate either way.
 *
 * <p>S-ATTACH: the same with T = T1 + 2·m1·T2: a row with another value is one row gone and one
 * new.
 */
final class SubqueryRule {
  private final SensitivityAnalysis analysis;
  private final Relation outer;
  private final PrivacyUnit unit;

  private SubqueryRule(SensitivityAnalysis analysis, Relation outer, PrivacyUnit unit) {
    this.analysis = analysis;
    this.outer = outer;
    this.unit = unit;
  }

  static Stability of(SensitivityAnalysis analysis, Relation.Where where, PrivacyUnit unit) {
    SubqueryRule rule = new SubqueryRule(analysis, where.input(), unit);
    analysis.applied.rule(where, "S-SUBQUERY");
    return rule.apply(
        where.subqueries(), false, s -> isMonotone(where.predicate(), s.output().id()));
  }

  static Stability of(SensitivityAnalysis analysis, Relation.Attach attach, PrivacyUnit unit) {
    SubqueryRule rule = new SubqueryRule(analysis, attach.input(), unit);
    analysis.applied.rule(attach, "S-ATTACH");
    return rule.apply(attach.subqueries(), true, s -> false);
  }

  /** Whether a condition that is met stays so when a column turns true, by its form. */
  static boolean isMonotone(Expr predicate, int column) {
    return predicate instanceof Expr.Ref
        || !AlgebraWalker.references(predicate).contains(column)
        || predicate instanceof Expr.Call call
            && (call.function() == Function.AND || call.function() == Function.OR)
            && call.arguments().stream().allMatch(a -> isMonotone(a, column));
  }

  private Stability apply(
      List<? extends Subquery> subqueries, boolean attached, Predicate<Subquery> monotone) {
    List<Relation> inputs = new ArrayList<>(List.of(outer));
    subqueries.forEach(subquery -> inputs.add(subquery.relation()));
    return analysis.combine(
        inputs,
        unit,
        stabilities -> {
          Stability total = stabilities.get(0);
          for (int i = 0; i < subqueries.size(); i++) {
            Subquery one = subqueries.get(i);
            Stability two = stabilities.get(i + 1);
            total =
                one instanceof Subquery.Exists exists && monotone.test(one)
                    ? exists(total, exists, two)
                    : either(total, one, two, attached);
          }
          return total;
        });
  }

  private Stability exists(Stability one, Subquery.Exists exists, Stability two) {
    BoundArithmetic terms = analysis.terms;
    String rule = exists.negated() ? "S-ANTI" : "S-SEMI";
    analysis.applied.rule(exists, rule);
    BoundOrReason appears = exists.negated() ? two.removed() : two.added();
    BoundOrReason leaves = exists.negated() ? two.added() : two.removed();
    return terms.signed(
        rule,
        terms.sum(rule + ".P", one.added(), flips(rule + ".P", exists, appears)),
        terms.sum(rule + ".M", one.removed(), flips(rule + ".M", exists, leaves)),
        terms.sum(rule + ".T", one.both(), flips(rule + ".T", exists, two.both())));
  }

  /** Any change may turn the predicate either way. */
  private Stability either(Stability one, Subquery subquery, Stability two, boolean attached) {
    BoundArithmetic terms = analysis.terms;
    String rule = attached ? "S-ATTACH" : "S-SCALAR";
    analysis.applied.rule(subquery, rule);
    BoundOrReason flips = flips(rule, subquery, two.both());
    BoundOrReason both =
        attached ? terms.product(rule + ".TWICE", BoundOrReason.of(2), flips) : flips;
    return terms.signed(
        rule,
        terms.sum(rule + ".P", one.added(), flips),
        terms.sum(rule + ".M", one.removed(), flips),
        terms.sum(rule + ".T", one.both(), both));
  }

  /** Outer rows whose partners change: for every touched key at most m1 of them. */
  private BoundOrReason flips(String place, Subquery subquery, BoundOrReason changes) {
    if (changes.isZero()) {
      return BoundOrReason.ZERO;
    }
    JoinKeys keys = analysis.keys(subquery, outer);
    if (keys.isEmpty()) {
      return new BoundOrReason.Missing(
          () ->
              keys.converted()
                  .map(rejection -> rejection.orAt(subquery.at()))
                  .orElseGet(() -> uncorrelated(subquery)));
    }
    List<BoundOrReason> terms = new ArrayList<>();
    for (Alternative alternative : keys.alternatives()) {
      BoundOrReason keysTouched =
          analysis.affectedGroups(alternative.rightEqual(), subquery.relation(), unit);
      BoundOrReason rows = analysis.frequency(alternative.left(), outer).orAt(subquery.at());
      terms.add(
          analysis.terms.product(place + ".M1", rows, BoundOrReason.min(changes, keysTouched)));
    }
    return analysis.terms.sum("S-SUBQUERY.OR", terms.toArray(BoundOrReason[]::new));
  }

  /** Whether it has any correlation decides the words. */
  private static Rejection uncorrelated(Subquery subquery) {
    boolean correlated =
        !ColumnReferences.ids(subquery.relation())
            .containsAll(AlgebraWalker.references(subquery.condition()));
    return correlated
        ? Rejection.of(
            RejectionCode.SUBQUERY_CORRELATION,
            "The subquery refers to the outer query without an equality of columns.",
            "Correlate it by an equality, or join on one.",
            subquery.at())
        : Rejection.of(
            RejectionCode.SUBQUERY_UNCORRELATED,
            "A subquery over protected tables has no equality with the outer query, so one row"
                + " of it could change every outer row.",
            "Correlate it by an equality with a column of the outer query.",
            subquery.at());
  }
}
