package flexdp.sensitivity;

import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Relation;
import flexdp.algebra.Subquery;
import flexdp.policy.Unit;
import flexdp.sensitivity.JoinKeys.Alternative;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Touched keys D_t(G, r): how many different values of G, NULL being one, the rows have whose
 * multiplicity changes (guarantee §3). Never more than T.
 */
final class TouchedRules {
  private TouchedRules() {}

  static Estimate of(Analysis analysis, Relation relation, Set<Integer> group, Unit unit) {
    Estimate all = analysis.stability(relation, unit).both();
    Set<Integer> varying = OwnedRule.varying(analysis, relation, group, unit);
    varying.removeAll(analysis.facts(relation).constant());
    if (varying.isEmpty()) {
      return analysis.terms.min("D-NONE", Estimate.ONE, all);
    }
    Estimate rule =
        switch (relation) {
          // D-TABLE: the rows that change, 1 for a row of the table itself.
          case Relation.Scan ignored -> all;
          case Relation.Values ignored -> Estimate.ZERO;
          // D-FILTER: D(G, r1).
          case Relation.Filter filter -> analysis.touched(varying, filter.input(), unit);
          case Relation.Project project ->
              analysis.touched(sources(project, varying), project.input(), unit);
          case Relation.Join join -> JoinTouched.of(analysis, join, varying, unit);
          case Relation.Where where ->
              subqueries(analysis, where.input(), where.subqueries(), varying, unit);
          case Relation.Attach attach -> attach(analysis, attach, varying, unit, all);
          // D-DISTINCT: D(G, r1).
          case Relation.Distinct distinct -> analysis.touched(varying, distinct.input(), unit);
          case Relation.Aggregate aggregate -> aggregate(analysis, aggregate, varying, unit);
          case Relation.SetOperation set -> ofSet(analysis, set, varying, unit);
          case Relation.Limit limit ->
              limit.count().isEmpty() && limit.offset() == 0
                  ? analysis.touched(varying, limit.input(), unit)
                  : all;
          case Relation.TopRows ignored -> all;
          case Relation.Window ignored -> all;
          case Relation.Released ignored -> throw new IllegalStateException("above a release");
        };
    Estimate least =
        OwnedRule.touched(analysis, relation, varying, unit)
            .map(own -> Estimate.min(rule, own))
            .orElse(rule);
    return analysis.terms.min("D-MIN", least, all);
  }

  /** D-PROJECT: D(source columns of G, r1); equal sources give equal outputs. */
  private static Set<Integer> sources(Relation.Project project, Set<Integer> group) {
    Set<Integer> sources = new TreeSet<>();
    for (Relation.Project.Output output : project.outputs()) {
      if (group.contains(output.column().id())) {
        sources.addAll(AlgebraWalker.references(output.expr()));
      }
    }
    return sources;
  }

  /** D-SUBQUERY: D(G,r1) + D(b,r2)·(1 if G ⊆ a else m1): a row changes sides only with its key. */
  private static Estimate subqueries(
      Analysis analysis,
      Relation outer,
      List<? extends Subquery> subqueries,
      Set<Integer> group,
      Unit unit) {
    List<Estimate> terms = new ArrayList<>();
    terms.add(analysis.touched(group, outer, unit));
    for (Subquery subquery : subqueries) {
      if (!analysis.reaches(subquery.relation(), unit)) {
        continue;
      }
      JoinKeys keys = analysis.keys(subquery, outer);
      if (keys.isEmpty()) {
        return new Estimate.Missing(FrequencyRules::computed);
      }
      for (Alternative alternative : keys.alternatives()) {
        boolean within =
            analysis.facts(outer).determinedBy(alternative.left().columns()).containsAll(group);
        Estimate spread = within ? Estimate.ONE : analysis.frequency(alternative.left(), outer);
        terms.add(
            analysis.terms.product(
                "D-SUBQUERY.2",
                analysis.touched(alternative.rightEqual(), subquery.relation(), unit),
                spread));
      }
    }
    return analysis.terms.sum("D-SUBQUERY", terms.toArray(Estimate[]::new));
  }

  private static Estimate attach(
      Analysis analysis, Relation.Attach attach, Set<Integer> group, Unit unit, Estimate all) {
    return analysis.ids(attach.input()).containsAll(group)
        ? subqueries(analysis, attach.input(), attach.subqueries(), group, unit)
        : all;
  }

  /**
   * D-GROUP: D(G, r1) for G among the keys, 2·D(K, r1) when G contains an aggregate: a touched
   * group has one value before and one after. Grouping sets add up.
   */
  private static Estimate aggregate(
      Analysis analysis, Relation.Aggregate aggregate, Set<Integer> group, Unit unit) {
    Set<Integer> outputs = References.ids(aggregate.visible());
    boolean shows = group.stream().anyMatch(outputs::contains);
    List<Estimate> sets = new ArrayList<>();
    for (List<Integer> set : GroupingSets.of(aggregate)) {
      Set<Integer> keys = new TreeSet<>();
      set.forEach(i -> keys.add(aggregate.keys().get(i).id()));
      if (shows) {
        sets.add(
            analysis.terms.product(
                "D-GROUP.AGGREGATE",
                Estimate.of(2),
                analysis.touched(keys, aggregate.input(), unit)));
      } else {
        keys.retainAll(group);
        sets.add(analysis.touched(keys, aggregate.input(), unit));
      }
    }
    return analysis.terms.sum("D-GROUPING-SETS", sets.toArray(Estimate[]::new));
  }

  /** D-SET: D(G, r1) + D(G, r2). */
  static Estimate ofSet(
      Analysis analysis, Relation.SetOperation set, Set<Integer> group, Unit unit) {
    return analysis.terms.sum(
        "D-SET",
        analysis.touched(FrequencyRules.positioned(group, set, set.left()), set.left(), unit),
        analysis.touched(FrequencyRules.positioned(group, set, set.right()), set.right(), unit));
  }
}
