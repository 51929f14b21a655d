package flexdp.reuse;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Tree;
import flexdp.compute.Ordering;
import flexdp.policy.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Every combination of labels that a row can have, given what is asked of it: values that the
 * question pins or bounds, and labels that are complete. Nothing when some label could be anything.
 */
final class PossibleLabels {
  private static final int MOST = 100_000;

  private final Cells cells;
  private final List<Expr> selection;
  private final Map<Integer, List<Object>> pinned;
  private final Map<Integer, Type> types;

  PossibleLabels(Cells cells, List<Expr> selection, Map<Integer, List<Object>> pinned) {
    this.cells = cells;
    this.selection = selection;
    this.pinned = pinned;
    this.types = types(selection);
  }

  /** A column for each key; the type of one that nothing reads does not matter. */
  static List<Column> columns(Cells cells, List<Expr> selection, List<Expr> keys) {
    List<Expr> all = new ArrayList<>(selection);
    all.addAll(keys);
    Map<Integer, Type> types = types(all);
    return IntStream.range(0, cells.keys().size())
        .mapToObj(i -> new Column(i, "k" + i, types.getOrDefault(i, Type.OPAQUE), true))
        .toList();
  }

  private static Map<Integer, Type> types(List<Expr> exprs) {
    Map<Integer, Type> types = new HashMap<>();
    exprs.forEach(e -> Tree.refs(e, ref -> types.put(ref.column(), ref.type())));
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
      distinct.putIfAbsent(Ordering.canonical(some), some);
    }
    return new ArrayList<>(distinct.values());
  }

  private static List<List<Object>> column(List<Object> values) {
    Map<Object, List<Object>> distinct = new LinkedHashMap<>();
    values.forEach(
        v ->
            distinct.putIfAbsent(
                Ordering.canonical(Collections.singletonList(v)), Collections.singletonList(v)));
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
