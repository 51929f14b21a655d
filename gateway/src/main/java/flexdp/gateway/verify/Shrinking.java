package flexdp.gateway.verify;

import flexdp.policy.ColumnSpec;
import flexdp.policy.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Takes rows away from a counterexample as long as it remains one. */
final class Shrinking {
  /** So many rows are taken away one by one, with every neighbour tried again. */
  private static final int FEW = 10;

  /** Into so many pieces a crowd is cut at most. */
  private static final int PIECES = 32;

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
    State more = neighbour.state().without(state);
    State thin = thinned(state, s -> alike(s, s.and(neighbour.state()).or(more)).isPresent());
    least = alike(thin, thin.and(neighbour.state()).or(more)).orElse(least);
    boolean smaller = least.state().rows() <= FEW;
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
    return shown(least.state(), least.neighbour(), least.what());
  }

  /** What a pair breaks, if the two are neighbours at all. */
  private Optional<Found> alike(State state, State other) {
    return Neighbour.all(data, state, policy, trial.units()).stream()
        .filter(n -> n.state().equals(other))
        .findFirst()
        .flatMap(n -> judged(state, trial.read(state), n));
  }

  private Optional<Found> judged(State state, Trial.Outcome here, Neighbour next) {
    return Judgement.of(here, trial.read(next.state()), next.unit())
        .broken()
        .map(what -> new Found(state, next, what));
  }

  /**
   * Takes rows away, many at a time at first, as long as something still holds. A crowd that is
   * needed is not tried row by row.
   */
  private State thinned(State state, Predicate<State> still) {
    State least = state;
    int first = Math.max(1, state.rows() / 2);
    for (int chunk = first; chunk > 0 && chunk * PIECES >= least.rows(); chunk /= 2) {
      List<State> alone = fewer(least);
      for (int from = 0; from < alone.size(); from += chunk) {
        State fewer = least;
        for (State without : alone.subList(from, Math.min(alone.size(), from + chunk))) {
          fewer = fewer.and(without);
        }
        if (still.test(fewer)) {
          least = fewer;
        }
      }
    }
    return least;
  }

  private Optional<Found> found(State state) {
    Trial.Outcome here = trial.read(state);
    return Neighbour.all(data, state, policy, trial.units()).stream()
        .flatMap(next -> judged(state, here, next).stream())
        .findFirst();
  }

  /** A state in which reading fails, though it does not in the empty one. */
  Verified.Counterexample failing(State state, String why) {
    State least = thinned(state, fewer -> trial.read(fewer) instanceof Trial.Failed);
    String words = trial.read(least) instanceof Trial.Failed(String still) ? still : why;
    return new Verified.Counterexample(
        "it fails on these rows and not without any of them: " + words, whole(least), List.of());
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

  Verified.Counterexample shown(State state, Neighbour neighbour, String what) {
    List<String> differ = new ArrayList<>(List.of(neighbour.what()));
    rows(state, neighbour.state(), false).forEach(row -> differ.add("- " + row));
    rows(neighbour.state(), state, false).forEach(row -> differ.add("+ " + row));
    return new Verified.Counterexample(what, whole(state), differ);
  }

  private List<String> whole(State state) {
    List<String> lines = new ArrayList<>(trial.stored());
    lines.addAll(rows(state, state, true));
    return lines;
  }

  /**
   * @param all or only those that the other does not have
   */
  private List<String> rows(State state, State other, boolean all) {
    List<String> lines = new ArrayList<>();
    for (int t = 0; t < data.tables().size(); t++) {
      MadeUp.Rows rows = data.tables().get(t);
      int shown = 0;
      for (int r = 0; r < rows.rows().size(); r++) {
        if (state.has(t, r) && (all || !other.has(t, r))) {
          if (shown++ < FEW) {
            lines.add(line(rows, r));
          }
        }
      }
      if (shown > FEW) {
        lines.add(rows.table().name() + ": and " + (shown - FEW) + " more rows, much alike");
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
