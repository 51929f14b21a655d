package flexdp.experiments.study;

import flexdp.experiments.report.Chart;
import flexdp.experiments.report.Chart.Axis;
import flexdp.experiments.report.Chart.Group;
import flexdp.experiments.report.Chart.Point;
import flexdp.experiments.report.Chart.Series;
import flexdp.experiments.report.Passage;
import flexdp.experiments.report.Section;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** What a study found, with plots, beside the paper's section 2. */
public final class StudySection {
  private static final Axis SHARE = Axis.linear("share, %");

  private final LogCounts tally;
  private final List<Passage> blocks = new ArrayList<>();

  private StudySection(LogCounts tally) {
    this.tally = tally;
  }

  /**
   * One section.
   *
   * @param name of the section and of its CSV files
   */
  public static Section of(String name, String title, LogCounts tally) {
    StudySection section = new StudySection(tally);
    section.plots();
    section.reasons(name);
    return new Section(name, title, StudyFindings.of(tally), section.blocks);
  }

  private void plots() {
    Counts backends = tally.backends();
    if (backends.total() > 0) {
      List<String> names = backends.descending().keySet().stream().limit(12).toList();
      bars("Database backends.", names, List.of(group("this log", backends, names)));
    }
    compare("Join conditions.", tally.conditions(), Paper.CONDITIONS);
    compare("Relationships of joins.", tally.relationships(), Paper.RELATIONSHIPS);
    compare("Types of joins.", tally.kinds(), Paper.KINDS);
    compare("Aggregation functions.", tally.aggregates(), Paper.AGGREGATES);
    joinsPerQuery();
    curve("Clauses per query.", "clauses", tally.clauses());
    curve("Columns of results.", "columns", tally.resultColumns());
    curve("Rows of results.", "rows", tally.resultRows());
  }

  private void bars(String caption, List<String> names, List<Group> groups) {
    List<String> shown = names.stream().map(StudyFindings::words).toList();
    blocks.add(new Passage.Figure(caption, new Chart.Bars(shown, SHARE, groups)));
  }

  private void compare(String caption, Counts ours, Map<String, Double> paper) {
    if (ours.total() == 0) {
      return;
    }
    Set<String> names = new LinkedHashSet<>(paper.keySet());
    ours.descending().keySet().stream().limit(8).forEach(names::add);
    List<String> list = List.copyOf(names);
    List<Double> published = list.stream().map(n -> paper.getOrDefault(n, Double.NaN)).toList();
    bars(caption, list, List.of(new Group("paper", published), group("this log", ours, list)));
  }

  private static Group group(String name, Counts counts, List<String> names) {
    double total = counts.total();
    return new Group(name, names.stream().map(n -> 100 * counts.of(n) / total).toList());
  }

  private void joinsPerQuery() {
    if (tally.joins().total() == 0) {
      return;
    }
    List<String> names = new ArrayList<>();
    List<Double> counts = new ArrayList<>();
    long from = 0;
    while (from <= tally.joins().most()) {
      // One by one up to ten, then by tens.
      long to = from < 10 ? from + 1 : from + 10;
      names.add(to == from + 1 ? String.valueOf(from) : from + "–" + (to - 1));
      double count = tally.joins().count(from, to);
      counts.add(count == 0 ? Double.NaN : count);
      from = to;
      if (names.size() > 60) {
        break;
      }
    }
    blocks.add(
        new Passage.Figure(
            "Joins per query.",
            new Chart.Bars(names, Axis.log("queries"), List.of(new Group("queries", counts)))));
  }

  private void curve(String caption, String what, Spread spread) {
    if (spread.total() == 0) {
      return;
    }
    List<Point> points =
        spread.cumulative().stream()
            .map(s -> new Point(Math.max(1, s.value()), 100 * s.part()))
            .toList();
    blocks.add(
        new Passage.Figure(
            caption,
            new Chart.Lines(
                Axis.log(what),
                Axis.linear("queries with at most that, %"),
                List.of(new Series(what, points)))));
  }

  private void reasons(String name) {
    List<List<Object>> rows = new ArrayList<>();
    if (tally.success().isEmpty()) {
      tally
          .unreadable()
          .descending()
          .forEach(
              (reason, count) ->
                  rows.add(Passage.row(reason, count, tally.unreadableSamples().of(reason))));
      if (!rows.isEmpty()) {
        blocks.add(
            new Passage.Table(
                name + "-unreadable",
                "What could not be read, with an example each.",
                List.of("reason", "entries", "example"),
                rows));
      }
      return;
    }
    Success success = tally.success();
    for (String reason : success.all().descending().keySet()) {
      rows.add(
          Passage.row(
              reason.toLowerCase(Locale.ROOT).equals("accepted") ? "accepted" : reason,
              success.of(LogCounts.COUNTING).of(reason),
              success.of(LogCounts.STATISTICAL).of(reason),
              success.of(LogCounts.RAW).of(reason),
              success.of(LogCounts.UNREADABLE).of(reason),
              success.sample(reason)));
    }
    blocks.add(
        new Passage.Table(
            name + "-reasons",
            "Which queries can be answered, and why not the others, with an example each.",
            List.of("outcome", "counting", "other statistics", "raw rows", "unreadable", "example"),
            rows));
  }
}
