package flexdp.experiments.people;

import flexdp.experiments.report.Chart;
import flexdp.experiments.report.Finding;
import flexdp.experiments.report.Passage;
import flexdp.experiments.report.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What the report says of answers that protect people. */
record PeopleText(double size, int draws, int share, List<PeopleExperiment.Row> rows) {
  private static final double USUAL = 0.8;

  Section section(String name, String title) {
    List<Passage> blocks = new ArrayList<>();
    blocks.add(
        new Passage.Prose(
            "One person with everything she owns is protected: a customer with her orders and their"
                + " lines, a supplier, an order, or two of them at once; in ca-HepTh an author with"
                + " every row that names her. TPC-H at scale factor "
                + size
                + (share > 1 ? ", every " + share + "th edge of ca-HepTh" : "")
                + ". Errors are in percent of the true answer, the mean of "
                + draws
                + " answers without the best and the worst fifth, as R2T's experiments report"
                + " them. Ours are drawn by the samplers that answer questions."));
    blocks.add(
        new Passage.Prose(
            "R2T is built as its authors' program has it: levels 5.5, 5.5² … up to 10⁶, β = 0.1. On"
                + " ca-HepTh its linear programs are solved, by flows, by the simplex method, and"
                + " where most authors have more than τ by a first-order method that gives two"
                + " bounds. There, and with two kinds of owners, it is given an upper bound, which"
                + " favours it. The fixed level is the best of our levels in hindsight, which"
                + " nobody can know. Published are R2T's figures at ε = 0.8; those of ca-HepTh are"
                + " those of our design note, redrawn there."));
    for (double epsilon : PeopleExperiment.EPSILONS) {
      blocks.add(table(epsilon));
    }
    blocks.add(programs());
    blocks.add(
        new Passage.Figure(
            "Trimmed error in percent at ε = 0.8.",
            new Chart.Bars(
                rows.stream().map(PeopleExperiment.Row::name).toList(),
                Chart.Axis.log("trimmed error, %"),
                List.of(
                    new Chart.Group("ours", errors(PeopleExperiment.Row::ours)),
                    new Chart.Group("R2T", errors(PeopleExperiment.Row::race))))));
    return new Section(name, title, findings(), blocks);
  }

  private interface Column {
    Map<Double, DrawnErrors> of(PeopleExperiment.Row row);
  }

  private List<Double> errors(Column column) {
    return rows.stream().map(row -> column.of(row).get(USUAL).trimmed()).toList();
  }

  private Passage table(double epsilon) {
    List<List<Object>> lines = new ArrayList<>();
    for (PeopleExperiment.Row row : rows) {
      DrawnErrors ours = row.ours().get(epsilon);
      DrawnErrors race = row.race().get(epsilon);
      boolean usual = epsilon == USUAL;
      lines.add(
          Passage.row(
              row.name(),
              row.owners(),
              row.mechanism(),
              ours.trimmed(),
              ours.mean(),
              race.trimmed(),
              race.mean(),
              row.fixed().get(epsilon).trimmed(),
              usual ? row.published().map(p -> (Object) p).orElse("–") : "–",
              usual ? (Object) row.design() : "–",
              row.plain(),
              row.read()));
    }
    return new Passage.Table(
        "people-" + epsilon,
        "ε = " + epsilon,
        List.of(
            "query",
            "owners",
            "mechanism",
            "ours, %",
            "ours, plain mean",
            "R2T, %",
            "R2T, plain mean",
            "best fixed τ, %",
            "R2T published, %",
            "ours by design, %",
            "plain query, s",
            "ours all in, s"),
        lines);
  }

  /** The race's programs: what each took, and how much of its value is known. */
  private Passage programs() {
    List<List<Object>> lines = new ArrayList<>();
    for (PeopleExperiment.Row row : rows) {
      for (RacePrograms.Solved program : row.programs()) {
        lines.add(
            Passage.row(
                row.name(),
                program.level(),
                program.results(),
                program.people(),
                program.by(),
                program.seconds(),
                program.lower(),
                program.upper()));
      }
    }
    return new Passage.Table(
        "people-programs",
        "R2T's programs on ca-HepTh",
        List.of(
            "query",
            "τ",
            "variables",
            "people with more",
            "by",
            "seconds",
            "value, at least",
            "value, at most"),
        lines);
  }

  private List<Finding> findings() {
    List<Finding> all = new ArrayList<>();
    for (PeopleExperiment.Row row : rows) {
      double ours = row.ours().get(USUAL).trimmed();
      double ratio = ours / row.design();
      all.add(
          new Finding(
              row.name() + ", ε = 0.8",
              row.published().map(p -> "R2T " + number(p) + " %").orElse("not given"),
              number(ours) + " %",
              size < 1 || share > 1
                  ? "smaller data than published: errors are larger in proportion"
                  : "%.2f of what the design promised".formatted(ratio)));
    }
    return all;
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.2g", value);
  }
}
