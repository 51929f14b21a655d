package flexdp.gateway.cache;

import flexdp.budget.Cost;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.ledger.entry.ReleasedAnswer;
import flexdp.gateway.prepare.CostComposition;
import flexdp.gateway.prepare.PreparedQuery;
import flexdp.plan.ErrorModel;
import flexdp.plan.EstimateNoise;
import flexdp.plan.PlannedMeasurement;
import flexdp.plan.PublicNoise;
import flexdp.release.ContributionCap;
import flexdp.release.RowTable;
import java.util.ArrayList;
import java.util.Comparator;
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
 * @param bought the released answers that somebody else has paid for so far, as the analyst's own
 */
public record CacheHit(List<CachedAggregate> points, List<ReleasedAnswer> bought) {
  static CacheHit of(List<CachedAggregate> points, String analyst) {
    Set<ReleasedAnswer> bought = new LinkedHashSet<>();
    for (CachedAggregate point : points) {
      point.columns().stream()
          .map(CachedAggregate.Column::from)
          .filter(answer -> !answer.analyst().equals(analyst))
          .map(answer -> answer.by(analyst)) // what several have bought is bought once
          .forEach(bought::add);
    }
    return new CacheHit(List.copyOf(points), List.copyOf(bought));
  }

  /** Whether the analyst has paid for all of it. */
  public boolean own() {
    return bought.isEmpty();
  }

  /** Whether this very question was answered, in whatever words: the database can be asked it. */
  public boolean isSame() {
    return points.stream().allMatch(CachedAggregate::same);
  }

  /** By release point. */
  public Map<Integer, RowTable> rows() {
    Map<Integer, RowTable> rows = new HashMap<>();
    points.forEach(p -> rows.put(p.point().id(), p.rows()));
    return rows;
  }

  /** What the answers of others cost when they were released; one's own are not paid again. */
  public Cost cost() {
    return CostComposition.sum(bought.stream().map(ReleasedAnswer::cost).toList());
  }

  /** The mechanisms of the noise that is in them, each once. */
  public String mechanism() {
    return points.stream()
        .flatMap(p -> p.columns().stream())
        .map(c -> c.noise().mechanism().name())
        .distinct()
        .collect(Collectors.joining(", "));
  }

  /** How many released numbers were added up for one value, at most. */
  int cells() {
    return points.stream()
        .flatMap(p -> p.columns().stream())
        .mapToInt(CachedAggregate.Column::cells)
        .max()
        .orElse(1);
  }

  /** What is public of the noise that is in them, whatever a new answer would get. */
  public ErrorModel errors() {
    Map<Integer, PublicNoise> known = new HashMap<>();
    Map<Integer, EstimateNoise> fits = new HashMap<>();
    for (CachedAggregate point : points) {
      List<Integer> set = point.point().set().map(flexdp.algebra.Column::id).stream().toList();
      for (CachedAggregate.Column column : point.columns()) {
        int id = column.measurement().output().id();
        column.noise().of(column.cells()).ifPresent(noise -> known.put(id, noise));
        column
            .noise()
            .fit()
            .ifPresent(fit -> fits.put(id, column.isEstimated() ? fit : fit.at(set)));
      }
    }
    return new ErrorModel(known, fits);
  }

  /**
   * An answer that says what it was made of, and of when the data are.
   *
   * @param notes what is said of the question, whoever answers it
   */
  public AnalystView noted(AnalystView view, List<String> notes) {
    Set<String> how = new LinkedHashSet<>(notes);
    List<CachedNotes> told =
        points.stream()
            .flatMap(p -> p.columns().stream())
            .map(CachedAggregate.Column::from)
            .distinct()
            .map(CachedNotes::of)
            .toList();
    List<ContributionCap> caps = new ArrayList<>();
    if (isSame()) {
      told.forEach(t -> how.addAll(t.notes()));
      told.forEach(t -> caps.addAll(t.caps()));
    }
    note().ifPresent(how::add);
    told.stream()
        .flatMap(t -> t.at().stream())
        .min(Comparator.naturalOrder())
        .ifPresent(at -> how.add("of the data as they were at " + at));
    return view.by(mechanism()).noted(List.copyOf(how)).capped(caps);
  }

  /** Whether no error bar is wider than that of a new answer; not where one is private. */
  public boolean isAsNarrowAs(PreparedQuery prepared) {
    for (CachedAggregate point : points) {
      List<PlannedMeasurement> planned = prepared.of(point.point());
      for (int i = 0; i < planned.size(); i++) {
        CachedAggregate.Column column = point.columns().get(i);
        Optional<PublicNoise> there = column.noise().of(column.cells());
        PublicNoise asked = prepared.errors().noise().get(column.measurement().output().id());
        if (asked == null
            || there.isEmpty()
            || there
                    .get()
                    .halfWidth(ErrorModel.CONFIDENCE)
                    .compareTo(asked.halfWidth(ErrorModel.CONFIDENCE))
                > 0) {
          return false;
        }
      }
    }
    return true;
  }

  /** What an analyst should know of how the numbers came about. */
  Optional<String> note() {
    boolean estimated =
        points.stream().flatMap(p -> p.columns().stream()).anyMatch(c -> c.isEstimated());
    if (estimated) {
      return Optional.of("estimated from what was measured for earlier answers");
    }
    return cells() > 1
        ? Optional.of("sums of up to " + cells() + " released bins, with the noise of each")
        : Optional.empty();
  }
}
