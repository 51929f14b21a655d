package flexdp.gateway.engine;

import flexdp.decompose.QueryWithIntervals;
import flexdp.gateway.api.AnalystView;
import flexdp.plan.ErrorModel;
import flexdp.query.DpQuery;
import flexdp.release.Interpreter;
import flexdp.release.RowTable;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Computes an answer from noisy rows, with error bars where they are public (guarantee §8).
 *
 * @param rows the result
 * @param intervals per cell; none when they were not asked for
 * @param barred which columns may have one; in a cell without one it has no end
 * @param note why a noisy column has none
 */
record ConfidenceIntervals(
    List<List<Object>> rows,
    List<List<Optional<AnalystView.Bar>>> intervals,
    Set<Integer> barred,
    String note) {
  ConfidenceIntervals {
    barred = Set.copyOf(barred);
  }

  static ConfidenceIntervals of(
      DpQuery query,
      boolean wanted,
      ErrorModel errors,
      Map<Integer, RowTable> released,
      Function<flexdp.algebra.Relation, RowTable> publicRows) {
    Interpreter interpreter = new Interpreter(released, publicRows, errors);
    if (!wanted) {
      return new ConfidenceIntervals(interpreter.run(query.top()).rows(), List.of(), Set.of(), "");
    }
    QueryWithIntervals withIntervals =
        QueryWithIntervals.of(query, errors::measures, errors::places);
    int width = query.columns().size();
    List<List<Object>> rows = new ArrayList<>();
    List<List<Optional<AnalystView.Bar>>> intervals = new ArrayList<>();
    for (List<Object> row : interpreter.run(withIntervals.top()).rows()) {
      rows.add(java.util.Collections.unmodifiableList(new ArrayList<>(row.subList(0, width))));
      List<Optional<AnalystView.Bar>> bars = new ArrayList<>();
      for (int i = 0; i < width; i++) {
        Optional<Integer> place =
            row.get(i) == null ? Optional.empty() : withIntervals.places().get(i);
        bars.add(place.flatMap(at -> bar(row.get(at), row.get(at + 1))));
      }
      intervals.add(bars);
    }
    Set<Integer> places = new HashSet<>();
    for (int i = 0; i < width; i++) {
      if (withIntervals.places().get(i).isPresent()) {
        places.add(i);
      }
    }
    return new ConfidenceIntervals(rows, intervals, places, withIntervals.note());
  }

  private static Optional<AnalystView.Bar> bar(Object low, Object high) {
    return number(low).flatMap(l -> number(high).map(h -> new AnalystView.Bar(l, h)));
  }

  private static Optional<BigDecimal> number(Object value) {
    return switch (value) {
      case BigDecimal n -> Optional.of(n);
      case Double d -> Optional.of(new BigDecimal(d.toString()));
      case null, default -> Optional.empty();
    };
  }
}
