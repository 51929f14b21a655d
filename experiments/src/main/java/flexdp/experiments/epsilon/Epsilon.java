package flexdp.experiments.epsilon;

import flexdp.experiments.Experiment;
import flexdp.experiments.Run;
import flexdp.experiments.Scale;
import flexdp.experiments.measure.Setting;
import flexdp.experiments.measure.Way;
import flexdp.experiments.report.Chart;
import flexdp.experiments.report.Finding;
import flexdp.experiments.report.Passage;
import flexdp.experiments.report.Section;
import flexdp.experiments.utility.Answers.Answered;
import flexdp.experiments.utility.Answers.Choice;
import flexdp.experiments.utility.Arena;
import flexdp.experiments.utility.Classes;
import flexdp.experiments.utility.Truth;
import flexdp.experiments.utility.Truths;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The workload at three values of ε. */
public final class Epsilon implements Experiment {
  private static final List<Double> EPSILONS = List.of(0.1, 1.0, 10.0);
  private static final List<Way> WAYS = List.of(Way.LETTER, Way.DEFAULT);

  @Override
  public String name() {
    return "epsilon";
  }

  @Override
  public String title() {
    return "Error at ε = 0.1, 1 and 10 (section 5.3)";
  }

  @Override
  public Duration estimate(Scale scale) {
    return Duration.ofSeconds(scale.of(3L, 15L, 120L));
  }

  @Override
  public Section run(Run run) throws IOException, SQLException {
    Arena field = Arena.of(Truths.of(run));
    List<Truth> truths = field.truths().stream().filter(Arena::isLarge).toList();
    List<Choice> choices = new ArrayList<>();
    for (Way way : WAYS) {
      for (double epsilon : EPSILONS) {
        choices.add(new Choice(way, Setting.Cost.ofPaper(epsilon, field.rows())));
      }
    }
    List<Answered> answered = field.answers().of(truths, choices);
    List<List<Double>> shares = new ArrayList<>();
    List<List<Object>> rows = new ArrayList<>();
    for (int i = 0; i < choices.size(); i++) {
      int choice = i;
      List<Double> errors = answered.stream().flatMap(a -> a.error(choice).stream()).toList();
      List<Double> share = Classes.shares(errors);
      shares.add(share);
      List<Object> row = new ArrayList<>();
      row.add(choices.get(i).way().title());
      row.add(EPSILONS.get(i % EPSILONS.size()));
      row.add(errors.size());
      row.addAll(share);
      rows.add(row);
      run.say(row.get(0) + " at ε = " + row.get(1));
    }
    return new Section(name(), title(), findings(shares), blocks(rows, shares));
  }

  private static List<Passage> blocks(List<List<Object>> rows, List<List<Double>> shares) {
    List<String> columns = new ArrayList<>(List.of("way", "ε", "queries"));
    columns.addAll(Classes.NAMES);
    List<Passage> blocks = new ArrayList<>();
    blocks.add(
        new Passage.Prose(
            "The workload of the utility experiment without queries whose population is under 100,"
                + " δ = n^(−ε ln n). At ε = 1 and 10 that δ is so small that no mechanism can be"
                + " told from a pure one; our default needs none."));
    blocks.add(
        new Passage.Table(
            "epsilon", "Share of queries by median error, in percent", columns, rows));
    for (int way = 0; way < WAYS.size(); way++) {
      List<Chart.Group> groups = new ArrayList<>();
      for (int i = 0; i < EPSILONS.size(); i++) {
        groups.add(
            new Chart.Group("ε = " + EPSILONS.get(i), shares.get(way * EPSILONS.size() + i)));
      }
      blocks.add(
          new Passage.Figure(
              WAYS.get(way).title() + ": share of queries by median error.",
              new Chart.Bars(Classes.NAMES, Chart.Axis.linear("% of queries"), groups)));
    }
    return blocks;
  }

  private static List<Finding> findings(List<List<Double>> shares) {
    int half = EPSILONS.size();
    List<Finding> findings = new ArrayList<>();
    findings.add(
        new Finding(
            "queries under 1 % error at ε = 0.1",
            "49.8 %",
            percent(shares.get(0))
                + " by the paper to the letter, "
                + percent(shares.get(half))
                + " by our default",
            "a smaller database: an error is noise over count, and the paper's tables hold"
                + " thousands of times as many rows"));
    for (int i = 1; i < half; i++) {
      findings.add(
          new Finding(
              "queries under 1 % error at ε = " + EPSILONS.get(i),
              "a plot without numbers: more than at 0.1",
              percent(shares.get(i))
                  + " by the paper to the letter, "
                  + percent(shares.get(half + i))
                  + " by our default",
              ""));
    }
    return findings;
  }

  private static String percent(List<Double> shares) {
    return String.format(Locale.ROOT, "%.1f %%", shares.getFirst());
  }
}
