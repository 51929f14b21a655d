package flexdp.gateway;

import flexdp.question.Question;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * An answer as an analyst may see it. Nothing in it depends on the data but through noise.
 *
 * @param rows values by column; NULL is null
 * @param intervals per column: how far, at most, an exact cell is from the shown one with
 *     probability 95 %; present where the scale of the noise is public
 * @param intervalNote why some column has no interval; empty when all have
 * @param repeat whether this is an earlier answer given again, or follows from such
 * @param derived how it follows, when its noise is not that of one earlier answer
 */
public record AnalystView(
    List<Question.ResultColumn> columns,
    List<List<Object>> rows,
    BigDecimal epsilon,
    BigDecimal delta,
    String mechanism,
    List<Optional<BigDecimal>> intervals,
    String intervalNote,
    boolean repeat,
    Optional<String> derived) {
  public AnalystView {
    columns = List.copyOf(columns);
    rows = Collections.unmodifiableList(rows);
    intervals = List.copyOf(intervals);
  }
}
