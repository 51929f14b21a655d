package flexdp.decompose;

import flexdp.algebra.AggregateCall;
import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.FreshColumns;
import flexdp.algebra.Linearity;
import flexdp.algebra.Relation;
import flexdp.algebra.WindowCall;
import flexdp.algebra.WindowTrace;
import flexdp.failure.Rejection;
import flexdp.policy.Type;
import flexdp.query.Labels;
import flexdp.query.NoisyAggregate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;

/**
 * Window functions with error bars: those that show a value of another row, or add values up, where
 * noise decides neither which rows there are nor how they stand. Such a value is a sum of draws
 * with known factors. A hidden column says which draws; it needs the number of the row that each
 * was drawn for, which is another hidden column, of the released rows.
 */
final class WindowIntervals {
  private final Set<Integer> measurements;
  private final SettledRows settled;
  private final FreshColumns fresh;

  /** By the column of a call's value. */
  private final Map<Integer, WindowTrace> traces = new HashMap<>();

  /** By every column of released rows, the first of them. */
  private final Map<Integer, Integer> firsts = new HashMap<>();

  /** By the first column of released rows, the column that numbers them. */
  private final Map<Integer, Column> numbers = new HashMap<>();

  WindowIntervals(
      List<NoisyAggregate> releases, Set<Integer> measurements, Relation top, FreshColumns fresh) {
    this.measurements = measurements;
    this.settled = new SettledRows(releases, measurements);
    this.fresh = fresh;
    AlgebraWalker.visit(
        top,
        r -> {
          if (r instanceof Relation.Window window) {
            window.traces().forEach(trace -> traces.put(trace.of(), trace));
          }
          if (r instanceof Relation.Released released) {
            see(released);
          }
        });
  }

  private void see(Relation.Released released) {
    int first = released.columns().getFirst().id();
    released.columns().forEach(c -> firsts.put(c.id(), first));
    int at = released.of().indexOf(Relation.Released.CELL);
    if (at >= 0) {
      numbers.put(first, released.columns().get(at));
    }
  }

  /**
   * Makes the draws of a call's value known.
   *
   * @param written an expression over a relation in terms of measurements and labels
   * @throws flexdp.failure.Rejection when nothing is known of them
   */
  void follow(Relation.Window window, int column, BiFunction<Expr, Relation, Expr> written) {
    if (traces.containsKey(column)) {
      return;
    }
    WindowCall call =
        window.calls().stream().filter(c -> c.output().id() == column).findFirst().orElseThrow();
    if (settled.isExact(window, call)) {
      return;
    }
    if (!isSum(call)) {
      throw IntervalColumns.unavailable(
          "No error bar is known for this window function.",
          "Ask for the error bars of the aggregates and compute from those.");
    }
    settled.require(window, call);
    List<Expr> arguments = new ArrayList<>();
    for (Expr argument : arguments(call)) {
      Expr known = written.apply(argument, window.input());
      if (!Linearity.is(known, this::isNoisy)) {
        throw IntervalColumns.unavailable(
            "Error bars go into a window function through sums and constant factors only.",
            "Use the window over COUNT or SUM itself, and compute from its result.");
      }
      arguments.add(known);
    }
    Column trace = fresh.column("draws", Type.OPAQUE, true);
    traces.put(column, new WindowTrace(trace, column, arguments));
  }

  private static List<Expr> arguments(WindowCall call) {
    return call.aggregate()
        .map(aggregate -> aggregate.argument().stream().toList())
        .orElse(call.arguments());
  }

  private static boolean isSum(WindowCall call) {
    if (call.aggregate().isPresent()) {
      AggregateCall aggregate = call.aggregate().get();
      return !aggregate.distinct()
          && switch (aggregate.kind()) {
            case SUM, AVG -> true;
            case COUNT,
                VAR_POP,
                VAR_SAMP,
                STDDEV_POP,
                STDDEV_SAMP,
                MIN,
                MAX,
                QUANTILE,
                MODE,
                TEXTS ->
                false;
          };
    }
    return switch (call.rank().orElseThrow()) {
      case LAG, LEAD, FIRST_VALUE, LAST_VALUE, NTH_VALUE -> true;
      case ROW_NUMBER, RANK, DENSE_RANK, PERCENT_RANK, CUME_DIST, NTILE -> false;
    };
  }

  private boolean isNoisy(int column) {
    return measurements.contains(column) || traces.containsKey(column);
  }

  /** Whether something that is written out reads a window function. */
  boolean reaches(Expr written) {
    return AlgebraWalker.references(written).stream().anyMatch(traces::containsKey);
  }

  /** The measurements that it is made of. */
  Set<Integer> measured(Expr written) {
    Set<Integer> ids = new TreeSet<>();
    for (int id : AlgebraWalker.references(written)) {
      if (measurements.contains(id)) {
        ids.add(id);
      } else if (traces.containsKey(id)) {
        traces.get(id).arguments().forEach(a -> ids.addAll(measured(a)));
      }
    }
    return ids;
  }

  /** The columns that tell of its draws, and those that it reads. */
  void reads(Expr written, Set<Integer> into) {
    for (int id : AlgebraWalker.references(written)) {
      into.add(id);
      if (traces.containsKey(id)) {
        into.add(traces.get(id).output().id());
      }
      if (measurements.contains(id)) {
        into.add(number(id).id());
      }
    }
  }

  private Column number(int measurement) {
    return numbers.computeIfAbsent(
        firsts.get(measurement), first -> fresh.column("cell", Type.BIGINT, false));
  }

  /** The traces of a window that are asked for, and those that it has. */
  List<WindowTrace> traces(Relation.Window window, Set<Integer> needed) {
    List<WindowTrace> all = new ArrayList<>(window.traces());
    for (WindowCall call : window.calls()) {
      WindowTrace trace = traces.get(call.output().id());
      if (trace != null && needed.contains(trace.output().id()) && !all.contains(trace)) {
        all.add(trace);
      }
    }
    return all;
  }

  /** Released rows with their numbers, where those are asked for. */
  Relation.Released numbered(Relation.Released released, Set<Integer> needed) {
    Column number = numbers.get(released.columns().getFirst().id());
    if (number == null || !needed.contains(number.id()) || released.columns().contains(number)) {
      return released;
    }
    List<Column> columns = new ArrayList<>(released.columns());
    List<Integer> of = new ArrayList<>(released.of());
    columns.add(number);
    of.add(Relation.Released.CELL);
    return new Relation.Released(released.release(), columns, of);
  }

  /** The hidden columns of relations that have these columns. */
  Set<Integer> hidden(Set<Integer> columns) {
    Set<Integer> ids = new HashSet<>();
    for (int id : columns) {
      if (traces.containsKey(id)) {
        ids.add(traces.get(id).output().id());
      }
      if (numbers.containsKey(firsts.get(id))) {
        ids.add(numbers.get(firsts.get(id)).id());
      }
    }
    return ids;
  }

  /**
   * Whether the rows of a window, and their partitions and order, would be the same without noise.
   * Only then is a total over them the sum of the same draws whatever these are.
   */
  private static final class SettledRows {
    private final List<NoisyAggregate> releases;
    private final Set<Integer> measurements;

    SettledRows(List<NoisyAggregate> releases, Set<Integer> measurements) {
      this.releases = releases;
      this.measurements = measurements;
    }

    /** Whether a call has the value that it would have without noise. */
    boolean isExact(Relation.Window window, WindowCall call) {
      return !isNoisy(call, window.input()) && is(window.input());
    }

    /**
     * @throws Rejection where they would not
     */
    void require(Relation.Window window, WindowCall call) {
      boolean arranged =
          call.partition().stream().noneMatch(e -> isNoisy(e, window.input()))
              && call.order().stream().noneMatch(k -> isNoisy(k.expr(), window.input()))
              && call.aggregate()
                  .flatMap(a -> a.filter())
                  .map(f -> !isNoisy(f, window.input()))
                  .orElse(true);
      if (!arranged) {
        throw IntervalColumns.unavailable(
            "A window that is ordered, partitioned or filtered by noisy numbers has no error bars.",
            "Order the window by labels, such as a date.");
      }
      if (!is(window.input())) {
        throw IntervalColumns.unavailable(
            "Which rows this window reads depends on noise, so it has no error bars.",
            "Use the window over all labels, and leave rows out afterwards.");
      }
    }

    private boolean is(Relation relation) {
      if (!IntervalColumns.isNoisy(relation)) {
        return true;
      }
      return switch (relation) {
        case Relation.Released r -> isComplete(r);
        case Relation.Project r -> is(r.input());
        case Relation.Filter r -> is(r.input()) && !isNoisy(r.predicate(), r.input());
        case Relation.Join r -> is(r.left()) && is(r.right()) && !isNoisy(r.condition(), r);
        case Relation.Window r -> is(r.input());
        case Relation.Limit r -> r.count().isEmpty() && r.offset() == 0 && is(r.input());
        case Relation.Distinct ignored -> false;
        case Relation.SetOperation ignored -> false;
        case Relation.TopRows ignored -> false;
        case Relation.Scan ignored -> false;
        case Relation.Values ignored -> false;
        case Relation.Where ignored -> false;
        case Relation.Attach ignored -> false;
        case Relation.Aggregate ignored -> false;
      };
    }

    /** All labels are shown, and no row holds others again. */
    private boolean isComplete(Relation.Released released) {
      return releases.stream()
          .filter(point -> point.id() == released.release())
          .allMatch(
              point ->
                  point.groupingSets().size() == 1
                      && switch (point.labels()) {
                        case Labels.None ignored -> true;
                        case Labels.Enumerated ignored -> true;
                        case Labels.Supplied ignored -> true;
                        case Labels.Thresholded ignored -> false;
                      });
    }

    private boolean isNoisy(Expr expr, Relation over) {
      return AlgebraWalker.references(expr).stream().anyMatch(id -> isNoisy(id, over));
    }

    private boolean isNoisy(int column, Relation over) {
      if (!IntervalColumns.isNoisy(over)) {
        return false;
      }
      return switch (over) {
        case Relation.Released ignored -> measurements.contains(column);
        case Relation.Project r ->
            r.outputs().stream()
                .filter(o -> o.column().id() == column)
                .anyMatch(o -> isNoisy(o.expr(), r.input()));
        case Relation.Window r ->
            r.calls().stream()
                .filter(c -> c.output().id() == column)
                .findFirst()
                .map(c -> isNoisy(c, r.input()))
                .orElseGet(() -> isNoisy(column, r.input()));
        case Relation.Filter r -> isNoisy(column, r.input());
        case Relation.Limit r -> isNoisy(column, r.input());
        case Relation.Distinct r -> isNoisy(column, r.input());
        case Relation.TopRows r -> isNoisy(column, r.input());
        case Relation.Join r -> isNoisy(column, r.left()) || isNoisy(column, r.right());
        // Of rows that come from both sides nothing is known.
        case Relation.SetOperation r -> r.columns().stream().anyMatch(c -> c.id() == column);
        case Relation.Where ignored -> true;
        case Relation.Attach ignored -> true;
        case Relation.Scan ignored -> false;
        case Relation.Values ignored -> false;
        case Relation.Aggregate ignored -> false;
      };
    }

    private boolean isNoisy(WindowCall call, Relation input) {
      boolean[] noisy = {false};
      AlgebraWalker.expressions(call, expr -> noisy[0] |= isNoisy(expr, input));
      return noisy[0];
    }
  }
}
