package flexdp.experiments.utility;

import flexdp.experiments.measure.Law;
import flexdp.experiments.measure.Medians;
import flexdp.experiments.measure.Setting;
import flexdp.experiments.measure.Way;
import flexdp.experiments.workload.Trait;
import flexdp.failure.ConfigurationError;
import flexdp.failure.Rejection;
import flexdp.query.Bins;
import flexdp.query.DpQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Answers a workload in several ways at once.
 *
 * @param drivers the labels of histograms by driver, which no public table lists
 */
public record Answers(Setting setting, Bins drivers) {

  /** One way at one price. */
  public record Choice(Way way, Setting.Cost cost) {}

  /**
   * A query with what became of it.
   *
   * @param laws by choice; empty where the analysis has no answer
   * @param reason why it was rejected; empty when it was not
   */
  public record Answered(Truth truth, List<Optional<Law>> laws, String reason) {

    /** The median error in percent by the law of the noise; absent without cells or law. */
    public Optional<Double> error(int choice) {
      return truth.cells().length == 0
          ? Optional.empty()
          : laws.get(choice).map(law -> Medians.expected(law, truth.cells()));
    }

    public boolean isRejected() {
      return !reason.isEmpty();
    }
  }

  public List<Answered> of(List<Truth> truths, List<Choice> choices) {
    return truths.parallelStream().map(truth -> of(truth, choices)).toList();
  }

  private Answered of(Truth truth, List<Choice> choices) {
    List<Optional<Law>> laws = new ArrayList<>();
    try {
      DpQuery question = setting.question(truth.query().sql(), labels(truth));
      for (Choice choice : choices) {
        laws.add(setting.law(question, choice.way(), choice.cost()));
      }
      return new Answered(truth, laws, "");
    } catch (Rejection e) {
      return new Answered(truth, none(choices), e.code().name());
    } catch (ConfigurationError e) {
      return new Answered(truth, none(choices), "BAD_REQUEST");
    }
  }

  private static List<Optional<Law>> none(List<Choice> choices) {
    return choices.stream().map(c -> Optional.<Law>empty()).toList();
  }

  private Optional<Bins> labels(Truth truth) {
    boolean byDriver =
        truth.query().is(Trait.HISTOGRAM) && truth.query().sql().endsWith("GROUP BY t.driver_id");
    return byDriver ? Optional.of(drivers) : Optional.empty();
  }
}
