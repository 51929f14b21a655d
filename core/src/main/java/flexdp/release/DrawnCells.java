package flexdp.release;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The draws that stand at the places of an arrangement: of one measurement, at most one at each
 * place, none at two. Totals over frames are then runs of places, however many rows there are.
 */
final class DrawnCells {
  private static final int NONE = -1;

  private final int drawn;
  private final double factor;
  private final int[] cells;
  private final int[] before;
  private final double[] slack;
  private Map<Integer, Integer> places;

  private DrawnCells(int drawn, double factor, int[] cells, int[] before, double[] slack) {
    this.drawn = drawn;
    this.factor = factor;
    this.cells = cells;
    this.before = before;
    this.slack = slack;
  }

  /**
   * Empty where the values are made of several draws, or of one in several ways.
   *
   * @param values by place; null for NULL
   */
  static Optional<DrawnCells> of(NoiseCombination[] values) {
    int[] cells = new int[values.length];
    int[] before = new int[values.length + 1];
    double[] slack = new double[values.length + 1];
    NoiseCombination.Cell first = null;
    Map<Integer, Integer> seen = new HashMap<>();
    for (int i = 0; i < values.length; i++) {
      cells[i] = NONE;
      NoiseCombination value = values[i];
      boolean drawn = value != null && !value.parts().isEmpty();
      if (value != null && value.isUnknown()) {
        return Optional.empty();
      }
      if (drawn) {
        if (value.parts().size() != 1
            || !(value.parts().getFirst() instanceof NoiseCombination.Cell cell)) {
          return Optional.empty();
        }
        first = first == null ? cell : first;
        if (cell.drawn() != first.drawn()
            || cell.factor() != first.factor()
            || seen.put(cell.cell(), i) != null) {
          return Optional.empty();
        }
        cells[i] = cell.cell();
      }
      before[i + 1] = before[i] + (drawn ? 1 : 0);
      slack[i + 1] = slack[i] + (value == null ? 0 : value.slack());
    }
    return Optional.ofNullable(first)
        .map(f -> new DrawnCells(f.drawn(), f.factor(), cells, before, slack));
  }

  int drawn() {
    return drawn;
  }

  /** How many draws stand there. */
  int count(int from, int to) {
    return before[to] - before[from];
  }

  /** Their sum. */
  NoiseCombination sum(int from, int to) {
    return new NoiseCombination(
        List.of(new NoiseCombination.Run(this, from, to, factor)),
        Math.max(0, slack[to] - slack[from]) * (1 + 1e-9));
  }

  List<Integer> between(int from, int to) {
    return IntStream.range(from, to).filter(i -> cells[i] != NONE).mapToObj(i -> cells[i]).toList();
  }

  /** Where a draw stands. */
  Optional<Integer> place(int cell) {
    if (places == null) {
      places = new HashMap<>();
      for (int i = 0; i < cells.length; i++) {
        if (cells[i] != NONE) {
          places.put(cells[i], i);
        }
      }
    }
    return Optional.ofNullable(places.get(cell));
  }
}
