package flexdp.decompose;

import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.FreshColumns;
import flexdp.algebra.Function;
import flexdp.algebra.Function.IntervalRule;
import flexdp.algebra.Relation;
import flexdp.algebra.SortKey;
import flexdp.algebra.WindowCall;
import flexdp.algebra.WindowTrace;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.failure.TimeBudget;
import flexdp.query.DpQuery;
import flexdp.query.Measurement;
import flexdp.query.NoisyAggregate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;

/**
 * Makes INTERVAL_LOW, INTERVAL_HIGH and EXCEEDS_NOISE computable: their argument is written out
 * down to measurements and labels, and those columns are carried up to where the function stands.
 * An interval of a computed column follows from the intervals of the measurements it is made of,
 * all of which have to hold at once.
 */
final class IntervalColumns {
  static final String CHOSEN =
      "MIN, MAX, MODE and quantiles are chosen by the exponential mechanism, whose error depends on"
          + " the data.";

  /** By every column that shows one. */
  private final Map<Integer, Measurement> measurements;

  /** Which columns say of which grouping set, or of which label, a measurement is. */
  private final Map<Integer, List<Integer>> tellers = new HashMap<>();

  /** Without these there is no error bar; without a teller it is the widest. */
  private final Set<Integer> needed = new HashSet<>();

  private final WindowIntervals windows;

  IntervalColumns(List<NoisyAggregate> releases, Relation top, FreshColumns fresh) {
    this.measurements = DpQuery.measurements(releases, top);
    DpQuery.sets(releases, top).forEach((column, set) -> tellers.put(column, List.of(set)));
    this.windows = new WindowIntervals(releases, measurements.keySet(), top, fresh);
  }

  /**
   * @param tellers by measurement, which columns tell its errors apart
   */
  IntervalColumns(
      List<NoisyAggregate> releases,
      Relation top,
      FreshColumns fresh,
      IntFunction<List<Integer>> tellers) {
    this.measurements = DpQuery.measurements(releases, top);
    measurements.keySet().forEach(column -> this.tellers.put(column, tellers.apply(column)));
    this.windows = new WindowIntervals(releases, measurements.keySet(), top, fresh);
  }

  static boolean isInterval(Expr expr) {
    return expr instanceof Expr.Call call
        && (call.function() == Function.INTERVAL_LOW || call.function() == Function.INTERVAL_HIGH);
  }

  /** Below a release point, and among public rows, nothing is noisy. */
  static void refuse(Relation relation) {
    AlgebraWalker.visit(
        relation,
        r ->
            AlgebraWalker.expressions(
                r,
                expr ->
                    AlgebraWalker.parts(
                        expr,
                        part -> {
                          if (isInterval(part)) {
                            throw unavailable(
                                "An error bar is asked for below an aggregate, where nothing is"
                                    + " noisy yet.",
                                "Use DP_INTERVAL_LOW and DP_INTERVAL_HIGH in the outermost"
                                    + " SELECT.");
                          }
                        })));
  }

  /** A relation with its intervals written out; its columns stay as they are. */
  Relation resolve(Relation top) {
    return exactly(rewrite(top, Set.of()), top.columns());
  }

  private Relation rewrite(Relation relation, Set<Integer> needed) {
    if (!isNoisy(relation)) {
      refuse(relation);
      return relation;
    }
    Set<Integer> below = new TreeSet<>(needed);
    return switch (relation) {
      case Relation.Project r -> project(r, needed);
      case Relation.Filter r -> {
        Expr predicate = expand(r.predicate(), r.input(), below);
        yield new Relation.Filter(rewrite(r.input(), below), predicate);
      }
      case Relation.Limit r -> {
        List<SortKey> order = new ArrayList<>();
        for (SortKey key : r.order()) {
          Expr expr = expand(key.expr(), r.input(), below);
          order.add(new SortKey(expr, key.descending(), key.nullsFirst()));
        }
        yield new Relation.Limit(rewrite(r.input(), below), order, r.offset(), r.count(), r.at());
      }
      case Relation.Join r -> {
        Expr condition = expand(r.condition(), r, below);
        yield new Relation.Join(
            r.kind(),
            rewrite(r.left(), provided(r.left(), below)),
            rewrite(r.right(), provided(r.right(), below)),
            condition,
            r.at());
      }
      case Relation.Distinct r -> {
        requireNative(r, needed);
        yield new Relation.Distinct(exactly(rewrite(r.input(), Set.of()), r.columns()));
      }
      case Relation.SetOperation r -> {
        requireNative(r, needed);
        Relation left = exactly(rewrite(r.left(), Set.of()), r.left().columns());
        Relation right = exactly(rewrite(r.right(), Set.of()), r.right().columns());
        yield new Relation.SetOperation(r.kind(), r.all(), left, right, r.columns(), r.at());
      }
      case Relation.TopRows r -> {
        List<Expr> partition =
            r.partition().stream().map(e -> expand(e, r.input(), below)).toList();
        List<SortKey> order =
            r.order().stream().map(k -> k.map(e -> expand(e, r.input(), below))).toList();
        yield new Relation.TopRows(input(r, below), partition, order, r.count(), r.at());
      }
      case Relation.Window r -> {
        List<WindowCall> calls =
            r.calls().stream().map(c -> c.map(e -> expand(e, r.input(), below))).toList();
        List<WindowTrace> traces = windows.traces(r, needed);
        traces.forEach(t -> t.arguments().forEach(a -> windows.reads(a, below)));
        yield new Relation.Window(input(r, below), calls, traces);
      }
      case Relation.Released r -> windows.numbered(r, needed);
      // What cannot be computed on noisy rows is rejected by the interpreter.
      case Relation.Scan r -> r;
      case Relation.Values r -> r;
      case Relation.Where r -> r;
      case Relation.Attach r -> r;
      case Relation.Aggregate r -> r;
    };
  }

  private Relation project(Relation.Project project, Set<Integer> needed) {
    Set<Integer> below = new TreeSet<>();
    List<Relation.Project.Output> outputs = new ArrayList<>();
    Set<Integer> present = new TreeSet<>();
    for (Relation.Project.Output o : project.outputs()) {
      Expr expr = expand(o.expr(), project.input(), below);
      outputs.add(new Relation.Project.Output(o.column(), expr));
      present.add(o.column().id());
    }
    Set<Integer> carried = new TreeSet<>(needed);
    carried.removeAll(present);
    below.addAll(carried);
    Relation input = rewrite(project.input(), below);
    for (Column column : input.columns()) {
      if (carried.contains(column.id())) {
        outputs.add(new Relation.Project.Output(column, column.ref()));
      }
    }
    return new Relation.Project(input, outputs);
  }

  /** What is carried stands behind: the order of rows that tie is that of their own columns. */
  private Relation input(Relation over, Set<Integer> below) {
    Relation input = over.children().getFirst();
    Relation carrying = rewrite(input, below);
    if (carrying.columns().size() == input.columns().size()) {
      return carrying;
    }
    List<Column> columns = new ArrayList<>(input.columns());
    carrying.columns().stream()
        .filter(c -> columns.stream().noneMatch(o -> o.id() == c.id()))
        .forEach(columns::add);
    return picked(carrying, columns);
  }

  private Set<Integer> provided(Relation relation, Set<Integer> needed) {
    Set<Integer> own = new TreeSet<>();
    AlgebraWalker.visit(relation, r -> r.columns().forEach(c -> own.add(c.id())));
    own.addAll(windows.hidden(own));
    own.retainAll(needed);
    return own;
  }

  /** Rows that are merged or matched by value lose the measurements they were made of. */
  private void requireNative(Relation relation, Set<Integer> needed) {
    Set<Integer> missing = new TreeSet<>(needed);
    Set<Integer> telling = new HashSet<>();
    tellers.values().forEach(telling::addAll);
    telling.removeAll(this.needed);
    missing.removeAll(telling); // then the largest error of all counts
    relation.columns().forEach(c -> missing.remove(c.id()));
    if (!missing.isEmpty()) {
      throw throughSet();
    }
  }

  private static Rejection throughSet() {
    return unavailable(
        "An error bar does not pass through DISTINCT, UNION, INTERSECT or EXCEPT.",
        "Use DP_INTERVAL_LOW and DP_INTERVAL_HIGH in the SELECT that has the aggregate.");
  }

  private static Relation exactly(Relation relation, List<Column> columns) {
    return relation.columns().size() == columns.size() ? relation : picked(relation, columns);
  }

  private static Relation picked(Relation relation, List<Column> columns) {
    return new Relation.Project(
        relation, columns.stream().map(c -> new Relation.Project.Output(c, c.ref())).toList());
  }

  static boolean isNoisy(Relation relation) {
    return relation instanceof Relation.Released
        || relation.children().stream().anyMatch(IntervalColumns::isNoisy);
  }

  /** An expression over a relation with the arguments of its intervals written out. */
  private Expr expand(Expr expr, Relation input, Set<Integer> reads) {
    return AlgebraWalker.rewrite(
        expr,
        part -> {
          if (exceeds(part) instanceof Expr.Call call) {
            return Optional.of(noticed(call, input, reads));
          }
          if (!isInterval(part)) {
            return Optional.empty();
          }
          Expr.Call call = (Expr.Call) part;
          Expr argument = definition(call.arguments().getFirst(), input);
          needed.addAll(AlgebraWalker.references(argument));
          reads.addAll(AlgebraWalker.references(argument));
          if (windows.reaches(argument)) {
            windows.reads(argument, reads);
          }
          AlgebraWalker.references(argument)
              .forEach(id -> reads.addAll(tellers.getOrDefault(id, List.of())));
          return Optional.of(new Expr.Call(call.function(), List.of(argument), call.type()));
        });
  }

  private static Expr exceeds(Expr part) {
    return part instanceof Expr.Call call && call.function() == Function.EXCEEDS_NOISE
        ? call
        : null;
  }

  /** EXCEEDS_NOISE of what is made of measurements; of anything else it is a comparison. */
  private Expr noticed(Expr.Call call, Relation input, Set<Integer> reads) {
    if (input instanceof Relation.Released) {
      return call;
    }
    Expr argument = defined(call.arguments().getFirst(), input);
    if (windows.reaches(argument)) {
      return call;
    }
    reads.addAll(AlgebraWalker.references(argument));
    AlgebraWalker.references(argument)
        .forEach(id -> reads.addAll(tellers.getOrDefault(id, List.of())));
    return new Expr.Call(call.function(), List.of(argument), call.type());
  }

  /**
   * What an expression is in terms of measurements and labels.
   *
   * @throws Rejection when there is no error bar for it
   */
  Expr definition(Expr expr, Relation over) {
    Expr written = defined(expr, over);
    if (isExact(written)) {
      throw unavailable(
          "An error bar is asked for something that has no noise.",
          "Give DP_INTERVAL_LOW and DP_INTERVAL_HIGH an aggregate, or the alias of one.");
    }
    check(written);
    if (isChosen(written) && (measured(written).size() > 1 || windows.reaches(written))) {
      throw unavailable(
          "Quantiles have intervals of their own, which are not added to others.",
          "Ask for the error bars of each by itself.");
    }
    return written;
  }

  /** Whether a window function stands in what {@link #definition} has written. */
  boolean reachesWindow(Expr written) {
    return windows.reaches(written);
  }

  /** The measurements that something written out is made of, those in windows among them. */
  Set<Integer> measured(Expr written) {
    return windows.measured(written);
  }

  private boolean isExact(Expr written) {
    return measured(written).isEmpty() && !windows.reaches(written);
  }

  private Expr defined(Expr expr, Relation over) {
    TimeBudget.step();
    return AlgebraWalker.rewrite(
        expr,
        part -> {
          if (isInterval(part)) {
            throw unavailable(
                "An end of an error bar has no error bar of its own.",
                "Give DP_INTERVAL_LOW and DP_INTERVAL_HIGH an aggregate.");
          }
          return part instanceof Expr.Ref ref ? Optional.of(column(ref, over)) : Optional.empty();
        });
  }

  private Expr column(Expr.Ref ref, Relation over) {
    if (over instanceof Relation.Released || !isNoisy(over)) {
      return ref;
    }
    return switch (over) {
      case Relation.Project r ->
          r.outputs().stream()
              .filter(o -> o.column().id() == ref.column())
              .findFirst()
              .map(o -> defined(o.expr(), r.input()))
              .orElse(ref);
      case Relation.Filter r -> column(ref, r.input());
      case Relation.Limit r -> column(ref, r.input());
      case Relation.Distinct r -> column(ref, r.input());
      case Relation.Join r -> column(ref, has(r.left(), ref) ? r.left() : r.right());
      case Relation.SetOperation ignored -> throw throughSet();
      case Relation.Released ignored -> ref;
      case Relation.Scan ignored -> ref;
      case Relation.Values ignored -> ref;
      case Relation.Where ignored -> ref;
      case Relation.Attach ignored -> ref;
      case Relation.Aggregate ignored -> ref;
      case Relation.TopRows r -> column(ref, r.input());
      case Relation.Window r -> {
        if (has(r.input(), ref)) {
          yield column(ref, r.input());
        }
        windows.follow(r, ref.column(), this::defined);
        yield ref;
      }
    };
  }

  static boolean has(Relation relation, Expr.Ref ref) {
    return relation.columns().stream().anyMatch(c -> c.id() == ref.column());
  }

  /** Whether intervals go through an expression; what reads no measurement is exact. */
  private void check(Expr expr) {
    if (isExact(expr)) {
      return;
    }
    switch (expr) {
      case Expr.Ref ref -> measured(ref).forEach(id -> check(measurements.get(id)));
      case Expr.Cast cast -> {
        requireNumber(cast);
        check(cast.operand());
      }
      case Expr.Case choice -> {
        requireNumber(choice);
        choice.branches().forEach(b -> check(b.value()));
        choice.otherwise().ifPresent(this::check);
      }
      case Expr.Call call -> {
        requireNumber(call);
        if (call.function().errors() == IntervalRule.NOT_PROPAGATED) {
          throw unavailable(
              "No error bar is known for " + call.function() + " of a noisy number.",
              "Ask for the error bars of the aggregates and compute from those.");
        }
        call.arguments().forEach(this::check);
      }
      case Expr.Literal ignored -> {}
    }
  }

  private static void check(Measurement measurement) {
    boolean between = measurement instanceof Measurement.Quantile quantile && quantile.isBetween();
    if (!between && !(measurement instanceof Measurement.Additive)) {
      throw chosen();
    }
  }

  static Rejection chosen() {
    return unavailable(CHOSEN, "Count the rows below and above a value instead.");
  }

  /** Whether something written out shows a value that is chosen at random. */
  boolean isChosen(Expr written) {
    return measured(written).stream().anyMatch(this::isPicked);
  }

  /** Whether the column is of a measurement that is chosen at random. */
  boolean isPicked(int column) {
    return measurements.get(column) instanceof Measurement.Selected;
  }

  private static void requireNumber(Expr expr) {
    if (!expr.type().isNumeric()) {
      throw unavailable(
          "Only numbers have error bars, and this is a " + expr.type() + ".",
          "Ask for the error bars of the aggregates themselves.");
    }
  }

  static Rejection unavailable(String message, String hint) {
    return Rejection.of(RejectionCode.INTERVAL_UNAVAILABLE, message, hint);
  }
}
