package flexdp.sensitivity;

import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.FreshColumns;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.metrics.Metrics;
import flexdp.ownership.OwnedRelations;
import flexdp.ownership.OwnedScans;
import flexdp.policy.Neighbors;
import flexdp.policy.PrivacyUnit;
import flexdp.policy.Type;
import flexdp.query.Measurement;
import flexdp.query.NoisyAggregate;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The sensitivity of one measurement: how much its whole column, all bins together, changes between
 * neighbours (guarantee §3 and §6). The bound counts multiples of {@link Measurement#unit}.
 *
 * <p>Without keys: COUNT max(P,M), under replace-one P+M; SUM max(P·U⁺+M·L⁻, P·L⁻+M·U⁺), under
 * replace-one (P+M)·(U⁺+L⁻). With keys: COUNT T, SUM T·max(U⁺,L⁻), twice that under replace-one.
 * QUANTILE: T·max(q,1−q), twice that under replace-one. Every grouping set is a histogram of its
 * own; theirs are added up. Of all units the largest counts.
 */
public final class Sensitivity {
  private final NoisyAggregate point;
  private final Measurement measurement;
  private final SensitivityAnalysis analysis;
  private final boolean replace;

  private Sensitivity(
      NoisyAggregate point,
      Measurement measurement,
      ScanFrequencies scanFrequencies,
      Neighbors neighbors,
      RuleSet rules,
      AppliedRules applied) {
    this.point = point;
    this.measurement = measurement;
    this.analysis = new SensitivityAnalysis(scanFrequencies, rules, BoundArithmetic.EXACT, applied);
    this.replace = neighbors == Neighbors.REPLACE_ONE || rules == RuleSet.PAPER;
  }

  /**
   * The bound from private metrics, for smoothing. Its {@link Bound#ceiling}, where there is one,
   * is public and needs no smoothing.
   *
   * @throws flexdp.failure.Rejection if a rule asks for a metric that is not known, or has no
   *     answer
   */
  public static Bound of(
      NoisyAggregate point,
      Measurement measurement,
      Metrics metrics,
      Neighbors neighbors,
      RuleSet rules) {
    return with(point, measurement, metrics, ScanFrequencies.Source.PRIVATE, neighbors, rules);
  }

  /**
   * The bound from released metrics: a public constant.
   *
   * @throws flexdp.failure.Rejection naming what was not released, if something else is needed
   */
  public static Bound released(
      NoisyAggregate point,
      Measurement measurement,
      Metrics metrics,
      Neighbors neighbors,
      RuleSet rules) {
    return with(point, measurement, metrics, ScanFrequencies.Source.RELEASED, neighbors, rules);
  }

  /**
   * The bound from proposed numbers, which stand where released ones would: a public constant.
   *
   * @throws flexdp.failure.Rejection naming what was not proposed, if something else is needed
   */
  public static Bound proposed(
      NoisyAggregate point,
      Measurement measurement,
      Metrics proposed,
      Neighbors neighbors,
      RuleSet rules) {
    return with(point, measurement, proposed, ScanFrequencies.Source.PROPOSED, neighbors, rules);
  }

  /**
   * Whether the bound grows no faster than the distance, whatever the numbers in it: how far it is
   * from one state of the data to the next then hardly matters.
   */
  public static boolean isLinear(
      NoisyAggregate point,
      Measurement measurement,
      Metrics metrics,
      Neighbors neighbors,
      RuleSet rules) {
    Bound structure = symbolic(point, measurement, metrics, neighbors, rules, AppliedRules.UNNOTED);
    return FormulaStructure.renamed(structure, unit -> PrivacyUnit.ANY).degree(PrivacyUnit.ANY)
        <= 1;
  }

  /**
   * Which units a search for the smooth bound has to look at together: by the formula without its
   * numbers, so that it is public.
   */
  public static CoupledUnits coupling(
      NoisyAggregate point,
      Measurement measurement,
      Metrics metrics,
      Neighbors neighbors,
      RuleSet rules) {
    return CoupledUnits.of(
        symbolic(point, measurement, metrics, neighbors, rules, AppliedRules.UNNOTED));
  }

  /**
   * The bound without any number measured of a protected table, for its {@link
   * Bound#symbolicFormula}, which analysts may see.
   *
   * @param applied takes note of the rules that made it, which analysts may see too
   */
  public static Bound symbolic(
      NoisyAggregate point,
      Measurement measurement,
      Metrics metrics,
      Neighbors neighbors,
      RuleSet rules,
      AppliedRules applied) {
    ScanFrequencies scanFrequencies =
        new ScanFrequencies(metrics, ScanFrequencies.Source.SYMBOLIC, rules);
    return new Sensitivity(point, measurement, scanFrequencies, neighbors, rules, applied).bound();
  }

  /**
   * Which way a measurement goes when something is added. A replaced row may go either way.
   *
   * @throws flexdp.failure.Rejection if a rule asks for a metric that is not known, or has no
   *     answer
   */
  public static MonotoneDirection direction(
      NoisyAggregate point, Measurement measurement, Metrics metrics, Neighbors neighbors) {
    ScanFrequencies scanFrequencies =
        new ScanFrequencies(metrics, ScanFrequencies.Source.PRIVATE, RuleSet.FLEXDP);
    Sensitivity of =
        new Sensitivity(
            point, measurement, scanFrequencies, neighbors, RuleSet.FLEXDP, AppliedRules.UNNOTED);
    return of.replace ? MonotoneDirection.MIXED : of.direction();
  }

  private MonotoneDirection direction() {
    MonotoneDirection all = MonotoneDirection.STILL;
    Relation rows = rows();
    for (List<Integer> set : GroupingSets.of(point.groupingSets(), point.keys().size())) {
      Relation counted = counted(rows, set.stream().map(point.keys()::get).toList());
      for (PrivacyUnit unit : analysis.ancestors(counted)) {
        Stability signed = stability(counted, unit);
        all = all.and(new MonotoneDirection(isNever(signed.removed()), isNever(signed.added())));
      }
    }
    return switch (measurement) {
      case Measurement.Count ignored -> all;
      case Measurement.CountDistinct ignored -> all;
      case Measurement.Sum sum ->
          sum.clamp().mostTaken().signum() == 0
              ? all
              : sum.clamp().mostAdded().signum() == 0 ? all.turned() : MonotoneDirection.MIXED;
      case Measurement.Selected ignored -> MonotoneDirection.MIXED;
    };
  }

  /** Zero by the structure, whatever is in the tables. */
  private static boolean isNever(BoundOrReason rows) {
    return rows.ceiling().filter(most -> most.signum() == 0).isPresent();
  }

  private static Bound with(
      NoisyAggregate point,
      Measurement measurement,
      Metrics metrics,
      ScanFrequencies.Source source,
      Neighbors neighbors,
      RuleSet rules) {
    ScanFrequencies scanFrequencies = new ScanFrequencies(metrics, source, rules);
    Bound bound =
        new Sensitivity(point, measurement, scanFrequencies, neighbors, rules, AppliedRules.UNNOTED)
            .bound();
    // Not the units of this bound: a private number may have made one vanish from it.
    if (source != ScanFrequencies.Source.PRIVATE
        || AlgebraWalker.units(point.input()).size() <= CoupledUnits.MOST_TOGETHER) {
      return bound;
    }
    CoupledUnits coupling =
        CoupledUnits.of(
            new Sensitivity(
                    point,
                    measurement,
                    scanFrequencies.structural(),
                    neighbors,
                    rules,
                    AppliedRules.UNNOTED)
                .bound());
    // Under a name that stands for any unit, so that verify knows whose step it is.
    return coupling.isWithin(CoupledUnits.MOST_TOGETHER)
        ? bound
        : FormulaStructure.renamed(bound, unit -> PrivacyUnit.ANY);
  }

  private Bound bound() {
    List<Bound> sets = new ArrayList<>();
    Relation rows = rows();
    TotalOrder.requireTotal(analysis, rows);
    for (List<Integer> set : GroupingSets.of(point.groupingSets(), point.keys().size())) {
      List<Column> keys = set.stream().map(point.keys()::get).toList();
      sets.add(ofSet(counted(rows, keys), keys.isEmpty()));
    }
    return FormulaSimplifier.sum(sets);
  }

  /** The rows that the measurement looks at. */
  private Relation rows() {
    List<Expr> conditions = new ArrayList<>();
    measurement
        .argument()
        .map(x -> new Expr.Call(Function.IS_NOT_NULL, List.of(x), Type.BOOLEAN))
        .ifPresent(conditions::add);
    measurement.filter().ifPresent(conditions::add);
    Relation rows = point.input();
    for (Expr condition : conditions) {
      rows = new Relation.Filter(rows, condition);
    }
    return OuterJoins.simplify(rows, analysis.applied);
  }

  /** What adds to the measurement one by one: rows, or different values of each bin. */
  private Relation counted(Relation rows, List<Column> keys) {
    return switch (measurement) {
      case Measurement.Count ignored -> rows;
      case Measurement.CountDistinct count -> distinct(rows, keys, count.value());
      case Measurement.Sum ignored -> rows;
      case Measurement.Selected ignored -> rows;
    };
  }

  private static Relation distinct(Relation rows, List<Column> keys, Expr argument) {
    List<Relation.Project.Output> outputs = new ArrayList<>();
    keys.forEach(key -> outputs.add(new Relation.Project.Output(key, key.ref())));
    Column column =
        argument instanceof Expr.Ref ref
            ? new Column(ref.column(), "value", ref.type(), false)
            : new Column(unused(rows), "value", argument.type(), false);
    outputs.add(new Relation.Project.Output(column, argument));
    return new Relation.Distinct(new Relation.Project(rows, outputs));
  }

  /** An id that no column has, hidden ones included. */
  private static int unused(Relation rows) {
    int[] most = {0};
    AlgebraWalker.visit(rows, r -> r.columns().forEach(c -> most[0] = Math.max(most[0], c.id())));
    return most[0] + 1;
  }

  private Bound ofSet(Relation rows, boolean single) {
    if (rules() == RuleSet.PAPER) {
      return ofUnit(analysis.stability(rows, PrivacyUnit.ANY), single);
    }
    List<Bound> units = new ArrayList<>(List.of(Bound.ZERO));
    for (PrivacyUnit unit : analysis.ancestors(rows)) {
      units.add(ofUnit(stability(rows, unit), single));
    }
    return FormulaSimplifier.max(units);
  }

  /** For people, of the rows as they show whose they are. */
  private Stability stability(Relation rows, PrivacyUnit unit) {
    if (!(unit instanceof PrivacyUnit.Person person)) {
      return analysis.stability(rows, unit);
    }
    FreshColumns ids = new FreshColumns(List.of(rows), point.keys());
    OwnedRelations owned = new OwnedRelations(person, OwnedScans.of(person, true, ids, rows), ids);
    return new SensitivityAnalysis(
            analysis.leaves, rules(), analysis.terms, analysis.applied, Optional.of(owned))
        .stability(owned.rewritten(rows), unit);
  }

  private RuleSet rules() {
    return analysis.rules;
  }

  private Bound ofUnit(Stability signed, boolean single) {
    return switch (measurement) {
      case Measurement.Count ignored -> total(signed, single, Bound.ONE, Bound.ZERO);
      case Measurement.CountDistinct ignored -> total(signed, single, Bound.ONE, Bound.ZERO);
      case Measurement.Sum sum ->
          total(signed, single, units(sum.clamp().mostAdded()), units(sum.clamp().mostTaken()));
      case Measurement.Selected picked -> Bound.product(units(picked.perRow()), histogram(signed));
    };
  }

  /**
   * @param high U⁺: the most that a row can add
   * @param low L⁻: the most that a row can take away
   */
  private Bound total(Stability signed, boolean single, Bound high, Bound low) {
    if (!single) {
      return Bound.product(Bound.max(high, low), histogram(signed));
    }
    Bound added = signed.added().orReject();
    Bound removed = signed.removed().orReject();
    return replace
        ? Bound.product(Bound.sum(added, removed), Bound.sum(high, low))
        : Bound.max(
            Bound.sum(Bound.product(added, high), Bound.product(removed, low)),
            Bound.sum(Bound.product(added, low), Bound.product(removed, high)));
  }

  private Bound histogram(Stability signed) {
    return Bound.product(Bound.constant(replace ? 2 : 1), signed.both().orReject());
  }

  private Bound units(BigDecimal value) {
    BigInteger count = value.divide(measurement.unit()).toBigIntegerExact();
    return Bound.constant(count);
  }
}
