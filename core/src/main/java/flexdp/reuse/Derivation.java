package flexdp.reuse;

import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Function;
import flexdp.cells.ExactHistogram;
import flexdp.compute.EvaluableExpressions;
import flexdp.compute.Evaluator;
import flexdp.compute.ValueConversion;
import flexdp.compute.ValueOrdering;
import flexdp.policy.Type;
import flexdp.query.Measurement;
import flexdp.query.NoisyAggregate;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A measurement read off cells that were released before: a selection of them, or sums. It is done
 * only where it estimates the very same number. The rows of every wanted bin have to be those of
 * certain cells, no more and no less: conditions that labels do not decide are the same on both
 * sides, and every value of the labels that such a row can have is a cell.
 */
public final class Derivation {
  /**
   * Noisy values, one for each bin of {@link ExactHistogram#of}.
   *
   * @param most the largest number of cells that were added up for one of them; 1 where the
   *     question leaves no bin
   */
  public record Derived(List<Object> values, int most) {}

  private final NoisyAggregate point;
  private final MeasurementShape parts;
  private final List<List<Object>> labels;
  private final List<ExactHistogram.Bin> bins;

  /**
   * @param labels of the wanted release point
   */
  public Derivation(NoisyAggregate point, MeasurementShape parts, List<List<Object>> labels) {
    this.point = point;
    this.parts = parts;
    this.labels = labels;
    this.bins = ExactHistogram.of(point, labels).bins();
  }

  /** What is wanted. */
  public List<ExactHistogram.Bin> bins() {
    return bins;
  }

  /** One measurement from one column of cells. */
  public Optional<Derived> derive(int measurement, ReleasedCells cells, int value) {
    ReleasedCells.Value from = cells.values().get(value);
    List<Integer> all = IntStream.range(0, point.keys().size()).boxed().toList();
    Optional<List<Expr>> selection = selection(parts.values().get(measurement), cells, from);
    Optional<List<Expr>> keys = keys(cells, all);
    if (selection.isEmpty() || keys.isEmpty()) {
      return Optional.empty();
    }
    List<List<List<Object>>> chosen = new ArrayList<>();
    bins.forEach(ignored -> chosen.add(new ArrayList<>()));
    for (int set = 0; set < point.groupingSets().size(); set++) {
      if (!choose(set, cells, selection.get(), keys.get(), chosen)) {
        return Optional.empty();
      }
    }
    return sums(measurement, chosen, cells.keys().size() + value, from.additive());
  }

  /** Which keys of the cells a grouping set has to look at, if they are enough for it. */
  public Optional<Set<Integer>> reads(int measurement, ReleasedCells cells, int value, int set) {
    Optional<List<Expr>> selection =
        selection(parts.values().get(measurement), cells, cells.values().get(value));
    Optional<List<Expr>> keys = keys(cells, point.groupingSets().get(set));
    if (selection.isEmpty() || keys.isEmpty()) {
      return Optional.empty();
    }
    Set<Integer> read = new HashSet<>();
    selection.get().forEach(e -> read.addAll(AlgebraWalker.references(e)));
    keys.get().forEach(e -> read.addAll(AlgebraWalker.references(e)));
    return Optional.of(read);
  }

  /** The cells that make up every bin of a grouping set; none for bins of others. */
  public Optional<List<List<List<Object>>>> chosen(
      int measurement, ReleasedCells cells, int value, int set) {
    ReleasedCells.Value from = cells.values().get(value);
    Optional<List<Expr>> selection = selection(parts.values().get(measurement), cells, from);
    Optional<List<Expr>> keys = keys(cells, point.groupingSets().get(set));
    List<List<List<Object>>> chosen = new ArrayList<>();
    bins.forEach(ignored -> chosen.add(new ArrayList<>()));
    return selection.isPresent()
            && keys.isPresent()
            && choose(set, cells, selection.get(), keys.get(), chosen)
        ? Optional.of(chosen)
        : Optional.empty();
  }

  /** What remains to be asked of labels when the other conditions are the same on both sides. */
  private Optional<List<Expr>> selection(
      MeasurementShape.Value wanted, ReleasedCells cells, ReleasedCells.Value from) {
    if (!wanted.text().equals(from.text()) || !asksAll(wanted, cells, from)) {
      return Optional.empty();
    }
    List<MeasurementShape.Condition> all = new ArrayList<>(parts.conditions());
    all.addAll(wanted.conditions());
    Set<String> rest = new HashSet<>(from.conditions());
    cells.conditions().stream().filter(c -> !c.onLabels()).forEach(c -> rest.add(c.text()));
    List<Expr> selection = new ArrayList<>();
    for (MeasurementShape.Condition condition : all) {
      if (rest.contains(condition.text())) {
        continue;
      }
      Optional<Expr> onLabels = condition.expr().flatMap(e -> onLabels(e, cells));
      if (onLabels.isEmpty()) {
        return Optional.empty();
      }
      selection.add(onLabels.get());
    }
    return Optional.of(selection);
  }

  /** A condition may be a key by itself: then the label says whether it holds. */
  private Optional<Expr> onLabels(Expr condition, ReleasedCells cells) {
    return parts
        .over(cells.keys(), condition)
        .or(() -> parts.over(cells.keys(), Exprs.test(Function.IS_TRUE, condition)));
  }

  /**
   * Whether every condition that the cells had and labels do not decide is asked here, too. Most
   * answers of a family fail by this, so it comes first and makes nothing.
   */
  private boolean asksAll(
      MeasurementShape.Value wanted, ReleasedCells cells, ReleasedCells.Value from) {
    for (String condition : from.conditions()) {
      if (!asks(wanted, condition)) {
        return false;
      }
    }
    for (ReleasedCells.Condition condition : cells.conditions()) {
      if (!condition.onLabels() && !asks(wanted, condition.text())) {
        return false;
      }
    }
    return true;
  }

  private boolean asks(MeasurementShape.Value wanted, String condition) {
    for (MeasurementShape.Condition own : parts.conditions()) {
      if (own.text().equals(condition)) {
        return true;
      }
    }
    for (MeasurementShape.Condition own : wanted.conditions()) {
      if (own.text().equals(condition)) {
        return true;
      }
    }
    return false;
  }

  /** Of keys that a set has not got nothing is asked. */
  private Optional<List<Expr>> keys(ReleasedCells cells, List<Integer> grouped) {
    List<Expr> exprs = new ArrayList<>();
    for (int i = 0; i < parts.keys().size(); i++) {
      MeasurementShape.Key key = parts.keys().get(i);
      Optional<Expr> over =
          grouped.contains(i)
              ? key.expr().flatMap(e -> parts.over(cells.keys(), e))
              : Optional.of(new Expr.Literal(null, key.type()));
      if (over.isEmpty()) {
        return Optional.empty();
      }
      exprs.add(over.get());
    }
    return Optional.of(exprs);
  }

  /** Finds the cells of every bin of a grouping set; false when some row might be in none. */
  private boolean choose(
      int set,
      ReleasedCells cells,
      List<Expr> selection,
      List<Expr> keys,
      List<List<List<Object>>> chosen) {
    if (!selection.stream().allMatch(EvaluableExpressions::is)
        || !keys.stream().allMatch(EvaluableExpressions::is)) {
      return false;
    }
    List<Integer> grouped = point.groupingSets().get(set);
    Optional<List<List<Object>>> possible =
        new PossibleLabels(cells, selection, pinned(grouped, keys)).rows();
    if (possible.isEmpty()) {
      return false;
    }
    Map<List<Object>, Integer> wanted = new HashMap<>();
    for (int bin = 0; bin < bins.size(); bin++) {
      if (bins.get(bin).set() == set) {
        wanted.put(ValueOrdering.canonical(bins.get(bin).labels()), bin);
      }
    }
    Evaluator evaluator = new Evaluator(PossibleLabels.columns(cells, selection, keys));
    List<Evaluator.Value> predicates = selection.stream().map(evaluator::compile).toList();
    List<Evaluator.Value> labelled = keys.stream().map(evaluator::compile).toList();
    Map<List<Object>, List<Object>> index = cells.byLabels();
    for (List<Object> label : possible.get()) {
      if (!predicates.stream().allMatch(p -> Evaluator.isTrue(p.on(label)))) {
        continue;
      }
      Integer bin = wanted.get(ValueOrdering.canonical(bin(grouped, labelled, label)));
      if (bin == null) {
        continue;
      }
      List<Object> cell = index.get(ValueOrdering.canonical(label));
      if (cell == null) {
        return false;
      }
      chosen.get(bin).add(cell);
    }
    return true;
  }

  /** Keys of the cells that are keys of the wanted bins too have the values of those. */
  private Map<Integer, List<Object>> pinned(List<Integer> grouped, List<Expr> keys) {
    Map<Integer, List<Object>> pinned = new HashMap<>();
    for (int key : grouped) {
      if (keys.get(key) instanceof Expr.Ref ref) {
        pinned.put(
            ref.column(), new ArrayList<>(labels.stream().map(row -> row.get(key)).toList()));
      }
    }
    return pinned;
  }

  private List<Object> bin(
      List<Integer> grouped, List<Evaluator.Value> labelled, List<Object> label) {
    List<Object> bin = new ArrayList<>();
    for (int key = 0; key < labelled.size(); key++) {
      Column column = point.keys().get(key);
      bin.add(
          grouped.contains(key)
              ? ValueConversion.to(column.type(), labelled.get(key).on(label))
              : null);
    }
    return bin;
  }

  private Optional<Derived> sums(
      int measurement, List<List<List<Object>>> chosen, int column, boolean additive) {
    Measurement wanted = point.measurements().get(measurement);
    List<Object> values = new ArrayList<>();
    int most = 1;
    for (List<List<Object>> cells : chosen) {
      if (cells.isEmpty() || cells.size() > 1 && !additive) {
        return Optional.empty();
      }
      most = Math.max(most, cells.size());
      values.add(sum(cells, column, wanted));
    }
    return Optional.of(new Derived(values, most));
  }

  private static Object sum(List<List<Object>> cells, int column, Measurement wanted) {
    if (cells.size() == 1) {
      return cells.getFirst().get(column);
    }
    BigDecimal sum = BigDecimal.ZERO;
    for (List<Object> cell : cells) {
      Object value = cell.get(column);
      sum = sum.add(value instanceof Double d ? new BigDecimal(d) : (BigDecimal) value);
    }
    return ValueConversion.to(wanted.output().type(), sum);
  }

  /** The rows of the wanted release point, from a column of values for each measurement. */
  public List<List<Object>> rows(List<List<Object>> columns) {
    List<List<Object>> rows = new ArrayList<>();
    for (int bin = 0; bin < bins.size(); bin++) {
      List<Object> row = ExactHistogram.labels(point, bins.get(bin));
      for (List<Object> column : columns) {
        row.add(column.get(bin));
      }
      rows.add(row);
    }
    return rows;
  }

  /**
   * Every combination of labels that a row can have, given what is asked of it: values that the
   * question pins or bounds, and labels that are complete. Nothing when some label could be
   * anything.
   */
  private static final class PossibleLabels {
    private static final int MOST = 100_000;

    private final ReleasedCells cells;
    private final List<Expr> selection;
    private final Map<Integer, List<Object>> pinned;
    private final Map<Integer, Type> types;

    PossibleLabels(ReleasedCells cells, List<Expr> selection, Map<Integer, List<Object>> pinned) {
      this.cells = cells;
      this.selection = selection;
      this.pinned = pinned;
      this.types = types(selection);
    }

    /** A column for each key; the type of one that nothing reads does not matter. */
    static List<Column> columns(ReleasedCells cells, List<Expr> selection, List<Expr> keys) {
      List<Expr> all = new ArrayList<>(selection);
      all.addAll(keys);
      Map<Integer, Type> types = types(all);
      return IntStream.range(0, cells.keys().size())
          .mapToObj(i -> new Column(i, "k" + i, types.getOrDefault(i, Type.OPAQUE), true))
          .toList();
    }

    private static Map<Integer, Type> types(List<Expr> exprs) {
      Map<Integer, Type> types = new HashMap<>();
      exprs.forEach(e -> AlgebraWalker.refs(e, ref -> types.put(ref.column(), ref.type())));
      return types;
    }

    Optional<List<List<Object>>> rows() {
      Map<Integer, List<Object>> known = new HashMap<>();
      for (int key = 0; key < cells.keys().size(); key++) {
        Optional<List<Object>> values = values(key);
        if (values.isPresent()) {
          known.put(key, values.get());
        }
      }
      List<List<Object>> rows = new ArrayList<>();
      rows.add(new ArrayList<>(Collections.nCopies(cells.keys().size(), null)));
      boolean[] done = new boolean[cells.keys().size()];
      for (List<Integer> group : cells.complete()) {
        if (!known.keySet().containsAll(group)) {
          rows = product(rows, group, projected(group));
          group.forEach(key -> done[key] = true);
        }
      }
      for (int key = 0; key < done.length; key++) {
        if (!done[key]) {
          if (!known.containsKey(key)) {
            return Optional.empty();
          }
          rows = product(rows, List.of(key), column(known.get(key)));
        }
      }
      return rows.size() > MOST ? Optional.empty() : Optional.of(rows);
    }

    private Optional<List<Object>> values(int key) {
      if (pinned.containsKey(key)) {
        return Optional.of(pinned.get(key));
      }
      if (!types.containsKey(key)) {
        return Optional.empty();
      }
      return new KeyValues(key, types.get(key)).of(selection);
    }

    /** The labels of some keys, each combination once. */
    private List<List<Object>> projected(List<Integer> group) {
      Map<List<Object>, List<Object>> distinct = new LinkedHashMap<>();
      for (List<Object> row : cells.rows()) {
        List<Object> some = new ArrayList<>();
        group.forEach(key -> some.add(row.get(key)));
        distinct.putIfAbsent(ValueOrdering.canonical(some), some);
      }
      return new ArrayList<>(distinct.values());
    }

    private static List<List<Object>> column(List<Object> values) {
      Map<Object, List<Object>> distinct = new LinkedHashMap<>();
      values.forEach(
          v ->
              distinct.putIfAbsent(
                  ValueOrdering.canonical(Collections.singletonList(v)),
                  Collections.singletonList(v)));
      return new ArrayList<>(distinct.values());
    }

    private static List<List<Object>> product(
        List<List<Object>> rows, List<Integer> keys, List<List<Object>> values) {
      if ((long) rows.size() * values.size() > MOST) {
        // One too many: the caller sees that it is over the limit.
        return Collections.nCopies(MOST + 1, List.of());
      }
      List<List<Object>> longer = new ArrayList<>(rows.size() * values.size());
      for (List<Object> row : rows) {
        for (List<Object> some : values) {
          List<Object> made = new ArrayList<>(row);
          for (int i = 0; i < keys.size(); i++) {
            made.set(keys.get(i), some.get(i));
          }
          longer.add(made);
        }
      }
      return longer;
    }
  }
}
