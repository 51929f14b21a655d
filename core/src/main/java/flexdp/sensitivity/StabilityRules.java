package flexdp.sensitivity;

import flexdp.algebra.Relation;

/** Signed stability (P, M, T), one rule per operator (guarantee §2). */
final class StabilityRules {
  private StabilityRules() {}

  /** The relation depends on the table. */
  static Signed of(Analysis analysis, Relation relation, String table) {
    return switch (relation) {
      // S-TABLE: (1, 0, 1), the row itself.
      case Relation.Scan scan -> {
        analysis.applied.rule(scan, "S-TABLE");
        yield analysis.terms.signed("S-TABLE", Estimate.ONE, Estimate.ZERO, Estimate.ONE);
      }
      case Relation.Values ignored -> Signed.NONE;
      // S-FILTER: (P1, M1, T1), each row passes or not by itself.
      case Relation.Filter filter -> same(analysis, "S-FILTER", filter, filter.input(), table);
      // S-PROJECT: (P1, M1, T1), each row becomes one row.
      case Relation.Project project -> same(analysis, "S-PROJECT", project, project.input(), table);
      case Relation.Join join -> JoinRule.of(analysis, join, table);
      case Relation.Where where -> SubqueryRule.of(analysis, where, table);
      case Relation.Attach attach -> SubqueryRule.of(analysis, attach, table);
      case Relation.Distinct distinct -> distinct(analysis, distinct, table);
      case Relation.Aggregate aggregate -> AggregateRule.of(analysis, aggregate, table);
      case Relation.SetOperation set -> SetRule.of(analysis, set, table);
      case Relation.Limit limit -> LimitRule.of(analysis, limit, table);
      case Relation.TopRows top -> LimitRule.of(analysis, top, table);
      case Relation.Window window -> WindowRule.of(analysis, window, table);
      case Relation.Released ignored -> throw new IllegalStateException("above a release point");
    };
  }

  private static Signed same(
      Analysis analysis, String rule, Relation relation, Relation input, String table) {
    analysis.applied.rule(relation, rule);
    Signed one = analysis.stability(input, table);
    return analysis.terms.signed(rule, one.added(), one.removed(), one.both());
  }

  /**
   * S-DISTINCT: (P1, M1, T1), each capped by D: a value comes or goes only with a row that carries
   * it.
   */
  private static Signed distinct(Analysis analysis, Relation.Distinct distinct, String table) {
    analysis.applied.rule(distinct, "S-DISTINCT");
    Signed one = analysis.stability(distinct.input(), table);
    Signed all = analysis.terms.signed("S-DISTINCT", one.added(), one.removed(), one.both());
    return all.cappedBy(analysis.touched(analysis.ids(distinct), distinct.input(), table));
  }
}
