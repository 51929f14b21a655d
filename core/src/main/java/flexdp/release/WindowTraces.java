package flexdp.release;

import flexdp.algebra.AggregateCall;
import flexdp.algebra.Expr;
import flexdp.algebra.Linear;
import flexdp.algebra.WindowCall;
import flexdp.algebra.WindowTrace;
import flexdp.compute.Evaluator;
import flexdp.policy.Type;
import java.util.Arrays;
import java.util.Optional;

/**
 * Which draws the values of a window function are made of: those of the row that it shows, or of
 * all rows of a frame. Where rows tie, their order may be that of noisy numbers; nothing is known
 * then of what goes by the place of a row.
 */
final class WindowTraces {
  /** So many rows of frames are added up one by one where they do not make runs. */
  private static final long MOST = 2_000_000;

  private final WindowCall call;
  private final WindowTrace trace;
  private final Rows input;
  private final Arranged arranged;
  private final Evaluator evaluator;
  private final Combining combining;

  WindowTraces(
      WindowCall call,
      WindowTrace trace,
      Rows input,
      Arranged arranged,
      Evaluator evaluator,
      Traced traced) {
    this.call = call;
    this.trace = trace;
    this.input = input;
    this.arranged = arranged;
    this.evaluator = evaluator;
    this.combining = new Combining(input.columns(), traced, evaluator);
  }

  /** By place; null for NULL. */
  Object[] values() {
    Object[] made =
        call.aggregate()
            .<Object[]>map(this::totals)
            .orElseGet(() -> new WindowRanks(call, this::draws, arranged).values());
    boolean byPlace = call.rank().isPresent() || call.frame().isPresent();
    boolean tied = false;
    for (int i = 0; byPlace && i < made.length; i++) {
      tied = i == arranged.start(i) ? arranged.hasTies(i) : tied;
      made[i] = tied ? Combination.UNKNOWN : made[i];
    }
    return made;
  }

  private Combination[] draws(int argument) {
    Combining.OnRow compiled = combining.compile(trace.arguments().get(argument));
    Combination[] all = new Combination[arranged.size()];
    Arrays.setAll(all, i -> compiled.on(input.rows().get(arranged.row(i))));
    return all;
  }

  private Combination[] totals(AggregateCall aggregate) {
    Combination[] values = draws(0);
    Evaluator.Value filter = aggregate.filter().map(evaluator::compile).orElse(row -> true);
    int[] counts = new int[values.length + 1];
    for (int i = 0; i < values.length; i++) {
      if (!Evaluator.isTrue(filter.on(input.rows().get(arranged.row(i))))) {
        values[i] = null;
      }
      counts[i + 1] = counts[i] + (values[i] == null ? 0 : 1);
    }
    FrameEnds ends = new FrameEnds(arranged, call.frame());
    Optional<DrawnCells> cells = DrawnCells.of(values);
    boolean mean = aggregate.kind() == AggregateCall.Kind.AVG;
    double[] slack = rounding(values);
    Combination[] all = new Combination[values.length];
    long room = MOST;
    for (int i = 0; i < all.length; i++) {
      int from = ends.from(i);
      int to = ends.to(i);
      int count = counts[to] - counts[from];
      if (count == 0) {
        continue;
      }
      room -= cells.isPresent() ? 0 : to - from;
      Combination sum =
          cells.isPresent()
              ? cells.get().sum(from, to)
              : room < 0 ? Combination.UNKNOWN : sum(values, from, to);
      sum = mean ? sum.times(1.0 / count) : sum;
      all[i] = sum.rounded((slack[to] - slack[from]) / (mean ? count : 1) + last(mean));
    }
    return all;
  }

  private static Combination sum(Combination[] values, int from, int to) {
    Combination sum = Combination.EXACT;
    for (int i = from; i < to; i++) {
      sum = values[i] == null ? sum : sum.plus(values[i]);
    }
    return sum;
  }

  /** What the last step rounds away, for numbers that are not floating-point. */
  private double last(boolean mean) {
    Type type = call.output().type();
    Expr argument = trace.arguments().getFirst();
    boolean whole = !mean && Combining.holds(type, Combining.scale(argument));
    return whole || type.kind() == Type.Kind.DOUBLE ? 0 : Linear.rounding(type);
  }

  /** Floating-point totals are rounded once; so a part of each value is enough. */
  private double[] rounding(Combination[] values) {
    double[] before = new double[values.length + 1];
    if (call.output().type().kind() != Type.Kind.DOUBLE) {
      return before;
    }
    Evaluator.Value value = evaluator.compile(trace.arguments().getFirst());
    double part = Linear.rounding(call.output().type());
    for (int i = 0; i < values.length; i++) {
      double size =
          Span.number(value.on(input.rows().get(arranged.row(i))))
              .map(n -> Math.abs(n.doubleValue()))
              .orElse(0.0);
      before[i + 1] = before[i] + part * (1 + size);
    }
    return before;
  }
}
