package flexdp.cli;

import flexdp.gateway.ask.AnalystView;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** What should be said beside a table of noisy numbers, one line each. */
final class AnswerNotes {
  private AnswerNotes() {}

  static List<String> of(AnalystView view) {
    List<String> notes = new ArrayList<>();
    drowned(view, notes);
    if (!view.repeat()) {
      view.derived().ifPresent(said -> notes.add("note: " + said));
    }
    if (!view.intervalNote().isEmpty()) {
      notes.add("no error bar: " + view.intervalNote());
    }
    if (!view.leftOut().isEmpty()) {
      notes.add("note: " + view.leftOut());
    }
    return notes;
  }

  /** Cells whose error bar reaches zero say little; the noisy value and its bar are both public. */
  private static void drowned(AnalystView view, List<String> notes) {
    int cells = 0;
    int lost = 0;
    for (int n = 0; n < view.rows().size(); n++) {
      for (int i = 0; i < view.columns().size(); i++) {
        if (view.interval(n, i).isPresent()
            && view.rows().get(n).get(i) instanceof Number number
            && new BigDecimal(number.toString()).signum() != 0) {
          AnalystView.Bar bar = view.interval(n, i).get();
          cells++;
          lost += bar.low().signum() <= 0 && bar.high().signum() >= 0 ? 1 : 0;
        }
      }
    }
    if (lost > 0) {
      notes.add(
          "note: "
              + (cells == 1
                  ? "the noise is"
                  : "in " + lost + " of " + cells + " cells the noise is")
              + " as large as the answer; ask with a larger --epsilon, with --within, or for"
              + " coarser groups");
    }
  }
}
