package flexdp.experiments.utility;

import flexdp.experiments.Experiment;
import flexdp.experiments.Run;
import flexdp.experiments.Scale;
import flexdp.experiments.measure.Medians;
import flexdp.experiments.measure.Setting;
import flexdp.experiments.measure.Way;
import flexdp.experiments.report.Section;
import flexdp.experiments.utility.Answers.Answered;
import flexdp.experiments.utility.Answers.Choice;
import flexdp.noise.Noise;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** Thousands of counting queries: error against population. */
public final class Utility implements Experiment {
  @Override
  public String name() {
    return "utility";
  }

  @Override
  public String title() {
    return "Error against population over a workload of counting queries (section 5.2)";
  }

  @Override
  public Duration estimate(Scale scale) {
    return Duration.ofSeconds(scale.of(8L, 40L, 600L));
  }

  @Override
  public Section run(Run run) throws IOException, SQLException {
    Truths workload = Truths.of(run);
    run.say(workload.count() + " queries over " + workload.trips() + " trips");
    Arena field = Arena.of(workload);
    Setting.Cost cost = Setting.Cost.ofPaper(0.1, field.rows());
    run.say("answering at ε = 0.1");
    List<Answered> answered =
        field
            .answers()
            .of(
                field.truths(),
                List.of(new Choice(Way.LETTER, cost), new Choice(Way.DEFAULT, cost)));
    run.say("scale and ε exchanged");
    List<Exchange> exchanges = Exchange.of(run, field, workload.trips());
    return new UtilityText(workload.trips(), answered, exchanges, drawn(answered))
        .section(name(), title());
  }

  /**
   * How the median errors from draws of the mechanism compare with those by its law: the median
   * ratio over some queries, near 1 when both are right.
   */
  private static double drawn(List<Answered> answered) {
    Noise noise = Noise.secure();
    double[] ratios =
        answered.stream()
            .filter(a -> a.error(1).isPresent())
            .limit(30)
            .mapToDouble(
                a -> {
                  double[] cells = a.truth().cells();
                  int rounds = Math.max(1, 400 / cells.length);
                  return Medians.sampled(a.laws().get(1).orElseThrow(), cells, rounds, noise)
                      / a.error(1).orElseThrow();
                })
            .toArray();
    return Medians.of(ratios);
  }
}
