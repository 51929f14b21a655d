package flexdp.reuse;

import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.compute.EvaluableExpressions;
import flexdp.compute.Evaluator;
import flexdp.compute.ValueOrdering;
import flexdp.query.NoisyAggregate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The noisy cells of a release point and what they mean, in words that another question can be
 * compared with; see {@link MeasurementShape}.
 *
 * @param complete groups of keys whose labels hold every value that a row can have
 * @param apart rows whose labels contradict the conditions, by index; they say nothing
 * @param rows labels, then values
 */
public record ReleasedCells(
    List<Condition> conditions,
    List<String> keys,
    List<Value> values,
    List<List<Integer>> complete,
    Set<Integer> apart,
    List<List<Object>> rows) {

  /**
   * A condition that all counted rows meet.
   *
   * @param onLabels whether labels decide it; then it selects cells and says no more
   */
  public record Condition(String text, boolean onLabels) {}

  /** A column of cells. */
  public record Value(String text, boolean additive, Set<String> conditions) {}

  /** Nothing when the rows are those of several grouping sets. */
  public static Optional<ReleasedCells> of(
      NoisyAggregate point, MeasurementShape parts, List<List<Object>> rows) {
    int width = point.keys().size();
    if (point.groupingSets().size() != 1 || point.groupingSets().getFirst().size() != width) {
      return Optional.empty();
    }
    List<String> keys = parts.keys().stream().map(MeasurementShape.Key::text).toList();
    List<Column> columns = columns(parts);
    List<Condition> conditions = new ArrayList<>();
    Set<Integer> apart = new TreeSet<>();
    Set<Integer> decided = new TreeSet<>();
    for (MeasurementShape.Condition condition : parts.conditions()) {
      Optional<Expr> onLabels =
          condition.expr().flatMap(e -> parts.over(keys, e)).filter(EvaluableExpressions::is);
      conditions.add(new Condition(condition.text(), onLabels.isPresent()));
      if (onLabels.isPresent()) {
        decided.addAll(AlgebraWalker.references(onLabels.get()));
        Evaluator.Value predicate = new Evaluator(columns).compile(onLabels.get());
        for (int i = 0; i < rows.size(); i++) {
          if (!Evaluator.isTrue(predicate.on(rows.get(i)))) {
            apart.add(i);
          }
        }
      }
    }
    // Labels that a condition restricts hold what rows can have under it, and no more than that.
    List<List<Integer>> complete =
        parts.complete().stream().filter(g -> g.stream().noneMatch(decided::contains)).toList();
    return Optional.of(
        new ReleasedCells(conditions, keys, values(parts), complete, apart, values(point, rows)));
  }

  private static List<Column> columns(MeasurementShape parts) {
    List<Column> columns = new ArrayList<>();
    for (int i = 0; i < parts.keys().size(); i++) {
      columns.add(new Column(i, "k" + i, parts.keys().get(i).type(), true));
    }
    return columns;
  }

  private static List<Value> values(MeasurementShape parts) {
    List<Value> values = new ArrayList<>();
    for (MeasurementShape.Value value : parts.values()) {
      Set<String> conditions = new TreeSet<>();
      value.conditions().forEach(c -> conditions.add(c.text()));
      values.add(new Value(value.text(), value.additive(), conditions));
    }
    return values;
  }

  /** Rows without the columns of GROUPING(...). */
  private static List<List<Object>> values(NoisyAggregate point, List<List<Object>> rows) {
    if (point.groupingIds().isEmpty()) {
      return rows;
    }
    int keys = point.keys().size();
    List<List<Object>> shorter = new ArrayList<>();
    for (List<Object> row : rows) {
      List<Object> kept = new ArrayList<>(row.subList(0, keys));
      kept.addAll(row.subList(keys + point.groupingIds().size(), row.size()));
      shorter.add(kept);
    }
    return shorter;
  }

  /** The rows that mean something, by their labels. */
  Map<List<Object>, List<Object>> byLabels() {
    Map<List<Object>, List<Object>> index = new HashMap<>();
    for (int i = 0; i < rows.size(); i++) {
      if (!apart.contains(i)) {
        index.put(ValueOrdering.canonical(rows.get(i).subList(0, keys.size())), rows.get(i));
      }
    }
    return index;
  }
}
