package flexdp.gateway.answer;

import flexdp.budget.Cost;
import flexdp.frame.SharedFrame;
import flexdp.frame.Strategy;
import flexdp.gateway.ask.Explanation;
import flexdp.gateway.ask.WorkloadExplanation;
import flexdp.plan.Errors;
import flexdp.plan.Planned;
import flexdp.question.Measurement;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What analysts may know of a workload: all of it is public. */
final class JoinedWords {
  private static final MathContext ABOUT = new MathContext(6, RoundingMode.CEILING);

  private JoinedWords() {}

  /**
   * @param repeat whether asking costs nothing
   * @param warnings what is foretold of it
   */
  static WorkloadExplanation of(Joined joined, boolean repeat, List<String> warnings) {
    List<WorkloadExplanation.Frame> frames =
        joined.frames().stream().map(JoinedWords::frame).toList();
    List<WorkloadExplanation.Question> questions = new ArrayList<>();
    for (int i = 0; i < joined.statements().size(); i++) {
      Errors alone = joined.statements().get(i).prepared().errors();
      Errors errors = joined.isFramed(i) ? joined.errors(i) : alone;
      for (Planned planned : joined.statements().get(i).prepared().plan().measurements()) {
        questions.add(question(joined, i, planned, errors, alone));
      }
    }
    Cost cost = questions.isEmpty() ? Cost.pure(BigDecimal.ONE) : joined.cost();
    return new WorkloadExplanation(
        questions.isEmpty() ? BigDecimal.ZERO : cost.epsilon(),
        questions.isEmpty() ? BigDecimal.ZERO : cost.delta(),
        repeat,
        questions.isEmpty() ? List.of() : Explanation.charged(joined.tables(), joined.parts()),
        frames,
        questions,
        warnings);
  }

  private static WorkloadExplanation.Question question(
      Joined joined, int statement, Planned planned, Errors errors, Errors alone) {
    int place = planned.release().measurements().indexOf(planned.measurement());
    int frame =
        joined
            .frame(statement, planned.release().id(), place)
            .map(f -> joined.frames().indexOf(f) + 1)
            .orElse(0);
    Measurement.Origin origin = planned.measurement().origin();
    int column = planned.measurement().output().id();
    return new WorkloadExplanation.Question(
        statement + 1,
        origin.column().orElse(origin.aggregate()),
        frame,
        width(errors, column),
        width(alone, column));
  }

  private static Optional<BigDecimal> width(Errors errors, int column) {
    return errors.measures(column) ? Optional.of(errors.halfWidth(column, 1)) : Optional.empty();
  }

  private static WorkloadExplanation.Frame frame(SharedFrame frame) {
    List<WorkloadExplanation.Cuboid> cuboids = new ArrayList<>();
    for (Strategy.Cuboid cuboid : frame.strategy().cuboids()) {
      cuboids.add(
          new WorkloadExplanation.Cuboid(
              frame.names(cuboid),
              frame.cells(cuboid),
              cuboid.mechanism().epsilon().round(ABOUT),
              cuboid.mechanism().scale(cuboid.sensitivity()).round(ABOUT)));
    }
    return new WorkloadExplanation.Frame(
        frame.strategy().measurement().origin().aggregate(), frame.answers().size(), cuboids);
  }
}
