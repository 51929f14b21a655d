package flexdp.release;

import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Column;
import flexdp.algebra.Equalities;
import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Relation;
import flexdp.cells.ExactHistogram;
import flexdp.compute.EvaluableExpressions;
import flexdp.query.DpQuery;
import flexdp.query.NoisyAggregate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * How many rows stand above the noise, before anything is drawn. Labels are known then, measured
 * values are not: the relation above the release points is run without them, and a condition that
 * reads one is taken to be true. So the rows that it has are at least those of the answer, and no
 * charge meets a join that does not fit into memory.
 */
public final class ResultSize {
  private final Function<Relation, RowTable> publicRows;

  /** Labels by release point, and rows of public tables under numbers of their own. */
  private final Map<Integer, RowTable> released = new HashMap<>();

  private ResultSize(
      DpQuery query,
      Map<Integer, Optional<List<List<Object>>>> labels,
      Function<Relation, RowTable> publicRows) {
    this.publicRows = publicRows;
    for (NoisyAggregate point : query.releases()) {
      RowTable one = new RowTable(List.of(), List.of(List.of()));
      released.put(point.id(), labels.get(point.id()).map(l -> labelled(point, l)).orElse(one));
    }
  }

  /**
   * @param labels by release point; absent where the data have a say in them, of which one stands
   *     for all
   * @param publicRows the rows of a relation that no release point contributes to
   * @throws flexdp.failure.Rejection when there would be too many rows
   */
  public static void check(
      DpQuery query,
      Map<Integer, Optional<List<List<Object>>>> labels,
      Function<Relation, RowTable> publicRows) {
    if (!joins(query.top())) {
      return;
    }
    Map<Integer, NoisyAggregate> unlisted = new HashMap<>();
    for (NoisyAggregate point : query.releases()) {
      if (labels.get(point.id()).isEmpty()) {
        unlisted.put(point.id(), point);
      }
    }
    new UnlistedLabels(unlisted).check(query.top());
    ResultSize extent = new ResultSize(query, labels, publicRows);
    Relation known = extent.known(query.top());
    new Interpreter(extent.released, publicRows).run(known);
  }

  private static boolean joins(Relation top) {
    boolean[] found = {false};
    AlgebraWalker.visit(top, r -> found[0] |= r instanceof Relation.Join);
    return found[0];
  }

  private static RowTable labelled(NoisyAggregate point, List<List<Object>> labels) {
    List<Column> columns = new ArrayList<>(point.keys());
    point.groupingIds().forEach(g -> columns.add(g.output()));
    List<List<Object>> rows = new ArrayList<>();
    ExactHistogram.of(point, labels)
        .bins()
        .forEach(bin -> rows.add(ExactHistogram.labels(point, bin)));
    return new RowTable(columns, rows);
  }

  /** The relation without what depends on measured values; it has no fewer rows. */
  private Relation known(Relation relation) {
    if (!isNoisy(relation)) {
      int number = -1 - released.size();
      released.put(number, new Interpreter(Map.of(), publicRows).run(relation));
      return new Relation.Released(number, relation.columns());
    }
    return switch (relation) {
      case Relation.Released r -> released(r);
      case Relation.Filter r -> filter(known(r.input()), r.predicate());
      case Relation.Project r -> project(known(r.input()), r.outputs());
      case Relation.Join r -> {
        Relation left = known(r.left());
        Relation right = known(r.right());
        Set<Integer> columns = ids(left);
        columns.addAll(ids(right));
        yield new Relation.Join(r.kind(), left, right, conjuncts(r.condition(), columns), r.at());
      }
      case Relation.Distinct r -> {
        Relation input = known(r.input());
        yield input.columns().size() == r.columns().size() ? new Relation.Distinct(input) : input;
      }
      case Relation.SetOperation r -> setOperation(r);
      case Relation.Limit r -> {
        Relation input = known(r.input());
        // Which rows stay is not known, only how many.
        yield r.count().isEmpty()
            ? input
            : new Relation.Limit(
                new Relation.Project(input, List.of()), List.of(), 0, r.count(), r.at());
      }
      case Relation.Window r -> known(r.input());
      case Relation.TopRows r -> known(r.input());
      case Relation.Scan r -> throw new IllegalStateException("not above release points: " + r);
      case Relation.Values r -> throw new IllegalStateException("not noisy: " + r);
      case Relation.Where r -> throw new IllegalStateException("not computed on noise: " + r);
      case Relation.Attach r -> throw new IllegalStateException("not computed on noise: " + r);
      case Relation.Aggregate r -> throw new IllegalStateException("not computed on noise: " + r);
    };
  }

  private Relation released(Relation.Released relation) {
    Set<Integer> labels = new HashSet<>(Set.of(Relation.Released.CELL));
    released.get(relation.release()).columns().forEach(c -> labels.add(c.id()));
    List<Column> columns = new ArrayList<>();
    List<Integer> of = new ArrayList<>();
    for (int i = 0; i < relation.of().size(); i++) {
      if (labels.contains(relation.of().get(i))) {
        columns.add(relation.columns().get(i));
        of.add(relation.of().get(i));
      }
    }
    return new Relation.Released(relation.release(), columns, of);
  }

  private static Relation filter(Relation input, Expr predicate) {
    return new Relation.Filter(input, conjuncts(predicate, ids(input)));
  }

  /** The part of a condition that reads these columns only. */
  private static Expr conjuncts(Expr condition, Set<Integer> columns) {
    return Exprs.and(
        Equalities.conjuncts(condition).stream().filter(c -> isKnown(c, columns)).toList());
  }

  private static boolean isKnown(Expr expr, Set<Integer> columns) {
    return EvaluableExpressions.is(expr) && columns.containsAll(AlgebraWalker.references(expr));
  }

  private static Relation project(Relation input, List<Relation.Project.Output> outputs) {
    Set<Integer> columns = ids(input);
    return new Relation.Project(
        input, outputs.stream().filter(o -> isKnown(o.expr(), columns)).toList());
  }

  /** Columns stay that are known on both sides. INTERSECT and EXCEPT have no more than one side. */
  private Relation setOperation(Relation.SetOperation operation) {
    Relation left = known(operation.left());
    Relation right = known(operation.right());
    Set<Integer> ofLeft = ids(left);
    Set<Integer> ofRight = ids(right);
    List<Column> columns = new ArrayList<>();
    List<Relation.Project.Output> fromLeft = new ArrayList<>();
    List<Relation.Project.Output> fromRight = new ArrayList<>();
    for (int i = 0; i < operation.columns().size(); i++) {
      Column one = operation.left().columns().get(i);
      Column other = operation.right().columns().get(i);
      if (ofLeft.contains(one.id()) && ofRight.contains(other.id())) {
        columns.add(operation.columns().get(i));
        fromLeft.add(new Relation.Project.Output(one, one.ref()));
        fromRight.add(new Relation.Project.Output(other, other.ref()));
      }
    }
    boolean whole = columns.size() == operation.columns().size();
    Relation none = new Relation.Project(right, fromRight);
    return new Relation.SetOperation(
        Relation.SetKind.UNION,
        operation.all() || !whole,
        new Relation.Project(left, fromLeft),
        operation.kind() == Relation.SetKind.UNION
            ? none
            : new Relation.Filter(none, Expr.Literal.FALSE),
        columns,
        operation.at());
  }

  private static boolean isNoisy(Relation relation) {
    return relation instanceof Relation.Released
        || relation.children().stream().anyMatch(ResultSize::isNoisy);
  }

  private static Set<Integer> ids(Relation relation) {
    Set<Integer> ids = new HashSet<>();
    relation.columns().forEach(c -> ids.add(c.id()));
    return ids;
  }
}
