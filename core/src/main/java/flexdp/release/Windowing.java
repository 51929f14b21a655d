package flexdp.release;

import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import flexdp.algebra.SortKey;
import flexdp.algebra.WindowCall;
import flexdp.algebra.WindowTrace;
import flexdp.compute.Conversion;
import flexdp.compute.Evaluator;
import flexdp.plan.Errors;
import flexdp.policy.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Window functions over noisy rows. Rows are sorted once for all functions of one order. */
final class Windowing {
  /** What rows are sorted by. */
  private record Sorted(List<Expr> partition, List<SortKey> order) {}

  private final Rows input;
  private final Evaluator evaluator;
  private final Traced traced;
  private final Map<Sorted, Arranged> arrangements = new HashMap<>();

  Windowing(Rows input, Errors errors, Traced traced) {
    this.input = input;
    this.traced = traced;
    this.evaluator = new Evaluator(input.columns(), Spans.ends(errors, traced));
  }

  /** Each row with the values of the functions, in the order in which the rows came. */
  Rows rows(Relation.Window window) {
    List<List<Object>> rows = new ArrayList<>(input.rows().size());
    int width = window.columns().size();
    for (List<Object> row : input.rows()) {
      List<Object> wider = new ArrayList<>(width);
      wider.addAll(row);
      rows.add(wider);
    }
    for (WindowCall call : window.calls()) {
      Arranged arranged = arranged(call.partition(), call.order());
      add(values(call, arranged), call.output().type(), arranged, rows);
    }
    for (WindowTrace trace : window.traces()) {
      WindowCall call =
          window.calls().stream()
              .filter(c -> c.output().id() == trace.of())
              .findFirst()
              .orElseThrow();
      Arranged arranged = arranged(call.partition(), call.order());
      WindowTraces traces = new WindowTraces(call, trace, input, arranged, evaluator, traced);
      add(traces.values(), trace.output().type(), arranged, rows);
    }
    traced.see(window);
    return new Rows(window.columns(), rows);
  }

  private static void add(Object[] values, Type type, Arranged arranged, List<List<Object>> rows) {
    Object[] byRow = new Object[values.length];
    for (int place = 0; place < values.length; place++) {
      byRow[arranged.row(place)] = Conversion.to(type, values[place]);
    }
    for (int i = 0; i < byRow.length; i++) {
      rows.get(i).add(byRow[i]);
    }
  }

  /** The first rows of each partition. */
  Rows rows(Relation.TopRows top) {
    Arranged arranged = arranged(top.partition(), top.order());
    boolean[] kept = new boolean[arranged.size()];
    for (int place = 0; place < kept.length; place++) {
      kept[arranged.row(place)] = place - arranged.start(place) < top.count();
    }
    List<List<Object>> rows = new ArrayList<>();
    for (int i = 0; i < kept.length; i++) {
      if (kept[i]) {
        rows.add(input.rows().get(i));
      }
    }
    return new Rows(top.columns(), rows);
  }

  private Arranged arranged(List<Expr> partition, List<SortKey> order) {
    return arrangements.computeIfAbsent(
        new Sorted(partition, order), s -> Arranged.of(input, evaluator, partition, order));
  }

  private Object[] values(WindowCall call, Arranged arranged) {
    return call.aggregate()
        .map(
            a ->
                new WindowTotals(a, input, evaluator, arranged)
                    .over(new FrameEnds(arranged, call.frame())))
        .orElseGet(() -> new WindowRanks(call, input, evaluator, arranged).values());
  }
}
