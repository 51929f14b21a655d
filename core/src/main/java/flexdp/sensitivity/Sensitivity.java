package flexdp.sensitivity;

import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.FreshColumns;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.metrics.Metrics;
import flexdp.owned.OwnedRelations;
import flexdp.owned.OwnedScans;
import flexdp.policy.Neighbors;
import flexdp.policy.Type;
import flexdp.policy.Unit;
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
  private final Analysis analysis;
  private final boolean replace;

  private Sensitivity(
      NoisyAggregate point,
      Measurement measurement,
      Leaves leaves,
      Neighbors neighbors,
      Rules rules,
      Applied applied) {
    this.point = point;
    this.measurement = measurement;
    this.analysis = new Analysis(leaves, rules, Terms.EXACT, applied);
    this.replace = neighbors == Neighbors.REPLACE_ONE || rules == Rules.PAPER;
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
      Rules rules) {
    return with(point, measurement, metrics, Leaves.Source.PRIVATE, neighbors, rules);
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
      Rules rules) {
    return with(point, measurement, metrics, Leaves.Source.RELEASED, neighbors, rules);
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
      Rules rules) {
    return with(point, measurement, proposed, Leaves.Source.PROPOSED, neighbors, rules);
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
      Rules rules) {
    Bound structure = symbolic(point, measurement, metrics, neighbors, rules, Applied.UNNOTED);
    return Structure.renamed(structure, unit -> Unit.ANY).degree(Unit.ANY) <= 1;
  }

  /**
   * Which units a search for the smooth bound has to look at together: by the formula without its
   * numbers, so that it is public.
   */
  public static Coupling coupling(
      NoisyAggregate point,
      Measurement measurement,
      Metrics metrics,
      Neighbors neighbors,
      Rules rules) {
    return Coupling.of(symbolic(point, measurement, metrics, neighbors, rules, Applied.UNNOTED));
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
      Rules rules,
      Applied applied) {
    Leaves leaves = new Leaves(metrics, Leaves.Source.SYMBOLIC, rules);
    return new Sensitivity(point, measurement, leaves, neighbors, rules, applied).bound();
  }

  /**
   * Which way a measurement goes when something is added. A replaced row may go either way.
   *
   * @throws flexdp.failure.Rejection if a rule asks for a metric that is not known, or has no
   *     answer
   */
  public static Direction direction(
      NoisyAggregate point, Measurement measurement, Metrics metrics, Neighbors neighbors) {
    Leaves leaves = new Leaves(metrics, Leaves.Source.PRIVATE, Rules.FLEXDP);
    Sensitivity of =
        new Sensitivity(point, measurement, leaves, neighbors, Rules.FLEXDP, Applied.UNNOTED);
    return of.replace ? Direction.MIXED : of.direction();
  }

  private Direction direction() {
    Direction all = Direction.STILL;
    Relation rows = rows();
    for (List<Integer> set : GroupingSets.of(point.groupingSets(), point.keys().size())) {
      Relation counted = counted(rows, set.stream().map(point.keys()::get).toList());
      for (Unit unit : analysis.ancestors(counted)) {
        Signed signed = stability(counted, unit);
        all = all.and(new Direction(isNever(signed.removed()), isNever(signed.added())));
      }
    }
    return switch (measurement) {
      case Measurement.Count ignored -> all;
      case Measurement.CountDistinct ignored -> all;
      case Measurement.Sum sum ->
          sum.clamp().mostTaken().signum() == 0
              ? all
              : sum.clamp().mostAdded().signum() == 0 ? all.turned() : Direction.MIXED;
      case Measurement.Selected ignored -> Direction.MIXED;
    };
  }

  /** Zero by the structure, whatever is in the tables. */
  private static boolean isNever(Estimate rows) {
    return rows.ceiling().filter(most -> most.signum() == 0).isPresent();
  }

  private static Bound with(
      NoisyAggregate point,
      Measurement measurement,
      Metrics metrics,
      Leaves.Source source,
      Neighbors neighbors,
      Rules rules) {
    Leaves leaves = new Leaves(metrics, source, rules);
    Bound bound =
        new Sensitivity(point, measurement, leaves, neighbors, rules, Applied.UNNOTED).bound();
    // Not the units of this bound: a private number may have made one vanish from it.
    if (source != Leaves.Source.PRIVATE
        || AlgebraWalker.units(point.input()).size() <= Coupling.MOST_TOGETHER) {
      return bound;
    }
    Coupling coupling =
        Coupling.of(
            new Sensitivity(
                    point, measurement, leaves.structural(), neighbors, rules, Applied.UNNOTED)
                .bound());
    // Under a name that stands for any unit, so that verify knows whose step it is.
    return coupling.isWithin(Coupling.MOST_TOGETHER)
        ? bound
        : Structure.renamed(bound, unit -> Unit.ANY);
  }

  private Bound bound() {
    List<Bound> sets = new ArrayList<>();
    Relation rows = rows();
    TotalOrder.requireTotal(analysis, rows);
    for (List<Integer> set : GroupingSets.of(point.groupingSets(), point.keys().size())) {
      List<Column> keys = set.stream().map(point.keys()::get).toList();
      sets.add(ofSet(counted(rows, keys), keys.isEmpty()));
    }
    return Simplify.sum(sets);
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
    if (rules() == Rules.PAPER) {
      return ofUnit(analysis.stability(rows, Unit.ANY), single);
    }
    List<Bound> units = new ArrayList<>(List.of(Bound.ZERO));
    for (Unit unit : analysis.ancestors(rows)) {
      units.add(ofUnit(stability(rows, unit), single));
    }
    return Simplify.max(units);
  }

  /** For people, of the rows as they show whose they are. */
  private Signed stability(Relation rows, Unit unit) {
    if (!(unit instanceof Unit.Person person)) {
      return analysis.stability(rows, unit);
    }
    FreshColumns ids = new FreshColumns(List.of(rows), point.keys());
    OwnedRelations owned = new OwnedRelations(person, OwnedScans.of(person, true, ids, rows), ids);
    return new Analysis(
            analysis.leaves, rules(), analysis.terms, analysis.applied, Optional.of(owned))
        .stability(owned.rewritten(rows), unit);
  }

  private Rules rules() {
    return analysis.rules;
  }

  private Bound ofUnit(Signed signed, boolean single) {
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
  private Bound total(Signed signed, boolean single, Bound high, Bound low) {
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

  private Bound histogram(Signed signed) {
    return Bound.product(Bound.constant(replace ? 2 : 1), signed.both().orReject());
  }

  private Bound units(BigDecimal value) {
    BigInteger count = value.divide(measurement.unit()).toBigIntegerExact();
    return Bound.constant(count);
  }
}
