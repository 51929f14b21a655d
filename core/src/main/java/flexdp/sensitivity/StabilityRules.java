package flexdp.sensitivity;

import flexdp.algebra.Relation;
import flexdp.policy.PrivacyUnit;

/** Signed stability (P, M, T), one rule per operator (guarantee §3). */
final class StabilityRules {
  private StabilityRules() {}

  /** The relation depends on the table. */
  static Stability of(SensitivityAnalysis analysis, Relation relation, PrivacyUnit unit) {
    return switch (relation) {
      // S-TABLE: what one step does to the table itself, (1, 0, 1) for a row of it.
      case Relation.Scan scan -> {
        analysis.applied.rule(scan, "S-TABLE");
        yield analysis.leaves.stability(scan, unit, analysis.terms);
      }
      case Relation.Values ignored -> Stability.NONE;
      // S-FILTER: (P1, M1, T1), each row passes or not by itself.
      case Relation.Filter filter -> same(analysis, "S-FILTER", filter, filter.input(), unit);
      // S-PROJECT: (P1, M1, T1), each row becomes one row.
      case Relation.Project project -> same(analysis, "S-PROJECT", project, project.input(), unit);
      case Relation.Join join -> JoinRule.of(analysis, join, unit);
      case Relation.Where where -> SubqueryRule.of(analysis, where, unit);
      case Relation.Attach attach -> SubqueryRule.of(analysis, attach, unit);
      case Relation.Distinct distinct -> distinct(analysis, distinct, unit);
      case Relation.Aggregate aggregate -> AggregateRule.of(analysis, aggregate, unit);
      case Relation.SetOperation set -> SetRule.of(analysis, set, unit);
      case Relation.Limit limit -> LimitRule.of(analysis, limit, unit);
      case Relation.TopRows top -> LimitRule.of(analysis, top, unit);
      case Relation.Window window -> WindowRule.of(analysis, window, unit);
      case Relation.Released ignored -> throw new IllegalStateException("above a release point");
    };
  }

  private static Stability same(
      SensitivityAnalysis analysis,
      String rule,
      Relation relation,
      Relation input,
      PrivacyUnit unit) {
    analysis.applied.rule(relation, rule);
    Stability one = analysis.stability(input, unit);
    return analysis.terms.signed(rule, one.added(), one.removed(), one.both());
  }

  /**
   * S-DISTINCT: (P1, M1, T1), each capped by D: a value comes or goes only with a row that carries
   * it.
   */
  private static Stability distinct(
      SensitivityAnalysis analysis, Relation.Distinct distinct, PrivacyUnit unit) {
    analysis.applied.rule(distinct, "S-DISTINCT");
    Stability one = analysis.stability(distinct.input(), unit);
    Stability all = analysis.terms.signed("S-DISTINCT", one.added(), one.removed(), one.both());
    return all.cappedBy(analysis.affectedGroups(analysis.ids(distinct), distinct.input(), unit));
  }
}
