package flexdp.release;

import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Column;
import flexdp.algebra.Relation;
import flexdp.algebra.SortKey;
import flexdp.compute.EvaluableExpressions;
import flexdp.compute.Evaluator;
import flexdp.compute.ValueConversion;
import flexdp.compute.ValueOrdering;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.plan.ErrorModel;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Computes what stands above the release points, on noisy rows, in our own process (guarantee §2).
 * It reads nothing but noisy rows, constants and public tables, so whatever it computes is as
 * private as its input.
 */
public final class Interpreter {
  private final Map<Integer, RowTable> released;
  private final Function<Relation, RowTable> publicRows;
  private final ErrorModel errors;
  private final NoiseLineage lineage;

  /**
   * @param released the noisy rows by release point
   * @param publicRows the rows of a relation that no release point contributes to
   */
  public Interpreter(Map<Integer, RowTable> released, Function<Relation, RowTable> publicRows) {
    this(released, publicRows, ErrorModel.NONE);
  }

  /**
   * @param errors of the noisy rows, where error bars are computed
   */
  public Interpreter(
      Map<Integer, RowTable> released, Function<Relation, RowTable> publicRows, ErrorModel errors) {
    this.released = Map.copyOf(released);
    this.publicRows = publicRows;
    this.errors = errors;
    this.lineage =
        new NoiseLineage(
            errors, this.released.values().stream().mapToInt(r -> r.rows().size()).max().orElse(1));
  }

  /** Rejects, from the structure alone, what {@link #run} could not compute. */
  public static void check(Relation relation) {
    if (isPublic(relation)) {
      checkReadable(relation);
      return;
    }
    switch (relation) {
      case Relation.Where ignored -> throw unsupported("a subquery");
      case Relation.Attach ignored -> throw unsupported("a subquery");
      case Relation.Window ignored -> {}
      case Relation.TopRows ignored -> {}
      case Relation.Aggregate a -> throw unsupported("another aggregate").orAt(a.at());
      case Relation.Scan ignored -> {}
      case Relation.Values ignored -> {}
      case Relation.Released ignored -> {}
      case Relation.Filter ignored -> {}
      case Relation.Project ignored -> {}
      case Relation.Join ignored -> {}
      case Relation.Distinct ignored -> {}
      case Relation.SetOperation ignored -> {}
      case Relation.Limit ignored -> {}
    }
    AlgebraWalker.expressions(
        relation,
        expr -> {
          if (!EvaluableExpressions.is(expr)) {
            throw unsupported("computing with lengths of time");
          }
        });
    relation.children().forEach(Interpreter::check);
  }

  /** Rows of public tables come from the database, and no driver reads intervals alike. */
  private static void checkReadable(Relation relation) {
    if (!(relation instanceof Relation.Values)
        && relation.columns().stream().anyMatch(c -> c.type().isInterval())) {
      throw Rejection.of(
          RejectionCode.POSTPROCESS_UNSUPPORTED,
          "Intervals of public tables cannot be shown.",
          "Show the moments that they lie between.");
    }
  }

  private static Rejection unsupported(String what) {
    return Rejection.of(
        RejectionCode.POSTPROCESS_UNSUPPORTED,
        "Noisy results cannot be processed further by " + what + ".",
        "Ask for the aggregate alone and compute the rest from its answer.");
  }

  /** Whether the database may compute a relation as it stands, because nothing in it is noisy. */
  private static boolean isPublic(Relation relation) {
    return !(relation instanceof Relation.Released)
        && relation.children().stream().allMatch(Interpreter::isPublic);
  }

  /** Visits what {@link #run} asks the database for. */
  public static void visitPublic(Relation relation, Consumer<Relation> visitor) {
    if (relation instanceof Relation.Values) {
      return;
    }
    if (isPublic(relation)) {
      visitor.accept(relation);
    } else {
      relation.children().forEach(child -> visitPublic(child, visitor));
    }
  }

  public RowTable run(Relation relation) {
    return switch (relation) {
      case Relation.Released r -> released(r);
      case Relation.Values values -> values(values);
      case Relation other when isPublic(other) -> publicRows.apply(other);
      case Relation.Filter filter -> filter(filter);
      case Relation.Project project -> project(project);
      case Relation.Join join ->
          new JoinExecution(join, run(join.left()), run(join.right())).rows();
      case Relation.Distinct distinct -> distinct(run(distinct.input()));
      case Relation.SetOperation operation -> setOperation(operation);
      case Relation.Limit limit -> limit(limit);
      case Relation.Scan ignored -> throw new IllegalStateException("a scan is public here");
      case Relation.Where ignored -> throw unsupported("a subquery");
      case Relation.Attach ignored -> throw unsupported("a subquery");
      case Relation.Window window ->
          new WindowEvaluation(run(window.input()), errors, lineage).rows(window);
      case Relation.TopRows top ->
          new WindowEvaluation(run(top.input()), errors, lineage).rows(top);
      case Relation.Aggregate ignored -> throw unsupported("another aggregate");
    };
  }

  private RowTable released(Relation.Released relation) {
    RowTable rows = released.get(relation.release());
    if (rows == null) {
      throw new IllegalStateException("no rows of release point " + relation.release());
    }
    lineage.see(relation);
    List<Integer> places =
        relation.of().stream()
            .map(of -> of == Relation.Released.CELL ? Relation.Released.CELL : rows.index(of))
            .toList();
    List<List<Object>> read = new ArrayList<>();
    for (List<Object> row : rows.rows()) {
      List<Object> values = new ArrayList<>(places.size());
      BigDecimal number = BigDecimal.valueOf(read.size());
      places.forEach(
          place -> values.add(place == Relation.Released.CELL ? number : row.get(place)));
      read.add(values);
    }
    return new RowTable(relation.columns(), read);
  }

  private static RowTable values(Relation.Values values) {
    List<List<Object>> rows = new ArrayList<>();
    for (var literals : values.rows()) {
      List<Object> row = new ArrayList<>();
      for (int i = 0; i < literals.size(); i++) {
        row.add(ValueConversion.to(values.columns().get(i).type(), literals.get(i).value()));
      }
      rows.add(row);
    }
    return new RowTable(values.columns(), rows);
  }

  private RowTable filter(Relation.Filter filter) {
    RowTable input = run(filter.input());
    Evaluator.Value predicate =
        new Evaluator(input.columns(), IntervalPropagation.ends(errors, lineage))
            .compile(filter.predicate());
    List<List<Object>> kept =
        input.rows().stream().filter(row -> Evaluator.isTrue(predicate.on(row))).toList();
    return new RowTable(filter.columns(), kept);
  }

  private RowTable project(Relation.Project project) {
    RowTable input = run(project.input());
    Evaluator evaluator = new Evaluator(input.columns(), IntervalPropagation.ends(errors, lineage));
    List<Evaluator.Value> values =
        project.outputs().stream().map(o -> evaluator.compile(o.expr())).toList();
    List<List<Object>> rows = new ArrayList<>(input.rows().size());
    for (List<Object> row : input.rows()) {
      List<Object> made = new ArrayList<>(values.size());
      for (int i = 0; i < values.size(); i++) {
        Column column = project.outputs().get(i).column();
        made.add(ValueConversion.to(column.type(), values.get(i).on(row)));
      }
      rows.add(made);
    }
    return new RowTable(project.columns(), rows);
  }

  private static RowTable distinct(RowTable input) {
    Set<List<Object>> seen = new HashSet<>();
    List<List<Object>> kept =
        input.rows().stream().filter(row -> seen.add(ValueOrdering.canonical(row))).toList();
    return new RowTable(input.columns(), kept);
  }

  private RowTable setOperation(Relation.SetOperation operation) {
    List<List<Object>> left = converted(run(operation.left()), operation.columns());
    List<List<Object>> right = converted(run(operation.right()), operation.columns());
    List<List<Object>> rows =
        switch (operation.kind()) {
          case UNION -> {
            List<List<Object>> both = new ArrayList<>(left);
            both.addAll(right);
            yield both;
          }
          case INTERSECT -> matched(left, right, operation.all(), true);
          case EXCEPT -> matched(left, right, operation.all(), false);
        };
    RowTable result = new RowTable(operation.columns(), rows);
    return operation.all() ? result : distinct(result);
  }

  private static List<List<Object>> converted(RowTable rows, List<Column> columns) {
    List<List<Object>> all = new ArrayList<>(rows.rows().size());
    for (List<Object> row : rows.rows()) {
      List<Object> made = new ArrayList<>(row.size());
      for (int i = 0; i < row.size(); i++) {
        made.add(ValueConversion.to(columns.get(i).type(), row.get(i)));
      }
      all.add(made);
    }
    return all;
  }

  /** Rows of the left side that the right side has, or has not; with ALL each one is used once. */
  private static List<List<Object>> matched(
      List<List<Object>> left, List<List<Object>> right, boolean all, boolean wanted) {
    Map<List<Object>, Integer> counts = new HashMap<>();
    right.forEach(row -> counts.merge(ValueOrdering.canonical(row), 1, Integer::sum));
    List<List<Object>> kept = new ArrayList<>();
    for (List<Object> row : left) {
      List<Object> key = ValueOrdering.canonical(row);
      int count = counts.getOrDefault(key, 0);
      if (count > 0 && all) {
        counts.put(key, count - 1);
      }
      if (count > 0 == wanted) {
        kept.add(row);
      }
    }
    return kept;
  }

  private RowTable limit(Relation.Limit limit) {
    RowTable input = run(limit.input());
    Evaluator evaluator = new Evaluator(input.columns(), IntervalPropagation.ends(errors, lineage));
    Map<SortKey, Evaluator.Value> keys = new LinkedHashMap<>();
    limit.order().forEach(key -> keys.put(key, evaluator.compile(key.expr())));
    List<List<Object>> sorted = new ArrayList<>(input.rows());
    sorted.sort((one, two) -> order(keys, one, two));
    int from = (int) Math.min(limit.offset(), sorted.size());
    long count = limit.count().orElse(sorted.size());
    int to = (int) Math.min(sorted.size(), from + Math.min(count, sorted.size()));
    return new RowTable(
        limit.columns(), Collections.unmodifiableList(new ArrayList<>(sorted.subList(from, to))));
  }

  private static int order(Map<SortKey, Evaluator.Value> keys, List<Object> one, List<Object> two) {
    for (Map.Entry<SortKey, Evaluator.Value> key : keys.entrySet()) {
      SortKey by = key.getKey();
      int order =
          ValueOrdering.nullable(
              key.getValue().on(one), key.getValue().on(two), by.descending(), by.nullsFirst());
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }
}
