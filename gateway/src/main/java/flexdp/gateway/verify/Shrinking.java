package flexdp.gateway.verify;

import flexdp.policy.ColumnSpec;
import flexdp.policy.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Takes rows away from a counterexample as long as it remains one. */
final class Shrinking {
  private final Trial trial;
  private final Policy policy;
  private final MadeUp data;

  Shrinking(Trial trial, Policy policy, MadeUp data) {
    this.trial = trial;
    this.policy = policy;
    this.data = data;
  }

  private record Found(State state, Neighbour neighbour, String what) {}

  Verified.Counterexample smallest(State state, Neighbour neighbour, Judgement judgement) {
    Found least = new Found(state, neighbour, judgement.broken().orElseThrow());
    boolean smaller = true;
    while (smaller) {
      smaller = false;
      for (State fewer : fewer(least.state())) {
        Optional<Found> found = found(fewer);
        if (found.isPresent()) {
          least = found.get();
          smaller = true;
          break;
        }
      }
    }
    return shown(data, least.state(), least.neighbour(), least.what());
  }

  private Optional<Found> found(State state) {
    Trial.Outcome here = trial.read(state);
    for (Neighbour next : Neighbour.all(data, state, policy, trial.units())) {
      Judgement judgement = Judgement.of(here, trial.read(next.state()), next.unit());
      if (judgement.broken().isPresent()) {
        return Optional.of(new Found(state, next, judgement.broken().get()));
      }
    }
    return Optional.empty();
  }

  /** A state in which reading fails, though it does not in the empty one. */
  Verified.Counterexample failing(State state, String why) {
    State least = state;
    boolean smaller = true;
    String words = why;
    while (smaller) {
      smaller = false;
      for (State fewer : fewer(least)) {
        if (trial.read(fewer) instanceof Trial.Failed(String still)) {
          least = fewer;
          words = still;
          smaller = true;
          break;
        }
      }
    }
    return new Verified.Counterexample(
        "it fails on these rows and not without any of them: " + words,
        rows(data, least, data.empty(), true),
        List.of());
  }

  private List<State> fewer(State state) {
    List<State> all = new ArrayList<>();
    for (int t = 0; t < data.tables().size(); t++) {
      for (int r = 0; r < data.tables().get(t).rows().size(); r++) {
        if (data.tables().get(t).table().isProtected() && state.has(t, r)) {
          all.add(state.flipped(t, r));
        }
      }
    }
    return all;
  }

  static Verified.Counterexample shown(MadeUp data, State state, Neighbour neighbour, String what) {
    List<String> differ = new ArrayList<>(List.of(neighbour.what()));
    rows(data, state, neighbour.state(), false).forEach(row -> differ.add("- " + row));
    rows(data, neighbour.state(), state, false).forEach(row -> differ.add("+ " + row));
    return new Verified.Counterexample(what, rows(data, state, state, true), differ);
  }

  /**
   * @param all or only those that the other does not have
   */
  private static List<String> rows(MadeUp data, State state, State other, boolean all) {
    List<String> lines = new ArrayList<>();
    for (int t = 0; t < data.tables().size(); t++) {
      MadeUp.Rows rows = data.tables().get(t);
      for (int r = 0; r < rows.rows().size(); r++) {
        if (state.has(t, r) && (all || !other.has(t, r))) {
          lines.add(line(rows, r));
        }
      }
    }
    return lines;
  }

  private static String line(MadeUp.Rows rows, int row) {
    List<String> cells = new ArrayList<>();
    for (ColumnSpec column : rows.table().columns()) {
      cells.add(column.name() + "=" + rows.value(row, column.name()));
    }
    return rows.table().name() + ": " + String.join(", ", cells);
  }
}
