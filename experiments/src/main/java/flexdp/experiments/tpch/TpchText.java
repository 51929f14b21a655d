package flexdp.experiments.tpch;

import flexdp.experiments.measure.Way;
import flexdp.experiments.report.Chart;
import flexdp.experiments.report.Finding;
import flexdp.experiments.report.Passage;
import flexdp.experiments.report.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** What the report says of TPC-H. */
record TpchText(double size, double rows, List<Asked> histograms, List<Asked> joins) {

  Section section(String name, String title) {
    List<Passage> blocks = new ArrayList<>();
    blocks.add(
        new Passage.Prose(
            "Scale factor %s, %,.0f rows. As in the paper region, nation and part are public, δ ="
                    .formatted(size, rows)
                + " n^(−ε ln n), and the error of a query is the median over all cells and 100"
                + " runs of the relative error of a cell. True answers come from plain SQL, on the"
                + " owner's side. Only counts are asked: where TPC-H has sums beside the count they"
                + " are left out, since each would take its share of ε."));
    blocks.add(histogramTable());
    blocks.add(bars("The five counting queries: median error", histograms));
    blocks.add(scatter());
    blocks.add(
        new Passage.Prose(
            "Q16 and Q21 have bounds that depend on the data and thousands of bins. Our default"
                + " answers them by released metrics: their max frequencies are published once with"
                + " noise, which costs ε = 0.1 once for as many histograms as follow. The column"
                + " “release paid” takes the release out of the query's own ε instead, half each."
                + " “Real δ” is what the paper's β can come to when all bins stretch together: a"
                + " lower bound for the worst pair of neighbours, to be held against the nominal"
                + " δ."));
    blocks.add(joinTable());
    blocks.add(
        bars(
            "Ten joins, one count each, at ε = 0.1: median error",
            joins.stream().filter(a -> epsilon(a) == 0.1).toList()));
    blocks.add(
        new Passage.Prose(
            "The papers that ask these joins (such as race-to-the-top, R2T) protect a whole"
                + " customer or supplier with every row that refers to it; here, as in FLEX, one"
                + " row is protected. Their errors and these are not comparable number by"
                + " number."));
    blocks.add(formulas());
    return new Section(name, title, findings(), blocks);
  }

  private static double epsilon(Asked a) {
    return a.cost().epsilon().doubleValue();
  }

  private Passage histogramTable() {
    List<String> columns =
        new ArrayList<>(List.of("query", "bins", "median population", "default mechanism"));
    for (Way way : Way.values()) {
      columns.add(way.title() + ", %");
    }
    columns.addAll(
        List.of(
            "default drawn, %", "release paid, %", "less than flex by", "nominal δ", "real δ ≥"));
    List<List<Object>> table = new ArrayList<>();
    for (Asked a : histograms) {
      List<Object> row = new ArrayList<>();
      row.add(a.name());
      row.add(a.bins());
      row.add(a.population());
      row.add(a.errors().get(Way.DEFAULT).mechanism());
      for (Way way : Way.values()) {
        row.add(a.errors().get(way).expected());
      }
      row.add(a.errors().get(Way.DEFAULT).drawn());
      row.add(a.paid().map(e -> (Object) e.expected()).orElse("–"));
      row.add(times(better(a)));
      row.add(scientific(a.cost().delta().doubleValue()));
      row.add(a.reallyAtLeast() > 0 ? scientific(a.reallyAtLeast()) : "as nominal");
      table.add(row);
    }
    return new Passage.Table(
        "tpch-histograms", "Median error in percent at ε = 0.1", columns, table);
  }

  /** By how much the better of the two sound forms of the paper's mechanism exceeds ours. */
  static double better(Asked a) {
    double sound =
        Math.min(a.errors().get(Way.REPAIRED).expected(), a.errors().get(Way.FLEX).expected());
    return sound / a.errors().get(Way.DEFAULT).expected();
  }

  private Passage joinTable() {
    List<String> columns = new ArrayList<>(List.of("join", "ε", "true count", "default mechanism"));
    for (Way way : List.of(Way.LETTER, Way.FLEX, Way.DEFAULT)) {
      columns.add(way.title() + ", %");
    }
    columns.addAll(List.of("default drawn, %", "less than flex by"));
    List<List<Object>> table = new ArrayList<>();
    for (Asked a : joins) {
      List<Object> row = new ArrayList<>();
      row.add(a.name());
      row.add(epsilon(a));
      row.add(a.population());
      row.add(a.errors().get(Way.DEFAULT).mechanism());
      for (Way way : List.of(Way.LETTER, Way.FLEX, Way.DEFAULT)) {
        row.add(a.errors().get(way).expected());
      }
      row.add(a.errors().get(Way.DEFAULT).drawn());
      row.add(times(better(a)));
      table.add(row);
    }
    return new Passage.Table("tpch-joins", "Joins without grouping: median error", columns, table);
  }

  private static Passage bars(String caption, List<Asked> asked) {
    List<Chart.Group> groups = new ArrayList<>();
    for (Way way : Way.values()) {
      groups.add(
          new Chart.Group(
              way.title(), asked.stream().map(a -> a.errors().get(way).expected()).toList()));
    }
    return new Passage.Figure(
        caption,
        new Chart.Bars(
            asked.stream().map(Asked::name).toList(), Chart.Axis.log("median error, %"), groups));
  }

  private Passage scatter() {
    List<Chart.Series> series = new ArrayList<>();
    for (Way way : List.of(Way.LETTER, Way.DEFAULT)) {
      series.add(
          new Chart.Series(
              way.title(),
              histograms.stream()
                  .map(a -> new Chart.Point(a.population(), a.errors().get(way).expected()))
                  .toList()));
    }
    return new Passage.Figure(
        "Median error against median population, the paper's figure for TPC-H.",
        new Chart.Scatter(
            Chart.Axis.log("median population"), Chart.Axis.log("median error, %"), series));
  }

  private Passage formulas() {
    List<List<Object>> table = new ArrayList<>();
    Stream.concat(histograms.stream(), joins.stream().filter(a -> epsilon(a) == 0.1))
        .forEach(
            a ->
                table.add(
                    List.of(
                        a.name() + (a.bins() > 1 ? "" : ", ungrouped"),
                        a.errors().get(Way.LETTER).formula(),
                        a.errors().get(Way.LETTER).scale(),
                        a.errors().get(Way.DEFAULT).formula(),
                        a.errors().get(Way.DEFAULT).scale())));
    return new Passage.Table(
        "tpch-bounds",
        "Elastic sensitivities and noise scales at ε = 0.1",
        List.of(
            "query", "the paper's rules", "scale, to the letter", "our rules", "scale, default"),
        table);
  }

  private List<Finding> findings() {
    List<Asked> atTenth =
        Stream.concat(histograms.stream(), joins.stream().filter(a -> epsilon(a) == 0.1)).toList();
    long noWorse = atTenth.stream().filter(a -> better(a) >= 1).count();
    double least = atTenth.stream().mapToDouble(TpchText::better).min().orElse(Double.NaN);
    List<String> lower =
        atTenth.stream()
            .filter(
                a -> a.errors().get(Way.LETTER).expected() < a.errors().get(Way.DEFAULT).expected())
            .map(a -> a.name() + (a.bins() > 1 ? "" : " (ungrouped)"))
            .toList();
    return List.of(
        new Finding(
            "median error of Q1, Q4, Q13, Q16, Q21",
            "a plot without numbers: falling with population, higher with joins",
            join(histograms, Way.DEFAULT),
            "the paper's mechanism to the letter comes to " + join(histograms, Way.LETTER)),
        new Finding(
            "queries where our default errs no more than the paper's mechanism made sound, ε = 0.1",
            "–",
            noWorse + " of " + atTenth.size() + ", by a factor of " + times(least) + " at least",
            "declared keys, touched keys, add-remove-one neighbours and Laplace or Lomax noise"
                + " without a δ"),
        new Finding(
            "queries where the paper to the letter errs less than our default",
            "–",
            lower.isEmpty() ? "none" : String.join(", ", lower),
            lower.isEmpty() ? "" : "it adds too little noise there: see the real δ"));
  }

  private static String join(List<Asked> asked, Way way) {
    List<String> parts = new ArrayList<>();
    asked.forEach(a -> parts.add(percent(a.errors().get(way).expected())));
    return String.join(", ", parts);
  }

  private static String percent(double value) {
    return String.format(Locale.ROOT, value < 0.1 ? "%.3g %%" : "%,.1f %%", value);
  }

  private static String times(double factor) {
    return String.format(Locale.ROOT, factor < 100 ? "%.1f×" : "%,.0f×", factor);
  }

  private static String scientific(double value) {
    return String.format(Locale.ROOT, "%.2g", value);
  }
}
