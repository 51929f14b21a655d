package flexdp.sensitivity;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.NullRejection;
import flexdp.algebra.OuterJoinSimplification;
import flexdp.algebra.Relation;
import flexdp.algebra.Relation.JoinKind;
import flexdp.algebra.Relation.Project.Output;
import flexdp.algebra.Subquery;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * S-OUTER: an outer join whose padded rows are thrown away further up is an inner (or one-sided)
 * join. A set of columns goes down the tree, such that rows with NULL in one of them have no
 * influence on the answer; where the padded side of a join has such a column, padding is pointless.
 */
final class OuterJoins {
  private final ColumnIds ids = new ColumnIds();
  private final AppliedRules applied;

  private OuterJoins(AppliedRules applied) {
    this.applied = applied;
  }

  static Relation simplify(Relation relation, AppliedRules applied) {
    return new OuterJoins(applied).simplify(relation, Set.of());
  }

  /**
   * The relation, simplified for answers on which rows with NULL in one of these columns have no
   * influence.
   */
  static Relation without(Relation relation, Set<Integer> rejected) {
    OuterJoins joins = new OuterJoins(AppliedRules.UNNOTED);
    return joins.simplify(relation, joins.within(rejected, relation));
  }

  /** The relation, when rows with NULL in one of the rejected columns do not matter. */
  private Relation simplify(Relation relation, Set<Integer> rejected) {
    return relation instanceof Relation.Join join
        ? join(join, rejected)
        : applied.instead(relation, simpler(relation, rejected));
  }

  private Relation simpler(Relation relation, Set<Integer> rejected) {
    return switch (relation) {
      case Relation.Scan scan -> scan;
      case Relation.Values values -> values;
      case Relation.Released released -> released;
      case Relation.Filter filter ->
          new Relation.Filter(
              simplify(filter.input(), with(rejected, refusedBy(filter.predicate()))),
              filter.predicate());
      case Relation.Where where ->
          new Relation.Where(
              simplify(where.input(), with(rejected, refusedBy(where.predicate()))),
              where.subqueries().stream().map(this::subquery).toList(),
              where.predicate());
      case Relation.Attach attach ->
          new Relation.Attach(
              simplify(attach.input(), within(rejected, attach.input())),
              attach.subqueries().stream()
                  .map(subquery -> (Subquery.Scalar) subquery(subquery))
                  .toList());
      case Relation.Project project ->
          new Relation.Project(
              simplify(project.input(), sources(project, rejected)), project.outputs());
      case Relation.Join join -> join(join, rejected);
      case Relation.Distinct distinct ->
          new Relation.Distinct(simplify(distinct.input(), rejected));
      case Relation.Aggregate aggregate -> aggregate(aggregate, rejected);
      case Relation.SetOperation set ->
          new Relation.SetOperation(
              set.kind(),
              set.all(),
              simplify(set.left(), FrequencyRules.positioned(rejected, set, set.left())),
              simplify(set.right(), FrequencyRules.positioned(rejected, set, set.right())),
              set.columns(),
              set.at());
      // Rows that are thrown away later still decide which others come first.
      case Relation.Limit limit ->
          new Relation.Limit(
              simplify(limit.input(), Set.of()),
              limit.order(),
              limit.offset(),
              limit.count(),
              limit.at());
      case Relation.TopRows top -> top.over(simplify(top.input(), Set.of()));
      case Relation.Window window ->
          new Relation.Window(simplify(window.input(), Set.of()), window.calls());
    };
  }

  /** Rows for which the condition is not true take no part. */
  private Subquery subquery(Subquery subquery) {
    Set<Integer> rejected = within(refusedBy(subquery.condition()), subquery.relation());
    Relation simpler = simplify(subquery.relation(), rejected);
    return applied.instead(subquery, with(subquery, simpler));
  }

  private static Subquery with(Subquery subquery, Relation simpler) {
    return switch (subquery) {
      case Subquery.Exists exists ->
          new Subquery.Exists(
              exists.output(), exists.negated(), simpler, exists.condition(), exists.at());
      case Subquery.Scalar scalar ->
          new Subquery.Scalar(
              scalar.output(),
              simpler,
              scalar.condition(),
              scalar.calls(),
              scalar.value(),
              scalar.at());
    };
  }

  private static Set<Integer> sources(Relation.Project project, Set<Integer> rejected) {
    Set<Integer> sources = new TreeSet<>();
    for (Output output : project.outputs()) {
      if (rejected.contains(output.column().id())) {
        sources.addAll(ColumnReferences.of(NullRejection.refusedWhereNotNull(output.expr())));
      }
    }
    return sources;
  }

  /** Rows with NULL in a key of the only grouping set make up groups of their own. */
  private Relation aggregate(Relation.Aggregate aggregate, Set<Integer> rejected) {
    Set<Integer> below = new TreeSet<>();
    List<List<Integer>> sets = GroupingSets.of(aggregate);
    if (sets.size() == 1 && sets.get(0).size() == aggregate.keys().size()) {
      below.addAll(rejected);
      aggregate.having().ifPresent(having -> below.addAll(refusedBy(having)));
      below.retainAll(ColumnReferences.ids(aggregate.keys()));
    }
    return new Relation.Aggregate(
        simplify(aggregate.input(), below),
        aggregate.keys(),
        aggregate.groupingSets(),
        aggregate.calls(),
        aggregate.groupingIds(),
        aggregate.having(),
        aggregate.visible(),
        aggregate.at());
  }

  private Relation join(Relation.Join join, Set<Integer> rejected) {
    OuterJoinSimplification padding =
        OuterJoinSimplification.needed(
            join.kind(),
            !within(rejected, join.left()).isEmpty(),
            !within(rejected, join.right()).isEmpty());
    return switch (padding.kind()) {
      case INNER -> noted(join, inner(join, rejected));
      case LEFT ->
          // S-PROJECT changes nothing here and is not worth a word.
          padding.exchanged()
              ? inPlace(join, noted(join, oneSided(exchanged(join), rejected)))
              : noted(join, oneSided(join, rejected));
      case FULL -> noted(join, full(join));
    };
  }

  private Relation noted(Relation.Join join, Relation.Join made) {
    Relation instead = applied.instead(join, made);
    if (made.kind() != join.kind()) {
      applied.rule(instead, "S-OUTER");
    }
    return instead;
  }

  private Relation.Join inner(Relation.Join join, Set<Integer> rejected) {
    Set<Integer> below = with(rejected, refusedBy(join.condition()));
    return new Relation.Join(
        JoinKind.INNER,
        simplify(join.left(), within(below, join.left())),
        simplify(join.right(), within(below, join.right())),
        join.condition(),
        join.at());
  }

  /** Rows of the right side that can match nothing are lost in any case. */
  private Relation.Join oneSided(Relation.Join join, Set<Integer> rejected) {
    return new Relation.Join(
        JoinKind.LEFT,
        simplify(join.left(), within(rejected, join.left())),
        simplify(join.right(), within(refusedBy(join.condition()), join.right())),
        join.condition(),
        join.at());
  }

  private Relation.Join full(Relation.Join join) {
    return new Relation.Join(
        JoinKind.FULL,
        simplify(join.left(), Set.of()),
        simplify(join.right(), Set.of()),
        join.condition(),
        join.at());
  }

  private static Relation.Join exchanged(Relation.Join join) {
    return new Relation.Join(join.kind(), join.right(), join.left(), join.condition(), join.at());
  }

  /** The columns in the order they had before the sides were exchanged. */
  private static Relation inPlace(Relation.Join before, Relation after) {
    List<Output> outputs =
        before.columns().stream()
            .map((Column column) -> new Output(column, (Expr) column.ref()))
            .toList();
    return new Relation.Project(after, outputs);
  }

  private static Set<Integer> refusedBy(Expr condition) {
    return ColumnReferences.of(NullRejection.refusedWhereTrue(condition));
  }

  private static Set<Integer> with(Set<Integer> some, Set<Integer> more) {
    Set<Integer> all = new TreeSet<>(some);
    all.addAll(more);
    return all;
  }

  private Set<Integer> within(Set<Integer> columns, Relation relation) {
    if (columns.isEmpty()) {
      return columns;
    }
    Set<Integer> some = new TreeSet<>(columns);
    some.retainAll(ids.of(relation));
    return some;
  }
}
