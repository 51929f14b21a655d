package flexdp.gateway.engine;

import flexdp.decompose.OmittedRows;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.Note;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.prepare.PreparedQuery;
import flexdp.query.DpQuery;
import flexdp.release.ReleasePlan;
import flexdp.release.RowTable;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Answers as analysts see them. */
final class AnswerViews {
  private AnswerViews() {}

  /** What an analyst sees of released rows. */
  static AnalystView of(
      QueryRequest request,
      PreparedQuery prepared,
      StatementExecution execution,
      Map<Integer, RowTable> released,
      BigDecimal epsilon,
      BigDecimal delta,
      boolean repeat) {
    DpQuery query = prepared.plan().query();
    ConfidenceIntervals bars =
        ConfidenceIntervals.of(
            query, request.intervals(), prepared.errors(), released, execution::publicRows);
    return new AnalystView(
        query.columns(),
        bars.rows(),
        epsilon,
        delta,
        prepared.mechanism(),
        bars.intervals(),
        repeat,
        notes(prepared, bars),
        Optional.empty());
  }

  private static List<Note> notes(PreparedQuery prepared, ConfidenceIntervals bars) {
    List<Note> notes = new ArrayList<>();
    drowned(bars).ifPresent(notes::add);
    // Else the answer itself says what one person counts, and how large the noise is.
    if (prepared.releases().stream().noneMatch(ReleasePlan::tellsItsNoise)
        && !bars.note().isEmpty()) {
      notes.add(new Note(Note.Code.NO_ERROR_BAR, bars.note()));
    }
    String leftOut = OmittedRows.of(prepared.plan().query());
    if (!leftOut.isEmpty()) {
      notes.add(new Note(Note.Code.LEFT_OUT, leftOut));
    }
    return notes;
  }

  /** Cells whose error bar reaches zero say little; the noisy value and its bar are both public. */
  private static Optional<Note> drowned(ConfidenceIntervals bars) {
    int cells = 0;
    int lost = 0;
    for (int n = 0; n < bars.intervals().size(); n++) {
      List<Optional<AnalystView.Bar>> row = bars.intervals().get(n);
      for (int i = 0; i < row.size(); i++) {
        if (row.get(i).isPresent()
            && bars.rows().get(n).get(i) instanceof Number number
            && new BigDecimal(number.toString()).signum() != 0) {
          AnalystView.Bar bar = row.get(i).get();
          cells++;
          lost += bar.low().signum() <= 0 && bar.high().signum() >= 0 ? 1 : 0;
        }
      }
    }
    return lost == 0
        ? Optional.empty()
        : Optional.of(
            new Note(
                Note.Code.NOISE_AS_LARGE,
                (cells == 1
                        ? "the noise is"
                        : "in " + lost + " of " + cells + " cells the noise is")
                    + " as large as the answer; ask with a larger epsilon, for an answer within an"
                    + " error, or for coarser groups",
                Map.of("cells", BigDecimal.valueOf(cells), "lost", BigDecimal.valueOf(lost))));
  }
}
