package flexdp.gateway.answer;

import flexdp.cut.LeftOut;
import flexdp.gateway.ask.AnalystView;
import flexdp.gateway.ask.Ask;
import flexdp.gateway.plan.Prepared;
import flexdp.plan.Plan;
import flexdp.question.Question;
import flexdp.release.Rows;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;

/** Answers as analysts see them. */
final class Views {
  private Views() {}

  /** What an analyst sees of released rows. */
  static AnalystView of(
      Ask ask,
      Prepared prepared,
      Execution execution,
      Map<Integer, Rows> released,
      BigDecimal epsilon,
      BigDecimal delta,
      boolean repeat) {
    Question question = prepared.plan().question();
    Bars bars =
        Bars.of(question, ask.intervals(), prepared.errors(), released, execution::publicRows);
    return new AnalystView(
        question.columns(),
        bars.rows(),
        epsilon,
        delta,
        prepared.mechanism(),
        bars.intervals(),
        byPeople(prepared.plan()) ? "" : bars.note(),
        repeat,
        Optional.empty(),
        LeftOut.of(question));
  }

  /** Then the answer itself says what one person counts, and how large the noise is. */
  private static boolean byPeople(Plan plan) {
    return plan.question().releases().stream()
        .anyMatch(point -> PeopleAnswers.noise(plan, point).isPresent());
  }
}
