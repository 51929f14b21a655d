package flexdp.gateway;

import flexdp.budget.Cost;
import flexdp.gateway.ledger.ReleasedAnswer;
import flexdp.plan.Planned;
import flexdp.release.Rows;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Rows that were released, or follow from such, for every release point of a question.
 *
 * @param answers the released answers that they come from
 * @param own whether the analyst has paid for all of them
 */
record Found(List<FoundPoint> points, List<ReleasedAnswer> answers, boolean own) {
  static Found of(List<FoundPoint> points, String analyst) {
    Set<ReleasedAnswer> answers = new LinkedHashSet<>();
    points.forEach(p -> p.columns().forEach(c -> answers.add(c.from())));
    return new Found(
        List.copyOf(points),
        List.copyOf(answers),
        answers.stream().allMatch(a -> a.analyst().equals(analyst)));
  }

  /** By release point. */
  Map<Integer, Rows> rows() {
    Map<Integer, Rows> rows = new HashMap<>();
    points.forEach(p -> rows.put(p.point().id(), p.rows()));
    return rows;
  }

  /** What the answers cost when they were released. */
  Cost cost() {
    return Costs.sum(answers.stream().map(ReleasedAnswer::cost).toList());
  }

  /** The same answers, paid for by another analyst. */
  List<ReleasedAnswer> by(String analyst) {
    return answers.stream().map(a -> a.by(analyst)).toList();
  }

  /** The mechanisms of the noise that is in them, each once. */
  String mechanism() {
    return points.stream()
        .flatMap(p -> p.columns().stream())
        .map(c -> c.noise().mechanism())
        .distinct()
        .collect(Collectors.joining(", "));
  }

  /** How many released numbers were added up for one value, at most. */
  int cells() {
    return points.stream()
        .flatMap(p -> p.columns().stream())
        .mapToInt(FoundPoint.Column::cells)
        .max()
        .orElse(1);
  }

  /** An answer that says what it was made of, with error bars where they are wide enough. */
  AnalystView noted(AnalystView view, Prepared prepared) {
    boolean covered = points.stream().allMatch(p -> isCovered(p, prepared.of(p.point())));
    return new AnalystView(
        view.columns(),
        view.rows(),
        view.epsilon(),
        view.delta(),
        mechanism(),
        covered
            ? view.intervals()
            : view.columns().stream().map(c -> Optional.<BigDecimal>empty()).toList(),
        covered ? view.intervalNote() : "the noise is that of earlier answers",
        view.repeat(),
        note());
  }

  /** Whether the noise of a new answer would be no less than the noise that is there. */
  private static boolean isCovered(FoundPoint point, List<Planned> planned) {
    for (int i = 0; i < planned.size(); i++) {
      FoundPoint.Column column = point.columns().get(i);
      Optional<BigDecimal> there = column.noise().halfWidth(column.cells());
      Optional<BigDecimal> shown = KeptNoise.of("", planned.get(i)).halfWidth(1);
      if (shown.isPresent() && !(there.isPresent() && there.get().compareTo(shown.get()) <= 0)) {
        return false;
      }
    }
    return true;
  }

  /** What an analyst should know of how the numbers came about. */
  Optional<String> note() {
    return cells() > 1
        ? Optional.of("sums of up to " + cells() + " released bins, with the noise of each")
        : Optional.empty();
  }
}
