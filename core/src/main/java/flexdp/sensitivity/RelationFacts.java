package flexdp.sensitivity;

import flexdp.algebra.Column;
import flexdp.algebra.Conversions;
import flexdp.algebra.Equalities;
import flexdp.algebra.Equality;
import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.algebra.NullRejection;
import flexdp.algebra.Relation;
import flexdp.algebra.Relation.JoinKind;
import flexdp.algebra.Relation.Project.Output;
import flexdp.failure.TimeBudget;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What holds in every row of a relation, whatever the data.
 *
 * @param equal pairs of columns that are equal, or both NULL; of different types, equal once
 *     converted into one that holds the values of both
 * @param constant columns with one value, not NULL, in all rows
 * @param notNull columns that are never NULL
 * @param classes the pairs gathered
 */
record RelationFacts(
    List<Equality> equal, Set<Integer> constant, Set<Integer> notNull, EqualColumns classes) {
  static final RelationFacts NONE = new RelationFacts(List.of(), Set.of(), Set.of());

  RelationFacts(List<Equality> equal, Set<Integer> constant, Set<Integer> notNull) {
    this(equal, constant, notNull, new EqualColumns(equal));
  }

  /** What holds where a condition over some columns is true. */
  static RelationFacts whenTrue(Expr condition, Set<Integer> columns) {
    List<List<Equality>> alternatives = Equalities.of(condition, columns, columns);
    List<Equality> equal = alternatives.size() == 1 ? alternatives.get(0) : List.of();
    Set<Integer> constant = pinned(condition);
    constant.retainAll(columns);
    Set<Integer> notNull = ColumnReferences.of(NullRejection.refusedWhereTrue(condition));
    notNull.retainAll(columns);
    return new RelationFacts(equal, constant, notNull);
  }

  /** The columns that have one value wherever a condition is true. */
  static Set<Integer> pinned(Expr condition) {
    Set<Integer> constant = new TreeSet<>();
    for (Expr conjunct : Equalities.conjuncts(condition)) {
      pinned(conjunct, constant);
    }
    return constant;
  }

  /** column = literal, where the comparison takes no two values of the column for equal ones. */
  private static void pinned(Expr conjunct, Set<Integer> into) {
    if (!(conjunct instanceof Expr.Call call)
        || call.arguments().size() != 2
        || (call.function() != Function.EQ && call.function() != Function.IN_LIST)) {
      return;
    }
    Expr one = call.arguments().get(0);
    Expr two = call.arguments().get(1);
    Expr column = one instanceof Expr.Literal ? two : one;
    Expr value = one instanceof Expr.Literal ? one : two;
    if (value instanceof Expr.Literal literal
        && !literal.isNull()
        && column.type().equals(literal.type())) {
      Conversions.columnUnlessNull(column).ifPresent(ref -> into.add(ref.column()));
    }
  }

  static RelationFacts of(Relation relation, SensitivityAnalysis analysis) {
    TimeBudget.step();
    return switch (relation) {
      case Relation.Scan scan ->
          new RelationFacts(List.of(), Set.of(), declaredNotNull(scan.columns()));
      case Relation.Values ignored -> NONE;
      case Relation.Filter filter ->
          analysis.facts(filter.input()).and(whenTrue(filter.predicate(), analysis.ids(filter)));
      case Relation.Where where ->
          analysis.facts(where.input()).and(whenTrue(where.predicate(), analysis.ids(where)));
      case Relation.Project project -> analysis.facts(project.input()).projected(project.outputs());
      case Relation.Join join -> ofJoin(join, analysis);
      case Relation.Attach attach -> analysis.facts(attach.input());
      case Relation.Distinct distinct -> analysis.facts(distinct.input());
      case Relation.Aggregate aggregate -> ofAggregate(aggregate, analysis);
      case Relation.SetOperation ignored -> NONE;
      case Relation.Limit limit -> analysis.facts(limit.input());
      case Relation.TopRows top -> analysis.facts(top.input());
      case Relation.Window window -> analysis.facts(window.input());
      case Relation.Released ignored -> NONE;
    };
  }

  private static RelationFacts ofJoin(Relation.Join join, SensitivityAnalysis analysis) {
    RelationFacts left = analysis.facts(join.left());
    RelationFacts right = analysis.facts(join.right());
    return switch (join.kind()) {
      case INNER -> left.and(right).and(whenTrue(join.condition(), analysis.ids(join)));
      case LEFT -> left.and(right.padded());
      case FULL -> left.padded().and(right.padded());
    };
  }

  /** In rows padded with NULL, columns that were equal are both NULL. */
  private RelationFacts padded() {
    List<Equality> pairs =
        equal.stream().map(pair -> new Equality(pair.left(), pair.right(), true)).toList();
    return new RelationFacts(pairs, Set.of(), Set.of());
  }

  /** In the rows that a join matches, the condition holds whatever the kind of the join. */
  static RelationFacts ofMatched(Relation.Join join, SensitivityAnalysis analysis) {
    return ofJoin(
        new Relation.Join(JoinKind.INNER, join.left(), join.right(), join.condition(), join.at()),
        analysis);
  }

  private static RelationFacts ofAggregate(
      Relation.Aggregate aggregate, SensitivityAnalysis analysis) {
    if (aggregate.groupingSets().size() != 1
        || aggregate.groupingSets().get(0).size() != aggregate.keys().size()) {
      return NONE;
    }
    Set<Integer> keys = ColumnReferences.ids(aggregate.keys());
    RelationFacts facts = analysis.facts(aggregate.input());
    return aggregate.having().map(having -> facts.and(whenTrue(having, keys))).orElse(facts);
  }

  private static Set<Integer> declaredNotNull(List<Column> columns) {
    Set<Integer> ids = new TreeSet<>();
    columns.stream().filter(column -> !column.nullable()).forEach(column -> ids.add(column.id()));
    return ids;
  }

  /**
   * Every output that is a reference, converted or not into a type that holds all its values,
   * equals its column; literals are constant.
   */
  private RelationFacts projected(List<Output> outputs) {
    List<Equality> pairs = new ArrayList<>();
    Set<Integer> constants = new TreeSet<>();
    for (Output output : outputs) {
      Conversions.column(output.expr())
          .filter(ref -> ref.column() != output.column().id())
          .ifPresent(ref -> pairs.add(new Equality(ref.column(), output.column().id(), true)));
      if (output.expr() instanceof Expr.Literal literal && !literal.isNull()) {
        constants.add(output.column().id());
      }
    }
    return and(new RelationFacts(pairs, constants, constants));
  }

  RelationFacts and(RelationFacts other) {
    if (other == NONE) {
      return this;
    }
    if (this == NONE) {
      return other;
    }
    List<Equality> pairs = new ArrayList<>(equal);
    pairs.addAll(other.equal);
    Set<Integer> constants = new TreeSet<>(constant);
    constants.addAll(other.constant);
    Set<Integer> values = new TreeSet<>(notNull);
    values.addAll(other.notNull);
    return new RelationFacts(pairs, constants, values);
  }

  /** All columns whose value is fixed once the values of these are. */
  Set<Integer> determinedBy(Set<Integer> columns) {
    Set<Integer> all = new TreeSet<>(columns);
    all.addAll(constant);
    return classes.withEqual(all);
  }

  /**
   * The key that gathers equal rows by as many columns as possible; NULL only where it can occur.
   */
  FrequencyKey close(FrequencyKey key) {
    Set<Integer> all = determinedBy(key.columns());
    Set<Integer> nulls = classes.withEqual(key.withNull());
    // A value that is not NULL in one column is not NULL in those that equal it.
    Map<List<Integer>, Boolean> values = new IdentityHashMap<>();
    nulls.removeIf(
        column ->
            classes.isNeverNull(column)
                || isValue(column, key)
                || values.computeIfAbsent(
                    classes.members(column),
                    equal -> equal.stream().anyMatch(c -> isValue(c, key))));
    return new FrequencyKey(all, nulls);
  }

  private boolean isValue(int column, FrequencyKey key) {
    return notNull.contains(column)
        || constant.contains(column)
        || key.columns().contains(column) && !key.withNull().contains(column);
  }
}
