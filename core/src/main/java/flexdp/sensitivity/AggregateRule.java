package flexdp.sensitivity;

import flexdp.algebra.AggregateCall;
import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Column;
import flexdp.algebra.Conversions;
import flexdp.algebra.Equalities;
import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.policy.PrivacyUnit;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A nested GROUP BY, D being the number of touched groups, D ≤ T1.
 *
 * <p>S-GROUP: (D, D, 2D) when aggregates are used above: a touched group is one row gone and one
 * new.
 *
 * <p>S-GROUP-KEYS: (P1, M1, T1) capped by D when only the keys are: as DISTINCT.
 *
 * <p>S-HAVING-COUNT: the same when it serves only HAVING COUNT ≥ n: a group passes only by a row
 * that appears, fails only by one that leaves.
 *
 * <p>S-HAVING: (D, D, D) for another HAVING: a touched group comes or goes.
 *
 * <p>S-SCALAR-AGGREGATE: (min(1,T1), min(1,T1), 2·min(1,T1)) without keys: there is one row.
 *
 * <p>S-GROUPING-SETS: the sum over the sets, which are queries of their own.
 */
final class AggregateRule {
  private final SensitivityAnalysis analysis;
  private final Relation.Aggregate aggregate;
  private final PrivacyUnit unit;
  private final Stability one;

  private AggregateRule(
      SensitivityAnalysis analysis, Relation.Aggregate aggregate, PrivacyUnit unit) {
    this.analysis = analysis;
    this.aggregate = aggregate;
    this.unit = unit;
    this.one = analysis.stability(aggregate.input(), unit);
  }

  static Stability of(
      SensitivityAnalysis analysis, Relation.Aggregate aggregate, PrivacyUnit unit) {
    AggregateRule rule = new AggregateRule(analysis, aggregate, unit);
    List<List<Integer>> all = GroupingSets.of(aggregate);
    if (all.size() > 1) {
      analysis.applied.rule(aggregate, "S-GROUPING-SETS");
    }
    List<Stability> sets = all.stream().map(rule::ofSet).toList();
    if (sets.size() == 1) {
      return sets.get(0);
    }
    BoundArithmetic terms = analysis.terms;
    return terms.signed(
        "S-GROUPING-SETS",
        terms.sum(
            "S-GROUPING-SETS.P", sets.stream().map(Stability::added).toArray(BoundOrReason[]::new)),
        terms.sum(
            "S-GROUPING-SETS.M",
            sets.stream().map(Stability::removed).toArray(BoundOrReason[]::new)),
        terms.sum(
            "S-GROUPING-SETS.T", sets.stream().map(Stability::both).toArray(BoundOrReason[]::new)));
  }

  private Stability ofSet(List<Integer> set) {
    BoundArithmetic terms = analysis.terms;
    Set<Integer> keys = new TreeSet<>();
    set.forEach(i -> keys.add(aggregate.keys().get(i).id()));
    if (keys.isEmpty()) {
      analysis.applied.rule(aggregate, "S-SCALAR-AGGREGATE");
      BoundOrReason row = terms.min("S-SCALAR-AGGREGATE.MIN", BoundOrReason.ONE, one.both());
      return terms.signed(
          "S-SCALAR-AGGREGATE",
          row,
          row,
          terms.product("S-SCALAR-AGGREGATE.T", BoundOrReason.of(2), row));
    }
    BoundOrReason groups =
        BoundOrReason.min(one.both(), analysis.affectedGroups(keys, aggregate.input(), unit));
    if (!aggregate.visible().isEmpty()) {
      analysis.applied.rule(aggregate, "S-GROUP");
      BoundOrReason shown = analysis.isPaper() && isCounting() ? one.both() : groups;
      return terms.signed(
          "S-GROUP", shown, shown, terms.product("S-GROUP.T", BoundOrReason.of(2), shown));
    }
    if (aggregate.having().isEmpty() || aggregate.having().filter(this::onlyRises).isPresent()) {
      String rule = aggregate.having().isEmpty() ? "S-GROUP-KEYS" : "S-HAVING-COUNT";
      analysis.applied.rule(aggregate, rule);
      return terms.signed(rule, one.added(), one.removed(), one.both()).cappedBy(groups);
    }
    analysis.applied.rule(aggregate, "S-HAVING");
    return terms.signed("S-HAVING", groups, groups, groups);
  }

  /** The paper's Figure has nested counts only, with 2·S. */
  private boolean isCounting() {
    return aggregate.calls().stream()
        .allMatch(call -> call.kind() == AggregateCall.Kind.COUNT && !call.distinct());
  }

  /** Whether more rows can only make the predicate true: COUNT ≥ n, and conditions on the keys. */
  private boolean onlyRises(Expr having) {
    Set<Integer> keys = ColumnReferences.ids(aggregate.keys());
    return aggregate.groupingSets().size() == 1
        && Equalities.conjuncts(having).stream()
            .allMatch(
                term -> keys.containsAll(AlgebraWalker.references(term)) || isCountAtLeast(term));
  }

  private boolean isCountAtLeast(Expr term) {
    if (!(term instanceof Expr.Call call) || call.arguments().size() != 2) {
      return false;
    }
    Expr one = call.arguments().get(0);
    Expr two = call.arguments().get(1);
    boolean countFirst = call.function() == Function.GE || call.function() == Function.GT;
    boolean countLast = call.function() == Function.LE || call.function() == Function.LT;
    return countFirst && isCount(one) && two instanceof Expr.Literal
        || countLast && one instanceof Expr.Literal && isCount(two);
  }

  private boolean isCount(Expr expr) {
    return Conversions.column(expr)
        .filter(
            ref ->
                aggregate.calls().stream()
                    .anyMatch(
                        call ->
                            call.kind() == AggregateCall.Kind.COUNT
                                && isOutput(call.output(), ref)))
        .isPresent();
  }

  private static boolean isOutput(Column output, Expr.Ref ref) {
    return output.id() == ref.column();
  }
}
