package flexdp.experiments.publictables;

import flexdp.experiments.Experiment;
import flexdp.experiments.Run;
import flexdp.experiments.Scale;
import flexdp.experiments.measure.Rides;
import flexdp.experiments.measure.Setting;
import flexdp.experiments.measure.Way;
import flexdp.experiments.report.Chart;
import flexdp.experiments.report.Finding;
import flexdp.experiments.report.Passage;
import flexdp.experiments.report.Section;
import flexdp.experiments.utility.Answers;
import flexdp.experiments.utility.Answers.Answered;
import flexdp.experiments.utility.Answers.Choice;
import flexdp.experiments.utility.Arena;
import flexdp.experiments.utility.Classes;
import flexdp.experiments.utility.Truth;
import flexdp.experiments.utility.Truths;
import flexdp.policy.Policy;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The workload with cities public, and with cities protected like every other table. */
public final class PublicTables implements Experiment {
  private static final List<Way> WAYS = List.of(Way.LETTER, Way.DEFAULT);

  @Override
  public String name() {
    return "public-tables";
  }

  @Override
  public String title() {
    return "With and without the optimisation for public tables (section 5.4)";
  }

  @Override
  public Duration estimate(Scale scale) {
    return Duration.ofSeconds(scale.of(3L, 15L, 120L));
  }

  @Override
  public Section run(Run run) throws IOException, SQLException {
    Truths workload = Truths.of(run);
    Arena field = Arena.of(workload);
    List<Truth> truths = field.truths().stream().filter(Arena::isLarge).toList();
    Setting.Cost cost = Setting.Cost.ofPaper(0.1, field.rows());
    List<Choice> choices = WAYS.stream().map(way -> new Choice(way, cost)).toList();
    run.say("cities public");
    List<Answered> with = field.answers().of(truths, choices);
    run.say("cities protected");
    List<Answered> without = hidden(workload, field).of(truths, choices);
    return section(with, without);
  }

  private static Answers hidden(Truths workload, Arena field) throws IOException, SQLException {
    try (Connection connection = workload.rides().open()) {
      Policy policy = ProtectedCities.policy(connection);
      Setting.Cost release = Setting.Cost.of(Arena.RELEASE_EPSILON, Arena.RELEASE_DELTA);
      // trips.city_id and the like are join keys still, so their frequencies are needed.
      return new Answers(
          new Setting(policy, Rides.released(field.metrics(), Rides.policy(), release)),
          field.answers().drivers());
    }
  }

  private Section section(List<Answered> with, List<Answered> without) {
    List<String> columns = new ArrayList<>(List.of("way", "cities", "queries"));
    columns.addAll(Classes.NAMES);
    List<List<Object>> rows = new ArrayList<>();
    List<Chart.Group> groups = new ArrayList<>();
    List<Finding> findings = new ArrayList<>();
    for (int way = 0; way < WAYS.size(); way++) {
      List<Double> open = add(rows, groups, with, way, "public");
      List<Double> closed = add(rows, groups, without, way, "protected");
      boolean letter = WAYS.get(way) == Way.LETTER;
      findings.add(
          new Finding(
              "queries under 1 % without → with the optimisation, " + WAYS.get(way).title(),
              letter ? "28.5 % → 49.8 %" : "–",
              percent(closed.getFirst()) + " → " + percent(open.getFirst()),
              letter
                  ? "smaller tables; the share of queries that meet a public table is the paper's"
                  : ""));
      findings.add(
          new Finding(
              "queries over 100 % without → with, " + WAYS.get(way).title(),
              letter ? "most of the gain comes from here" : "–",
              percent(closed.getLast()) + " → " + percent(open.getLast()),
              ""));
    }
    findings.addFirst(
        new Finding(
            "queries that the optimisation helps",
            "23.4 %",
            percent(helped(with, without)),
            "the workload is drawn so; populations under 100 are left out"));
    List<Passage> blocks =
        List.of(
            new Passage.Prose(
                "Without the optimisation cities is protected like every other table, and a row of"
                    + " it that comes or goes takes all trips of the city with it. ε = 0.1;"
                    + " populations under 100 are left out."),
            new Passage.Table(
                "public-tables", "Share of queries by median error, in percent", columns, rows),
            new Passage.Figure(
                "Share of queries by median error.",
                new Chart.Bars(Classes.NAMES, Chart.Axis.linear("% of queries"), groups)));
    return new Section(name(), title(), findings, blocks);
  }

  private static List<Double> add(
      List<List<Object>> rows,
      List<Chart.Group> groups,
      List<Answered> answered,
      int way,
      String cities) {
    List<Double> errors = answered.stream().flatMap(a -> a.error(way).stream()).toList();
    List<Double> shares = Classes.shares(errors);
    List<Object> row = new ArrayList<>();
    row.add(WAYS.get(way).title());
    row.add(cities);
    row.add(errors.size());
    row.addAll(shares);
    rows.add(row);
    groups.add(new Chart.Group(WAYS.get(way).title() + ", cities " + cities, shares));
    return shares;
  }

  /** In percent: queries with less error by the paper's own mechanism. */
  private static double helped(List<Answered> with, List<Answered> without) {
    int helped = 0;
    for (int i = 0; i < with.size(); i++) {
      Optional<Double> open = with.get(i).error(0);
      Optional<Double> closed = without.get(i).error(0);
      helped += open.isPresent() && closed.isPresent() && open.get() < closed.get() ? 1 : 0;
    }
    return 100.0 * helped / Math.max(1, with.size());
  }

  private static String percent(double value) {
    return String.format(Locale.ROOT, "%.1f %%", value);
  }
}
