package flexdp.release;

import flexdp.algebra.AggregateCall;
import flexdp.algebra.Expr;
import flexdp.algebra.Linearity;
import flexdp.algebra.Relation;
import flexdp.algebra.SortKey;
import flexdp.algebra.WindowCall;
import flexdp.algebra.WindowTrace;
import flexdp.compute.Evaluator;
import flexdp.compute.ValueConversion;
import flexdp.compute.ValueOrdering;
import flexdp.plan.ErrorModel;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Window functions over noisy rows. Rows are sorted once for all functions of one order. */
final class WindowEvaluation {
  /** What rows are sorted by. */
  private record Sorted(List<Expr> partition, List<SortKey> order) {}

  private final RowTable input;
  private final Evaluator evaluator;
  private final NoiseLineage lineage;
  private final Map<Sorted, WindowPartitions> arrangements = new HashMap<>();

  WindowEvaluation(RowTable input, ErrorModel errors, NoiseLineage lineage) {
    this.input = input;
    this.lineage = lineage;
    this.evaluator = new Evaluator(input.columns(), IntervalPropagation.ends(errors, lineage));
  }

  /** Each row with the values of the functions, in the order in which the rows came. */
  RowTable rows(Relation.Window window) {
    List<List<Object>> rows = new ArrayList<>(input.rows().size());
    int width = window.columns().size();
    for (List<Object> row : input.rows()) {
      List<Object> wider = new ArrayList<>(width);
      wider.addAll(row);
      rows.add(wider);
    }
    for (WindowCall call : window.calls()) {
      WindowPartitions partitions = arranged(call.partition(), call.order());
      add(values(call, partitions), call.output().type(), partitions, rows);
    }
    for (WindowTrace trace : window.traces()) {
      WindowCall call =
          window.calls().stream()
              .filter(c -> c.output().id() == trace.of())
              .findFirst()
              .orElseThrow();
      WindowPartitions partitions = arranged(call.partition(), call.order());
      WindowTraces traces = new WindowTraces(call, trace, input, partitions, evaluator, lineage);
      add(traces.values(), trace.output().type(), partitions, rows);
    }
    lineage.see(window);
    return new RowTable(window.columns(), rows);
  }

  private static void add(
      Object[] values, Type type, WindowPartitions partitions, List<List<Object>> rows) {
    Object[] byRow = new Object[values.length];
    for (int place = 0; place < values.length; place++) {
      byRow[partitions.row(place)] = ValueConversion.to(type, values[place]);
    }
    for (int i = 0; i < byRow.length; i++) {
      rows.get(i).add(byRow[i]);
    }
  }

  /** The first rows of each partition. */
  RowTable rows(Relation.TopRows top) {
    WindowPartitions partitions = arranged(top.partition(), top.order());
    boolean[] kept = new boolean[partitions.size()];
    for (int place = 0; place < kept.length; place++) {
      kept[partitions.row(place)] = place - partitions.start(place) < top.count();
    }
    List<List<Object>> rows = new ArrayList<>();
    for (int i = 0; i < kept.length; i++) {
      if (kept[i]) {
        rows.add(input.rows().get(i));
      }
    }
    return new RowTable(top.columns(), rows);
  }

  private WindowPartitions arranged(List<Expr> partition, List<SortKey> order) {
    return arrangements.computeIfAbsent(
        new Sorted(partition, order), s -> WindowPartitions.of(input, evaluator, partition, order));
  }

  private Object[] values(WindowCall call, WindowPartitions partitions) {
    return call.aggregate()
        .map(
            a ->
                new WindowTotals(a, input, evaluator, partitions)
                    .over(new FrameEnds(partitions, call.frame())))
        .orElseGet(() -> new WindowRanks(call, input, evaluator, partitions).values());
  }

  /**
   * Aggregates over frames. Totals are differences of running totals, which are exact:
   * floating-point numbers are added up as the numbers that they are, and rounded once. Extremes
   * slide.
   */
  private static final class WindowTotals {
    private static final MathContext DIGITS = new MathContext(60, RoundingMode.HALF_EVEN);

    private final AggregateCall call;

    /** By place; null for rows that FILTER leaves out and for NULL. */
    private final Object[] values;

    /** How many values stand before a place. */
    private final int[] counts;

    WindowTotals(
        AggregateCall call, RowTable input, Evaluator evaluator, WindowPartitions partitions) {
      if (call.distinct()) {
        throw new IllegalArgumentException("DISTINCT has no rule in a window over noisy rows");
      }
      this.call = call;
      Evaluator.Value argument = call.argument().map(evaluator::compile).orElse(row -> true);
      Evaluator.Value filter = call.filter().map(evaluator::compile).orElse(row -> true);
      values = new Object[partitions.size()];
      counts = new int[values.length + 1];
      for (int i = 0; i < values.length; i++) {
        var row = input.rows().get(partitions.row(i));
        values[i] = Evaluator.isTrue(filter.on(row)) ? argument.on(row) : null;
        counts[i + 1] = counts[i] + (values[i] == null ? 0 : 1);
      }
    }

    /** By place. */
    Object[] over(FrameEnds ends) {
      return switch (call.kind()) {
        case COUNT -> each(ends, (from, to) -> BigDecimal.valueOf(counts[to] - counts[from]));
        case MIN -> extremes(ends, -1);
        case MAX -> extremes(ends, 1);
        case SUM -> {
          BigDecimal[] sums = running(n -> n);
          yield each(ends, (from, to) -> count(from, to) == 0 ? null : between(sums, from, to));
        }
        case AVG -> {
          BigDecimal[] sums = running(n -> n);
          yield each(ends, (from, to) -> divided(between(sums, from, to), count(from, to)));
        }
        case VAR_POP, VAR_SAMP, STDDEV_POP, STDDEV_SAMP -> spreads(ends);
        case QUANTILE, MODE, TEXTS ->
            throw new IllegalArgumentException("quantiles and lists have no rule here");
      };
    }

    private interface OverFrame {
      Object of(int from, int to);
    }

    private Object[] each(FrameEnds ends, OverFrame value) {
      Object[] all = new Object[values.length];
      for (int i = 0; i < all.length; i++) {
        all[i] = value.of(ends.from(i), ends.to(i));
      }
      return all;
    }

    private int count(int from, int to) {
      return counts[to] - counts[from];
    }

    private BigDecimal[] running(UnaryOperator<BigDecimal> term) {
      BigDecimal[] sums = new BigDecimal[values.length + 1];
      sums[0] = BigDecimal.ZERO;
      for (int i = 0; i < values.length; i++) {
        sums[i + 1] = values[i] == null ? sums[i] : sums[i].add(term.apply(number(values[i])));
      }
      return sums;
    }

    private static BigDecimal number(Object value) {
      return value instanceof Double d ? new BigDecimal(d) : (BigDecimal) value;
    }

    private static BigDecimal between(BigDecimal[] sums, int from, int to) {
      return sums[to].subtract(sums[from]);
    }

    private static BigDecimal divided(BigDecimal sum, int by) {
      return by <= 0 ? null : sum.divide(BigDecimal.valueOf(by), DIGITS);
    }

    private Object[] spreads(FrameEnds ends) {
      boolean sample =
          call.kind() == AggregateCall.Kind.VAR_SAMP
              || call.kind() == AggregateCall.Kind.STDDEV_SAMP;
      boolean root =
          call.kind() == AggregateCall.Kind.STDDEV_POP
              || call.kind() == AggregateCall.Kind.STDDEV_SAMP;
      BigDecimal[] sums = running(n -> n);
      BigDecimal[] squares = running(n -> n.multiply(n));
      return each(
          ends,
          (from, to) -> {
            int count = count(from, to);
            BigDecimal sum = between(sums, from, to);
            // count·Σx² − (Σx)² is exact and never negative.
            BigDecimal spread =
                between(squares, from, to)
                    .multiply(BigDecimal.valueOf(count))
                    .subtract(sum.multiply(sum));
            BigDecimal variance = divided(divided(spread, count), sample ? count - 1 : count);
            return variance == null || !root ? variance : variance.sqrt(DIGITS);
          });
    }

    /** The best value of each frame: only those that no later one of the frame beats are kept. */
    private Object[] extremes(FrameEnds ends, int sign) {
      Object[] all = new Object[values.length];
      ArrayDeque<Integer> best = new ArrayDeque<>();
      int read = 0;
      for (int i = 0; i < all.length; i++) {
        for (; read < ends.to(i); read++) {
          Object value = values[read];
          if (value == null) {
            continue;
          }
          while (!best.isEmpty()
              && sign * ValueOrdering.compare(value, values[best.peekLast()]) >= 0) {
            best.pollLast();
          }
          best.addLast(read);
        }
        while (!best.isEmpty() && best.peekFirst() < ends.from(i)) {
          best.pollFirst();
        }
        all[i] = best.isEmpty() ? null : values[best.peekFirst()];
      }
      return all;
    }
  }

  /**
   * Which draws the values of a window function are made of: those of the row that it shows, or of
   * all rows of a frame. Where rows tie, their order may be that of noisy numbers; nothing is known
   * then of what goes by the place of a row.
   */
  private static final class WindowTraces {
    /** How many rows of frames are added up one by one where they do not make runs. */
    private static final long MOST = 2_000_000;

    private final WindowCall call;
    private final WindowTrace trace;
    private final RowTable input;
    private final WindowPartitions partitions;
    private final Evaluator evaluator;
    private final NoiseCombiner combining;

    WindowTraces(
        WindowCall call,
        WindowTrace trace,
        RowTable input,
        WindowPartitions partitions,
        Evaluator evaluator,
        NoiseLineage lineage) {
      this.call = call;
      this.trace = trace;
      this.input = input;
      this.partitions = partitions;
      this.evaluator = evaluator;
      this.combining = new NoiseCombiner(input.columns(), lineage, evaluator);
    }

    /** By place; null for NULL. */
    Object[] values() {
      Object[] made =
          call.aggregate()
              .<Object[]>map(this::totals)
              .orElseGet(() -> new WindowRanks(call, this::draws, partitions).values());
      boolean byPlace = call.rank().isPresent() || call.frame().isPresent();
      boolean tied = false;
      for (int i = 0; byPlace && i < made.length; i++) {
        tied = i == partitions.start(i) ? partitions.hasTies(i) : tied;
        made[i] = tied ? NoiseCombination.UNKNOWN : made[i];
      }
      return made;
    }

    private NoiseCombination[] draws(int argument) {
      NoiseCombiner.OnRow compiled = combining.compile(trace.arguments().get(argument));
      NoiseCombination[] all = new NoiseCombination[partitions.size()];
      Arrays.setAll(all, i -> compiled.on(input.rows().get(partitions.row(i))));
      return all;
    }

    private NoiseCombination[] totals(AggregateCall aggregate) {
      NoiseCombination[] values = draws(0);
      Evaluator.Value filter = aggregate.filter().map(evaluator::compile).orElse(row -> true);
      int[] counts = new int[values.length + 1];
      for (int i = 0; i < values.length; i++) {
        if (!Evaluator.isTrue(filter.on(input.rows().get(partitions.row(i))))) {
          values[i] = null;
        }
        counts[i + 1] = counts[i] + (values[i] == null ? 0 : 1);
      }
      FrameEnds ends = new FrameEnds(partitions, call.frame());
      Optional<DrawnCells> cells = DrawnCells.of(values);
      boolean mean = aggregate.kind() == AggregateCall.Kind.AVG;
      double[] slack = rounding(values);
      NoiseCombination[] all = new NoiseCombination[values.length];
      long room = MOST;
      for (int i = 0; i < all.length; i++) {
        int from = ends.from(i);
        int to = ends.to(i);
        int count = counts[to] - counts[from];
        if (count == 0) {
          continue;
        }
        room -= cells.isPresent() ? 0 : to - from;
        NoiseCombination sum =
            cells.isPresent()
                ? cells.get().sum(from, to)
                : room < 0 ? NoiseCombination.UNKNOWN : sum(values, from, to);
        sum = mean ? sum.times(1.0 / count) : sum;
        all[i] = sum.rounded((slack[to] - slack[from]) / (mean ? count : 1) + last(mean));
      }
      return all;
    }

    private static NoiseCombination sum(NoiseCombination[] values, int from, int to) {
      NoiseCombination sum = NoiseCombination.EXACT;
      for (int i = from; i < to; i++) {
        sum = values[i] == null ? sum : sum.plus(values[i]);
      }
      return sum;
    }

    /** What the last step rounds away, for numbers that are not floating-point. */
    private double last(boolean mean) {
      Type type = call.output().type();
      Expr argument = trace.arguments().getFirst();
      boolean whole = !mean && NoiseCombiner.holds(type, NoiseCombiner.scale(argument));
      return whole || type.kind() == Type.Kind.DOUBLE ? 0 : Linearity.rounding(type);
    }

    /** Floating-point totals are rounded once; so a part of each value is enough. */
    private double[] rounding(NoiseCombination[] values) {
      double[] before = new double[values.length + 1];
      if (call.output().type().kind() != Type.Kind.DOUBLE) {
        return before;
      }
      Evaluator.Value value = evaluator.compile(trace.arguments().getFirst());
      double part = Linearity.rounding(call.output().type());
      for (int i = 0; i < values.length; i++) {
        double size =
            ValueInterval.number(value.on(input.rows().get(partitions.row(i))))
                .map(n -> Math.abs(n.doubleValue()))
                .orElse(0.0);
        before[i + 1] = before[i] + part * (1 + size);
      }
      return before;
    }
  }
}
