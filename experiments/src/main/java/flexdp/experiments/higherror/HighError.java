package flexdp.experiments.higherror;

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
import flexdp.experiments.utility.Truth;
import flexdp.experiments.utility.Truths;
import java.io.IOException;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Queries with more than 100 % error although their population is at least 100. */
public final class HighError implements Experiment {
  private static final List<Way> WAYS = List.of(Way.LETTER, Way.DEFAULT);
  private static final int EXAMPLES = 2;

  @Override
  public String name() {
    return "high-error";
  }

  @Override
  public String title() {
    return "Why errors are high (section 5.3, the table of categories)";
  }

  @Override
  public Duration estimate(Scale scale) {
    return Duration.ofSeconds(scale.of(3L, 10L, 60L));
  }

  @Override
  public Section run(Run run) throws IOException, SQLException {
    Arena field = Arena.of(Truths.of(run));
    List<Truth> truths = field.truths().stream().filter(Arena::isLarge).toList();
    Setting.Cost cost = Setting.Cost.ofPaper(0.1, field.rows());
    List<Answered> answered =
        field.answers().of(truths, WAYS.stream().map(way -> new Choice(way, cost)).toList());
    List<Map<Cause, List<Truth>>> sorted = new ArrayList<>();
    for (int way = 0; way < WAYS.size(); way++) {
      Map<Cause, List<Truth>> causes = new EnumMap<>(Cause.class);
      for (Cause cause : Cause.values()) {
        causes.put(cause, new ArrayList<>());
      }
      for (Answered a : answered) {
        if (a.error(way).orElse(0.0) > 100) {
          causes.get(Cause.of(a.truth())).add(a.truth());
        }
      }
      sorted.add(causes);
    }
    return section(sorted, truths.size(), cost.epsilon());
  }

  private Section section(List<Map<Cause, List<Truth>>> sorted, int queries, BigDecimal epsilon) {
    List<List<Object>> rows = new ArrayList<>();
    List<Finding> findings = new ArrayList<>();
    for (Cause cause : Cause.values()) {
      List<Object> row = new ArrayList<>(List.of(cause.title(), cause.paper()));
      for (Map<Cause, List<Truth>> causes : sorted) {
        row.add(share(causes, cause));
        row.add(causes.get(cause).size());
      }
      row.add(
          sorted.getLast().get(cause).stream().filter(t -> Cause.isInherent(t, epsilon)).count());
      rows.add(row);
      findings.add(
          new Finding(
              cause.title(),
              percent(cause.paper()),
              percent(share(sorted.getFirst(), cause))
                  + " by the paper to the letter, "
                  + percent(share(sorted.getLast(), cause))
                  + " by our default",
              "another workload, sorted by rule and not by hand, all of them and not a sample of"
                  + " 50"));
    }
    List<Passage> blocks = new ArrayList<>();
    blocks.add(
        new Passage.Prose(
            "Of %,d queries with a population of at least 100 at ε = 0.1. A query about a person,"
                    .formatted(queries)
                + " by filter or by bin, is one about an individual; a join of protected tables in"
                + " which neither key is unique is many-to-many; the rest has too few rows for the"
                + " noise it needs. “Inherent” counts those whose error would stay above 100 % even"
                + " with the least noise that any private count needs, Laplace of scale 1/ε: of the"
                + " others, declared keys and caps help."));
    blocks.add(
        new Passage.Table(
            "high-error",
            "Causes of errors above 100 %",
            List.of(
                "cause",
                "paper, %",
                "to the letter, %",
                "to the letter, queries",
                "our default, %",
                "our default, queries",
                "of those inherent"),
            rows));
    blocks.add(
        new Passage.Figure(
            "Queries with more than 100 % error, by cause.",
            new Chart.Bars(
                Arrays.stream(Cause.values()).map(Cause::title).toList(),
                Chart.Axis.linear("queries"),
                List.of(
                    group(WAYS.getFirst().title(), sorted.getFirst()),
                    group(WAYS.getLast().title(), sorted.getLast())))));
    sorted
        .getLast()
        .forEach(
            (cause, truths) ->
                truths.stream()
                    .limit(EXAMPLES)
                    .forEach(
                        t ->
                            blocks.add(
                                new Passage.Verbatim(
                                    "-- " + cause.title() + "\n" + t.query().sql()))));
    return new Section(name(), title(), findings, blocks);
  }

  private static Chart.Group group(String title, Map<Cause, List<Truth>> causes) {
    return new Chart.Group(
        title, causes.values().stream().map(truths -> (double) truths.size()).toList());
  }

  private static double share(Map<Cause, List<Truth>> causes, Cause cause) {
    int all = causes.values().stream().mapToInt(List::size).sum();
    return 100.0 * causes.get(cause).size() / Math.max(1, all);
  }

  private static String percent(double value) {
    return String.format(Locale.ROOT, "%.1f %%", value);
  }
}
