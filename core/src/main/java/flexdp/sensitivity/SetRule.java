package flexdp.sensitivity;

import flexdp.algebra.Relation;
import flexdp.policy.PrivacyUnit;
import java.util.List;

/**
 * S-UNION, S-INTERSECT: (P1+P2, M1+M2, T1+T2): the result changes no more than both inputs do.
 *
 * <p>S-EXCEPT: (P1+M2, M1+P2, T1+T2): what appears on the right disappears from the result.
 *
 * <p>Without ALL each is capped by the number of touched rows, for a row is there once or not at
 * all.
 */
final class SetRule {
  private SetRule() {}

  static Stability of(SensitivityAnalysis analysis, Relation.SetOperation set, PrivacyUnit unit) {
    BoundArithmetic terms = analysis.terms;
    String rule = "S-" + set.kind();
    analysis.applied.rule(set, rule);
    Stability result =
        analysis.combine(
            List.of(set.left(), set.right()),
            unit,
            inputs -> {
              Stability one = inputs.get(0);
              Stability two = inputs.get(1);
              boolean except = set.kind() == Relation.SetKind.EXCEPT;
              return terms.signed(
                  rule,
                  terms.sum(rule + ".P", one.added(), except ? two.removed() : two.added()),
                  terms.sum(rule + ".M", one.removed(), except ? two.added() : two.removed()),
                  terms.sum(rule + ".T", one.both(), two.both()));
            });
    return set.all()
        ? result
        : result.cappedBy(AffectedGroupsRules.ofSet(analysis, set, analysis.ids(set), unit));
  }
}
