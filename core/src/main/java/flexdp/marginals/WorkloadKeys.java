package flexdp.marginals;

import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.compute.EvaluableExpressions;
import flexdp.compute.Evaluator;
import flexdp.fingerprint.CanonicalText;
import flexdp.policy.Type;
import flexdp.query.Labels;
import flexdp.query.Measurement;
import flexdp.query.NoisyAggregate;
import flexdp.reuse.KeyValues;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The keys of a frame that is being made, and what each member does with them. Members that would
 * make it too large are left out.
 */
final class WorkloadKeys {
  /** A member taken apart. */
  record Taken(WorkloadQuery member, JoinBlock base, Measurement measurement) {}

  private record Key(
      Expr expr,
      Map<List<Object>, Object> labels,
      boolean[] complete,
      Optional<Dimensions.Axis> axis,
      String name) {
    BinIndex ruler() {
      return axis.<BinIndex>map(Dimensions.Axis::ruler)
          .orElseGet(() -> BinIndex.Listed.of(new ArrayList<>(labels.values()), complete[0]));
    }
  }

  private final List<Taken> taken;
  private final JoinBlock base;
  private final Set<String> common = new LinkedHashSet<>();
  private final Map<String, Key> keys = new LinkedHashMap<>();
  private final Map<Taken, List<WorkloadQuery.Use>> uses = new LinkedHashMap<>();
  private final Dimensions dimensions;

  /**
   * @param levels whether ordered columns may have levels between all values and each
   */
  WorkloadKeys(List<Taken> taken, boolean levels) {
    this.taken = taken;
    this.base = taken.getFirst().base();
    base.conditions().forEach(c -> common.add(base.text(c)));
    for (Taken t : taken) {
      Set<String> own = new HashSet<>();
      t.base().conditions().forEach(c -> own.add(t.base().text(c)));
      common.retainAll(own);
    }
    this.dimensions = new Dimensions(base);
    for (Taken t : taken) {
      if (levels && !t.member().labels().isEmpty()) {
        dimensions.add(keys(t), t.member().labels(), conditions(t));
      }
    }
    dimensions.make();
    taken.forEach(this::place);
  }

  private List<Expr> keys(Taken t) {
    return t.base().keys().stream().map(key -> base.from(t.base(), key)).toList();
  }

  private List<Expr> conditions(Taken t) {
    return t.base().conditions().stream()
        .filter(c -> !common.contains(t.base().text(c)))
        .map(c -> base.from(t.base(), c))
        .toList();
  }

  private void place(Taken t) {
    List<WorkloadQuery.Use> own = FrameKeys.of(base, keys(t), conditions(t), dimensions);
    Set<String> names = new HashSet<>();
    boolean twice = own.stream().anyMatch(use -> !names.add(use.key()));
    Set<String> all = new HashSet<>(keys.keySet());
    all.addAll(names);
    if (twice || all.size() > KeyDomain.MOST_KEYS || t.member().labels().isEmpty()) {
      return;
    }
    double cells = 1;
    for (WorkloadQuery.Use use : own) {
      cells *= use.axis().isPresent() ? cells(use) : 1 + labels(t, use).size();
    }
    if (cells > KeyDomain.MOST_CELLS) {
      return;
    }
    for (WorkloadQuery.Use use : own) {
      Key key =
          keys.computeIfAbsent(
              use.key(),
              k ->
                  new Key(
                      use.expr(),
                      new LinkedHashMap<>(),
                      new boolean[1],
                      use.axis().map(dimensions::axis),
                      name(use)));
      if (use.axis().isEmpty()) {
        labels(t, use).forEach(v -> key.labels().putIfAbsent(KeyDomain.name(v), v));
        key.complete()[0] |= isComplete(t, use);
      }
    }
    uses.put(t, own);
  }

  private static boolean isComplete(Taken t, WorkloadQuery.Use use) {
    return use.key().startsWith("is ")
        || use.isGrouped()
            && t.member().complete().stream().anyMatch(g -> g.contains(use.places().getFirst()));
  }

  /** How many blocks the cuboid has, along this key, that holds all that is asked. */
  private double cells(WorkloadQuery.Use use) {
    return dimensions.axis(use.axis().orElseThrow()).ruler().blocks()[part(use).level()];
  }

  /** What is asked of an ordered column. */
  private KeyMapping part(WorkloadQuery.Use use) {
    Dimensions.Axis axis = dimensions.axis(use.axis().orElseThrow());
    HierarchicalBins bins = axis.ruler().bins();
    Map<Integer, Optional<LabelCells>> grouped = new LinkedHashMap<>();
    int level = 1;
    for (int i = 0; i < use.places().size(); i++) {
      LabelCells labels = axis.labels().get(base.text(use.keys().get(i)));
      grouped.put(use.places().get(i), Optional.of(labels));
      level = Math.max(level, labels.level());
    }
    Optional<boolean[]> chosen = use.spans().map(bins::cells);
    if (chosen.isPresent()) {
      level = Math.max(level, bins.level(chosen.get()));
    }
    return new KeyMapping(level, grouped, chosen);
  }

  private static List<Object> labels(Taken t, WorkloadQuery.Use use) {
    if (use.isGrouped()) {
      int place = use.places().getFirst();
      Map<List<Object>, Object> distinct = new LinkedHashMap<>();
      t.member()
          .labels()
          .forEach(row -> distinct.putIfAbsent(KeyDomain.name(row.get(place)), row.get(place)));
      return new ArrayList<>(distinct.values());
    }
    return use.key().startsWith("is ") ? List.of(true, false) : use.chosen().orElseThrow();
  }

  /** A key that is a column has its name, another one what it is computed from. */
  private String name(WorkloadQuery.Use use) {
    return use.axis()
        .map(this::columnName)
        .orElseGet(
            () ->
                use.expr() instanceof Expr.Ref ref
                    ? columnName(ref.column())
                    : CanonicalText.of(use.expr(), this::columnName));
  }

  private String columnName(int id) {
    return base.rows().columns().stream()
        .filter(c -> c.id() == id)
        .findFirst()
        .orElseThrow()
        .name();
  }

  List<String> names() {
    return keys.values().stream().map(Key::name).toList();
  }

  /** Nothing where less than two members are left, or too much would be measured together. */
  Optional<KeyDomain> frame() {
    boolean bare = keys.values().stream().anyMatch(k -> k.axis().isEmpty() && k.labels().isEmpty());
    return uses.size() < 2 || keys.isEmpty() || bare
        ? Optional.empty()
        : KeyDomain.of(keys.values().stream().map(Key::ruler).toList());
  }

  List<WorkloadGroup.Answer> answers(KeyDomain frame) {
    List<WorkloadGroup.Answer> answers = new ArrayList<>();
    uses.forEach((t, own) -> answers.add(answer(t, own, frame)));
    return answers;
  }

  private WorkloadGroup.Answer answer(Taken t, List<WorkloadQuery.Use> own, KeyDomain frame) {
    List<KeyMapping> parts = new ArrayList<>(Collections.nCopies(keys.size(), KeyMapping.NOTHING));
    List<String> names = List.copyOf(keys.keySet());
    for (WorkloadQuery.Use use : own) {
      int key = names.indexOf(use.key());
      parts.set(key, use.axis().isPresent() ? part(use) : listed(use, frame, key));
    }
    return new WorkloadGroup.Answer(t.member(), parts);
  }

  private static KeyMapping listed(WorkloadQuery.Use use, KeyDomain frame, int key) {
    int finest = frame.lattice().finest(key);
    if (use.isGrouped()) {
      return new KeyMapping(
          finest, Map.of(use.places().getFirst(), Optional.empty()), Optional.empty());
    }
    boolean[] cells = new boolean[frame.lattice().blocks(key, finest)];
    use.chosen().orElseThrow().forEach(v -> cells[frame.label(key, v)] = true);
    return new KeyMapping(finest, Map.of(), Optional.of(cells));
  }

  /** The rows with the common conditions only, by all keys. */
  NoisyAggregate point() {
    List<Expr> conditions =
        base.conditions().stream().filter(c -> common.contains(base.text(c))).toList();
    Relation rows =
        conditions.isEmpty()
            ? base.rows()
            : new Relation.Filter(base.rows(), Exprs.and(conditions));
    int[] unused = {unused()};
    List<Relation.Project.Output> outputs = new ArrayList<>();
    rows.columns().forEach(c -> outputs.add(new Relation.Project.Output(c, c.ref())));
    List<Column> columns = new ArrayList<>();
    for (Key key : keys.values()) {
      Column column = new Column(unused[0]++, "k" + columns.size(), key.expr().type(), true);
      columns.add(column);
      outputs.add(new Relation.Project.Output(column, key.expr()));
    }
    List<Integer> all = IntStream.range(0, columns.size()).boxed().toList();
    Column set = new Column(unused[0]++, "set", Type.BIGINT, false);
    Measurement measurement =
        taken
            .getFirst()
            .measurement()
            .as(
                new Column(unused[0]++, "m", taken.getFirst().measurement().output().type(), true),
                taken.getFirst().measurement().origin());
    return new NoisyAggregate(
        0,
        new Relation.Project(rows, outputs),
        columns,
        List.of(all),
        List.of(new Relation.Aggregate.GroupingId(set, all)),
        List.of(measurement),
        new Labels.Supplied(List.of()),
        taken.getFirst().member().point().at());
  }

  private int unused() {
    int[] most = {0};
    AlgebraWalker.visit(
        base.rows(), r -> r.columns().forEach(c -> most[0] = Math.max(most[0], c.id())));
    return most[0] + 1;
  }

  /**
   * What the keys of a frame are for one member: its own keys, and a key for every condition that
   * not all members have. Where conditions leave finitely many values of one column, that column is
   * the key and these values are chosen; otherwise the condition itself is one, true or not.
   */
  private static final class FrameKeys {
    private static final int MOST_CHOSEN = 2_000;

    private FrameKeys() {}

    /**
     * @param base over whose rows keys and conditions are
     * @param conditions that not all members have
     */
    static List<WorkloadQuery.Use> of(
        JoinBlock base, List<Expr> keys, List<Expr> conditions, Dimensions dimensions) {
      List<WorkloadQuery.Use> uses = new ArrayList<>();
      Map<Integer, List<Integer>> places = new LinkedHashMap<>();
      Map<Integer, List<ColumnSpans.Span>> spans = new LinkedHashMap<>();
      for (int i = 0; i < keys.size(); i++) {
        Expr key = keys.get(i);
        Optional<Integer> axis = dimensions.ofKey(key);
        if (axis.isPresent()) {
          places.computeIfAbsent(axis.get(), a -> new ArrayList<>()).add(i);
        } else {
          uses.add(use(base.text(key), key, List.of(i), Optional.empty()));
        }
      }
      Map<Integer, List<Expr>> byColumn = new LinkedHashMap<>();
      for (Expr condition : conditions) {
        Optional<Integer> axis = dimensions.ofCondition(condition);
        Set<Integer> read = AlgebraWalker.references(condition);
        if (axis.isPresent()) {
          places.putIfAbsent(axis.get(), new ArrayList<>());
          List<ColumnSpans.Span> own = dimensions.spans(condition);
          spans.merge(axis.get(), own, ColumnSpans::both);
        } else if (read.size() == 1) {
          byColumn.computeIfAbsent(read.iterator().next(), c -> new ArrayList<>()).add(condition);
        } else {
          uses.add(isTrue(base, condition));
        }
      }
      byColumn.forEach(
          (column, own) ->
              chosen(base, column, own)
                  .ifPresentOrElse(
                      values -> uses.add(choosing(base, column, values)),
                      () -> own.forEach(c -> uses.add(isTrue(base, c)))));
      places.forEach(
          (column, own) ->
              uses.add(
                  new WorkloadQuery.Use(
                      "axis " + column,
                      dimensions.axis(column).read(),
                      own.stream().map(keys::get).toList(),
                      own,
                      Optional.empty(),
                      Optional.of(column),
                      Optional.ofNullable(spans.get(column)))));
      return uses;
    }

    private static WorkloadQuery.Use use(
        String key, Expr expr, List<Integer> places, Optional<List<Object>> chosen) {
      return new WorkloadQuery.Use(
          key,
          expr,
          places.isEmpty() ? List.of() : List.of(expr),
          places,
          chosen,
          Optional.empty(),
          Optional.empty());
    }

    private static WorkloadQuery.Use isTrue(JoinBlock base, Expr condition) {
      return use(
          "is " + base.text(condition),
          Exprs.test(Function.IS_TRUE, condition),
          List.of(),
          Optional.of(List.of(true)));
    }

    private static WorkloadQuery.Use choosing(JoinBlock base, int column, List<Object> values) {
      Expr ref = column(base, column).ref();
      return use(base.text(ref), ref, List.of(), Optional.of(values));
    }

    private static Column column(JoinBlock base, int id) {
      return base.rows().columns().stream().filter(c -> c.id() == id).findFirst().orElseThrow();
    }

    /** The values for which all conditions hold, if these are few and known. */
    private static Optional<List<Object>> chosen(JoinBlock base, int id, List<Expr> conditions) {
      Column column = column(base, id);
      boolean text = column.type().kind() == Type.Kind.VARCHAR;
      if (!conditions.stream()
          .allMatch(c -> EvaluableExpressions.is(c) && (!text || isEquality(c)))) {
        return Optional.empty();
      }
      Optional<List<Object>> possible = new KeyValues(id, column.type()).of(conditions);
      if (possible.isEmpty() || possible.get().size() > MOST_CHOSEN) {
        return Optional.empty();
      }
      Evaluator evaluator = new Evaluator(List.of(column));
      List<Evaluator.Value> tests = conditions.stream().map(evaluator::compile).toList();
      List<Object> chosen = new ArrayList<>();
      for (Object value : possible.get()) {
        List<Object> row = java.util.Collections.singletonList(value);
        if (!chosen.contains(value) && tests.stream().allMatch(t -> Evaluator.isTrue(t.on(row)))) {
          chosen.add(value);
        }
      }
      return chosen.isEmpty() ? Optional.empty() : Optional.of(chosen);
    }

    /** Databases order texts each in their own way, but agree which are equal. */
    private static boolean isEquality(Expr condition) {
      return condition instanceof Expr.Call call
          && (call.function() == Function.EQ || call.function() == Function.IN_LIST);
    }
  }
}
