package flexdp.gateway.api;

import flexdp.query.DpQuery;
import flexdp.release.ContributionCap;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * An answer as an analyst may see it. Nothing in it depends on the data but through noise.
 *
 * @param rows values by column; NULL is null
 * @param intervals per cell, when they were asked for: where its value without noise lies with
 *     probability 95 %; present where the scale of the noise is public
 * @param repeat whether this is an earlier answer given again, or follows from such
 * @param notes what should be known beside the numbers; every door shows them
 * @param rho what was spent where squares of ε add up: half of their sum
 * @param ranges that were found for it
 * @param caps of what people contribute to it
 */
public record AnalystView(
    List<DpQuery.ResultColumn> columns,
    List<List<Object>> rows,
    BigDecimal epsilon,
    BigDecimal delta,
    String mechanism,
    List<List<Optional<Bar>>> intervals,
    boolean repeat,
    List<Note> notes,
    Optional<BigDecimal> rho,
    List<FoundRange> ranges,
    List<ContributionCap> caps) {
  /** Whose ranges were declared, or which needs none. */
  public AnalystView(
      List<DpQuery.ResultColumn> columns,
      List<List<Object>> rows,
      BigDecimal epsilon,
      BigDecimal delta,
      String mechanism,
      List<List<Optional<Bar>>> intervals,
      boolean repeat,
      List<Note> notes,
      Optional<BigDecimal> rho) {
    this(
        columns, rows, epsilon, delta, mechanism, intervals, repeat, notes, rho, List.of(),
        List.of());
  }

  /** An error bar of one cell, of which both ends belong to it. */
  public record Bar(BigDecimal low, BigDecimal high) {}

  public AnalystView {
    columns = List.copyOf(columns);
    rows = Collections.unmodifiableList(rows);
    intervals = List.copyOf(intervals);
    notes = List.copyOf(notes);
    ranges = List.copyOf(ranges);
    caps = List.copyOf(caps);
  }

  /** The error bar of a cell, by row and column. */
  public Optional<Bar> interval(int row, int column) {
    return intervals.isEmpty() ? Optional.empty() : intervals.get(row).get(column);
  }

  public Spent spent() {
    return new Spent(epsilon, delta, rho, mechanism, repeat);
  }

  /** Whether some cell of a column has an error bar. */
  public boolean hasIntervals(int column) {
    return intervals.stream().anyMatch(row -> row.get(column).isPresent());
  }

  /** How the numbers came about, where that is more than noise of a known scale. */
  public Optional<String> derived() {
    return Optional.of(said(Note.Code.HOW)).filter(text -> !text.isEmpty());
  }

  /** Why some noisy column has no interval; empty when all have. */
  public String intervalNote() {
    return said(Note.Code.NO_ERROR_BAR);
  }

  /** Which rows have no label, by the question and the policy; empty when all have. */
  public String leftOut() {
    return said(Note.Code.LEFT_OUT);
  }

  private String said(Note.Code code) {
    return notes.stream()
        .filter(note -> note.code() == code)
        .map(Note::text)
        .collect(Collectors.joining("; "));
  }

  /** This answer with notes on how its numbers came about. */
  public AnalystView noted(List<String> how) {
    if (how.isEmpty()) {
      return this;
    }
    List<Note> all = new ArrayList<>(notes);
    all.add(new Note(Note.Code.HOW, String.join("; ", how)));
    all.sort(Comparator.comparing(Note::code));
    return new AnalystView(
        columns, rows, epsilon, delta, mechanism, intervals, repeat, all, rho, ranges, caps);
  }

  /** This answer with the caps of what people contribute. */
  public AnalystView capped(List<ContributionCap> some) {
    return new AnalystView(
        columns, rows, epsilon, delta, mechanism, intervals, repeat, notes, rho, ranges, some);
  }

  /** This answer with what was foretold of it. */
  public AnalystView foretold(List<Note> warnings) {
    List<Note> all = new ArrayList<>(warnings);
    all.addAll(notes);
    return new AnalystView(
        columns, rows, epsilon, delta, mechanism, intervals, repeat, all, rho, ranges, caps);
  }

  /** This answer, made otherwise than by the noise of single draws. */
  public AnalystView by(String word) {
    return new AnalystView(
        columns, rows, epsilon, delta, word, intervals, repeat, notes, rho, ranges, caps);
  }

  /** This answer with what it cost where squares of ε add up. */
  public AnalystView spending(Optional<BigDecimal> some) {
    return new AnalystView(
        columns, rows, epsilon, delta, mechanism, intervals, repeat, notes, some, ranges, caps);
  }

  /**
   * This answer together with what was spent on its ranges.
   *
   * @param steps the answers to the questions that found them
   */
  public AnalystView found(List<FoundRange> some, List<AnalystView> steps) {
    BigDecimal allEpsilon = epsilon;
    BigDecimal allDelta = delta;
    Optional<BigDecimal> allRho = rho;
    boolean repeated = repeat;
    for (AnalystView step : steps) {
      allEpsilon = allEpsilon.add(step.epsilon());
      allDelta = allDelta.add(step.delta());
      allRho =
          allRho.isEmpty()
              ? step.rho()
              : allRho.map(r -> r.add(step.rho().orElse(BigDecimal.ZERO)));
      repeated &= step.repeat();
    }
    List<Note> all = new ArrayList<>(notes);
    some.forEach(range -> all.add(range.note()));
    all.sort(Comparator.comparing(Note::code));
    return new AnalystView(
        columns,
        rows,
        allEpsilon,
        allDelta,
        mechanism,
        intervals,
        repeated,
        all,
        allRho,
        some,
        caps);
  }
}
