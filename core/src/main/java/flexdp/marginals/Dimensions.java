package flexdp.marginals;

import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Function;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The ordered columns of a frame's rows of which members ask for ranges, or for labels of several
 * lengths (days, months, years). All that is asked of such a column is spans of its values, so it
 * is one key, cut where any of these spans ends, in place of one key for every condition and
 * expression.
 */
final class Dimensions {
  /** A database goes through the pieces of one column one comparison after the other. */
  private static final int MOST_COMPARED = 300;

  private static final int MOST_CUTS = 20_000;

  /**
   * One of them.
   *
   * @param read what the database computes of it
   * @param labels by the text of a member's key, which cells its labels have
   */
  record Axis(BinIndex.Ordered ruler, Expr read, Map<String, LabelCells> labels) {}

  /** What all members ask of one column. */
  private static final class Draft {
    final ColumnSpans spans;
    final Map<String, Expr> keys = new LinkedHashMap<>();
    final Map<String, Map<List<Object>, Object>> labels = new LinkedHashMap<>();
    final List<List<ColumnSpans.Span>> conditions = new ArrayList<>();
    boolean ranges;
    boolean twice;

    Draft(ColumnSpans spans) {
      this.spans = spans;
    }
  }

  private final JoinBlock base;
  private final Map<Integer, Draft> drafts = new LinkedHashMap<>();
  private final Map<Integer, Axis> axes = new LinkedHashMap<>();

  Dimensions(JoinBlock base) {
    this.base = base;
  }

  /** What one member asks, its expressions over the base's rows. */
  void add(List<Expr> keys, List<List<Object>> rows, List<Expr> conditions) {
    Set<Integer> grouped = new HashSet<>();
    for (int place = 0; place < keys.size(); place++) {
      Optional<ColumnSpans> spans = of(keys.get(place));
      if (spans.isPresent() && spans.get().isMonotone(keys.get(place))) {
        Draft draft = drafts.computeIfAbsent(spans.get().column(), c -> new Draft(spans.get()));
        String text = base.text(keys.get(place));
        draft.keys.putIfAbsent(text, keys.get(place));
        Map<List<Object>, Object> own =
            draft.labels.computeIfAbsent(text, t -> new LinkedHashMap<>());
        for (List<Object> row : rows) {
          own.putIfAbsent(KeyDomain.name(row.get(place)), row.get(place));
        }
        draft.twice |= !grouped.add(draft.spans.column());
      }
    }
    for (Expr condition : conditions) {
      Optional<ColumnSpans> spans = of(condition);
      Optional<List<ColumnSpans.Span>> asked = spans.flatMap(s -> s.of(condition));
      if (asked.isPresent()) {
        Draft draft = drafts.computeIfAbsent(spans.get().column(), c -> new Draft(spans.get()));
        draft.conditions.add(asked.get());
        draft.ranges |= !isPoints(condition);
        draft.twice |= grouped.contains(draft.spans.column());
      }
    }
  }

  private static boolean isPoints(Expr condition) {
    return condition instanceof Expr.Call call
        && (call.function() == Function.EQ || call.function() == Function.IN_LIST);
  }

  /** Of the one ordered column that an expression reads. */
  private Optional<ColumnSpans> of(Expr expr) {
    Set<Integer> read = AlgebraWalker.references(expr);
    if (read.size() != 1) {
      return Optional.empty();
    }
    int id = read.iterator().next();
    return base.rows().columns().stream()
        .filter(c -> c.id() == id && ColumnSpans.isOrdered(c.type()))
        .map(c -> new ColumnSpans(id, c.type()))
        .findFirst();
  }

  /** Makes keys of the columns for which it is worth it. */
  void make() {
    drafts.forEach(
        (column, draft) -> {
          if (draft.ranges || draft.twice || draft.keys.size() > 1) {
            axis(draft).ifPresent(axis -> axes.put(column, axis));
          }
        });
  }

  private Optional<Axis> axis(Draft draft) {
    TreeSet<BigDecimal> ends = new TreeSet<>();
    Map<String, TreeSet<BigDecimal>> byKey = new LinkedHashMap<>();
    for (Map.Entry<String, Expr> key : draft.keys.entrySet()) {
      TreeSet<BigDecimal> own = new TreeSet<>();
      for (Object label : draft.labels.get(key.getKey()).values()) {
        if (label != null) {
          Optional<ColumnSpans.Span> span = draft.spans.label(key.getValue(), label);
          if (span.isEmpty()) {
            return Optional.empty();
          }
          own.add(span.get().from().orElseThrow());
          own.add(span.get().to().orElseThrow());
        }
      }
      byKey.put(key.getKey(), own);
      ends.addAll(own);
    }
    for (List<ColumnSpans.Span> spans : draft.conditions) {
      for (ColumnSpans.Span span : spans) {
        span.from().ifPresent(ends::add);
        span.to().ifPresent(ends::add);
      }
    }
    if (ends.isEmpty() || ends.size() > MOST_CUTS) {
      return Optional.empty();
    }
    HierarchicalBins bins = new HierarchicalBins(ends, coarse(byKey, ends), draft.ranges);
    Optional<Expr> key =
        draft.keys.values().stream()
            .filter(k -> ends.stream().allMatch(end -> draft.spans.isBoundary(k, end)))
            .max(Comparator.comparingInt(k -> byKey.get(base.text(k)).size()));
    Optional<Expr> read = key.or(() -> compared(draft.spans, bins.cuts()));
    return read.map(
        expr -> {
          BinIndex.Ordered ruler = new BinIndex.Ordered(draft.spans, bins, key);
          Map<String, LabelCells> labels = new HashMap<>();
          draft.keys.forEach(
              (text, own) ->
                  labels.put(text, LabelCells.of(ruler, own, draft.labels.get(text).values())));
          return new Axis(ruler, expr, labels);
        });
  }

  /** Ends of labels each of which is made up of finer ones, coarsest first. */
  private static List<TreeSet<BigDecimal>> coarse(
      Map<String, TreeSet<BigDecimal>> byKey, TreeSet<BigDecimal> all) {
    List<TreeSet<BigDecimal>> chain = new ArrayList<>();
    byKey.values().stream()
        .filter(own -> own.size() > 2 && own.size() < all.size())
        .sorted(Comparator.comparingInt(TreeSet::size))
        .filter(own -> chain.isEmpty() || own.containsAll(chain.getLast()))
        .filter(own -> chain.isEmpty() || own.size() > chain.getLast().size())
        .forEach(chain::add);
    return chain;
  }

  /** The number of a value's piece, found by halves. */
  private Optional<Expr> compared(ColumnSpans spans, List<BigDecimal> cuts) {
    List<Expr.Literal> constants = new ArrayList<>();
    for (BigDecimal cut : cuts) {
      spans.literal(cut).ifPresent(constants::add);
    }
    if (cuts.size() > MOST_COMPARED || constants.size() < cuts.size()) {
      return Optional.empty();
    }
    Column column =
        base.rows().columns().stream()
            .filter(c -> c.id() == spans.column())
            .findFirst()
            .orElseThrow();
    Expr piece = halves(column.ref(), constants, 0, constants.size());
    return Optional.of(
        new Expr.Case(
            List.of(new Expr.Case.Branch(Exprs.test(Function.IS_NOT_NULL, column.ref()), piece)),
            Optional.empty(),
            Type.INTEGER));
  }

  private static Expr halves(Expr column, List<Expr.Literal> constants, int low, int high) {
    if (low == high) {
      return new Expr.Literal(BigDecimal.valueOf(low), Type.INTEGER);
    }
    int middle = (low + high) / 2;
    return new Expr.Case(
        List.of(
            new Expr.Case.Branch(
                Exprs.test(Function.LT, column, constants.get(middle)),
                halves(column, constants, low, middle))),
        Optional.of(halves(column, constants, middle + 1, high)),
        Type.INTEGER);
  }

  /** The axis that an expression of a member belongs to, if it does. */
  Optional<Integer> ofKey(Expr key) {
    return of(key)
        .filter(s -> axes.containsKey(s.column()) && s.isMonotone(key))
        .map(ColumnSpans::column);
  }

  /** The axis that a condition of a member belongs to, if it does. */
  Optional<Integer> ofCondition(Expr condition) {
    return of(condition)
        .filter(s -> axes.containsKey(s.column()) && s.of(condition).isPresent())
        .map(ColumnSpans::column);
  }

  /** The spans of such a condition. */
  List<ColumnSpans.Span> spans(Expr condition) {
    return of(condition).flatMap(s -> s.of(condition)).orElseThrow();
  }

  Axis axis(int column) {
    return axes.get(column);
  }
}
