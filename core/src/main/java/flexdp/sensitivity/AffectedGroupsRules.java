package flexdp.sensitivity;

import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Relation;
import flexdp.algebra.Subquery;
import flexdp.policy.PrivacyUnit;
import flexdp.sensitivity.JoinKeys.Alternative;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Touched keys D_t(G, r): how many different values of G, NULL being one, the rows have whose
 * multiplicity changes (guarantee §3). Never more than T.
 */
final class AffectedGroupsRules {
  private AffectedGroupsRules() {}

  static BoundOrReason of(
      SensitivityAnalysis analysis, Relation relation, Set<Integer> group, PrivacyUnit unit) {
    BoundOrReason all = analysis.stability(relation, unit).both();
    Set<Integer> varying = OwnedRule.varying(analysis, relation, group, unit);
    varying.removeAll(analysis.facts(relation).constant());
    if (varying.isEmpty()) {
      return analysis.terms.min("D-NONE", BoundOrReason.ONE, all);
    }
    BoundOrReason rule =
        switch (relation) {
          // D-TABLE: the rows that change, 1 for a row of the table itself.
          case Relation.Scan ignored -> all;
          case Relation.Values ignored -> BoundOrReason.ZERO;
          // D-FILTER: D(G, r1).
          case Relation.Filter filter -> analysis.affectedGroups(varying, filter.input(), unit);
          case Relation.Project project ->
              analysis.affectedGroups(sources(project, varying), project.input(), unit);
          case Relation.Join join -> JoinAffectedGroups.of(analysis, join, varying, unit);
          case Relation.Where where ->
              subqueries(analysis, where.input(), where.subqueries(), varying, unit);
          case Relation.Attach attach -> attach(analysis, attach, varying, unit, all);
          // D-DISTINCT: D(G, r1).
          case Relation.Distinct distinct ->
              analysis.affectedGroups(varying, distinct.input(), unit);
          case Relation.Aggregate aggregate -> aggregate(analysis, aggregate, varying, unit);
          case Relation.SetOperation set -> ofSet(analysis, set, varying, unit);
          case Relation.Limit limit ->
              limit.count().isEmpty() && limit.offset() == 0
                  ? analysis.affectedGroups(varying, limit.input(), unit)
                  : all;
          case Relation.TopRows ignored -> all;
          case Relation.Window ignored -> all;
          case Relation.Released ignored -> throw new IllegalStateException("above a release");
        };
    BoundOrReason least =
        OwnedRule.affectedGroups(analysis, relation, varying, unit)
            .map(own -> BoundOrReason.min(rule, own))
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
  private static BoundOrReason subqueries(
      SensitivityAnalysis analysis,
      Relation outer,
      List<? extends Subquery> subqueries,
      Set<Integer> group,
      PrivacyUnit unit) {
    List<BoundOrReason> terms = new ArrayList<>();
    terms.add(analysis.affectedGroups(group, outer, unit));
    for (Subquery subquery : subqueries) {
      if (!analysis.reaches(subquery.relation(), unit)) {
        continue;
      }
      JoinKeys keys = analysis.keys(subquery, outer);
      if (keys.isEmpty()) {
        return new BoundOrReason.Missing(FrequencyRules::computed);
      }
      for (Alternative alternative : keys.alternatives()) {
        boolean within =
            analysis.facts(outer).determinedBy(alternative.left().columns()).containsAll(group);
        BoundOrReason spread =
            within ? BoundOrReason.ONE : analysis.frequency(alternative.left(), outer);
        terms.add(
            analysis.terms.product(
                "D-SUBQUERY.2",
                analysis.affectedGroups(alternative.rightEqual(), subquery.relation(), unit),
                spread));
      }
    }
    return analysis.terms.sum("D-SUBQUERY", terms.toArray(BoundOrReason[]::new));
  }

  private static BoundOrReason attach(
      SensitivityAnalysis analysis,
      Relation.Attach attach,
      Set<Integer> group,
      PrivacyUnit unit,
      BoundOrReason all) {
    return analysis.ids(attach.input()).containsAll(group)
        ? subqueries(analysis, attach.input(), attach.subqueries(), group, unit)
        : all;
  }

  /**
   * D-GROUP: D(G, r1) for G among the keys, 2·D(K, r1) when G contains an aggregate: a touched
   * group has one value before and one after. Grouping sets add up.
   */
  private static BoundOrReason aggregate(
      SensitivityAnalysis analysis,
      Relation.Aggregate aggregate,
      Set<Integer> group,
      PrivacyUnit unit) {
    Set<Integer> outputs = ColumnReferences.ids(aggregate.visible());
    boolean shows = group.stream().anyMatch(outputs::contains);
    List<BoundOrReason> sets = new ArrayList<>();
    for (List<Integer> set : GroupingSets.of(aggregate)) {
      Set<Integer> keys = new TreeSet<>();
      set.forEach(i -> keys.add(aggregate.keys().get(i).id()));
      if (shows) {
        sets.add(
            analysis.terms.product(
                "D-GROUP.AGGREGATE",
                BoundOrReason.of(2),
                analysis.affectedGroups(keys, aggregate.input(), unit)));
      } else {
        keys.retainAll(group);
        sets.add(analysis.affectedGroups(keys, aggregate.input(), unit));
      }
    }
    return analysis.terms.sum("D-GROUPING-SETS", sets.toArray(BoundOrReason[]::new));
  }

  /** D-SET: D(G, r1) + D(G, r2). */
  static BoundOrReason ofSet(
      SensitivityAnalysis analysis,
      Relation.SetOperation set,
      Set<Integer> group,
      PrivacyUnit unit) {
    return analysis.terms.sum(
        "D-SET",
        analysis.affectedGroups(
            FrequencyRules.positioned(group, set, set.left()), set.left(), unit),
        analysis.affectedGroups(
            FrequencyRules.positioned(group, set, set.right()), set.right(), unit));
  }
}
