package flexdp.release;

import flexdp.algebra.Column;
import flexdp.algebra.Relation;
import flexdp.plan.ErrorModel;
import flexdp.plan.SummedNoise;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Says which draws a value of a row is made of. Whoever computes rows tells of the columns that say
 * so, before anything is computed from the rows.
 */
final class NoiseLineage {
  /** A column that shows a measurement, and the column with the number of its row. */
  private record Shown(int drawn, int cell) {}

  private final ErrorModel errors;
  private final SummedNoise law;
  private final int groups;
  private final Map<Integer, Shown> measurements = new HashMap<>();
  private final Map<Integer, Integer> windows = new HashMap<>();

  NoiseLineage(ErrorModel errors) {
    this(errors, 1);
  }

  /**
   * @param groups how many rows one release point has, at most
   */
  NoiseLineage(ErrorModel errors, int groups) {
    this.groups = Math.max(1, groups);
    this.errors = errors;
    this.law = new SummedNoise(errors);
  }

  /** Among so many groups noise alone fills some that are empty. */
  int groups() {
    return groups;
  }

  void see(Relation.Released released) {
    int at = released.of().lastIndexOf(Relation.Released.CELL);
    for (int i = 0; at >= 0 && i < released.of().size(); i++) {
      int cell = released.columns().get(at).id();
      measurements.put(released.columns().get(i).id(), new Shown(released.of().get(i), cell));
    }
  }

  void see(Relation.Window window) {
    window.traces().forEach(trace -> windows.put(trace.of(), trace.output().id()));
  }

  /** Whether a column shows the value of a window function whose draws are known. */
  boolean isWindow(int column) {
    return windows.containsKey(column);
  }

  /** Whether a column shows noise. */
  boolean isNoisy(int column) {
    return isWindow(column) || errors.measures(column);
  }

  /** What a noisy column is made of, row by row; null for NULL. */
  NoiseCombiner.OnRow of(int column, List<Column> columns) {
    if (isWindow(column)) {
      int place = RowTable.index(columns, windows.get(column));
      return row -> (NoiseCombination) row.get(place);
    }
    Shown shown = measurements.get(column);
    if (shown == null) {
      throw new IllegalArgumentException("nobody knows the draws of column " + column);
    }
    int value = RowTable.index(columns, column);
    int cell = RowTable.index(columns, shown.cell());
    return row ->
        row.get(value) == null || row.get(cell) == null
            ? null
            : NoiseCombination.of(shown.drawn(), ((BigDecimal) row.get(cell)).intValueExact());
  }

  /** Around a noisy value; empty where its draws are too many to tell. */
  Optional<ValueInterval> span(BigDecimal value, NoiseCombination combination, int together) {
    if (combination.isUnknown()) {
      return Optional.empty();
    }
    return combination
        .terms()
        .map(
            terms -> {
              SummedNoise.Width width = law.width(terms, together);
              BigDecimal slack = new BigDecimal(combination.slack());
              BigDecimal more =
                  slack.signum() == 0
                      ? slack
                      : slack.add(width.below().max(width.above()).scaleByPowerOfTen(-12));
              return ValueInterval.of(
                  value.subtract(width.below()).subtract(more), value.add(width.above()).add(more));
            });
  }
}
