package flexdp.gateway.ask;

import flexdp.question.Question;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * An answer as an analyst may see it. Nothing in it depends on the data but through noise.
 *
 * @param rows values by column; NULL is null
 * @param intervals per cell, when they were asked for: where its value without noise lies with
 *     probability 95 %; present where the scale of the noise is public
 * @param intervalNote why some noisy column has no interval; empty when all have
 * @param repeat whether this is an earlier answer given again, or follows from such
 * @param derived how the numbers came about, where that is more than noise of a known scale
 * @param leftOut which rows have no label, by the question and the policy; empty when all have
 * @param rho what was spent where squares of ε add up: half of their sum
 */
public record AnalystView(
    List<Question.ResultColumn> columns,
    List<List<Object>> rows,
    BigDecimal epsilon,
    BigDecimal delta,
    String mechanism,
    List<List<Optional<Bar>>> intervals,
    String intervalNote,
    boolean repeat,
    Optional<String> derived,
    String leftOut,
    Optional<BigDecimal> rho) {
  /** Where ε adds up. */
  public AnalystView(
      List<Question.ResultColumn> columns,
      List<List<Object>> rows,
      BigDecimal epsilon,
      BigDecimal delta,
      String mechanism,
      List<List<Optional<Bar>>> intervals,
      String intervalNote,
      boolean repeat,
      Optional<String> derived,
      String leftOut) {
    this(
        columns,
        rows,
        epsilon,
        delta,
        mechanism,
        intervals,
        intervalNote,
        repeat,
        derived,
        leftOut,
        Optional.empty());
  }

  /** An error bar of one cell, of which both ends belong to it. */
  public record Bar(BigDecimal low, BigDecimal high) {}

  public AnalystView {
    columns = List.copyOf(columns);
    rows = Collections.unmodifiableList(rows);
    intervals = List.copyOf(intervals);
  }

  /** The error bar of a cell, by row and column. */
  public Optional<Bar> interval(int row, int column) {
    return intervals.isEmpty() ? Optional.empty() : intervals.get(row).get(column);
  }

  /** Whether some cell of a column has an error bar. */
  public boolean hasIntervals(int column) {
    return intervals.stream().anyMatch(row -> row.get(column).isPresent());
  }

  /** The same with what whoever asks should know of how the numbers came about. */
  public AnalystView noted(List<String> notes) {
    return notes.isEmpty()
        ? this
        : new AnalystView(
            columns,
            rows,
            epsilon,
            delta,
            mechanism,
            intervals,
            intervalNote,
            repeat,
            Optional.of(String.join("; ", notes)),
            leftOut,
            rho);
  }

  /** The same, made otherwise than by the noise of single draws. */
  public AnalystView by(String word) {
    return new AnalystView(
        columns,
        rows,
        epsilon,
        delta,
        word,
        intervals,
        intervalNote,
        repeat,
        derived,
        leftOut,
        rho);
  }

  /** The same with what it cost where squares of ε add up. */
  public AnalystView spending(Optional<BigDecimal> some) {
    return new AnalystView(
        columns,
        rows,
        epsilon,
        delta,
        mechanism,
        intervals,
        intervalNote,
        repeat,
        derived,
        leftOut,
        some);
  }
}
