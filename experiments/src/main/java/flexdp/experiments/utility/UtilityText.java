package flexdp.experiments.utility;

import flexdp.experiments.report.Chart;
import flexdp.experiments.report.Finding;
import flexdp.experiments.report.Passage;
import flexdp.experiments.report.Section;
import flexdp.experiments.utility.Answers.Answered;
import flexdp.experiments.workload.Trait;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * What the report says of the workload.
 *
 * @param answered by the paper to the letter and by our default, in this order
 */
record UtilityText(
    int trips, List<Answered> answered, List<Exchange> exchanges, double drawnRatio) {
  private static final int LETTER = 0;
  private static final int DEFAULT = 1;
  private static final List<String> WAYS = List.of("paper, to the letter", "FlexDP's default");
  private static final int MOST_DOTS = 1_500;

  Section section(String name, String title) {
    List<Passage> blocks = new ArrayList<>();
    blocks.add(
        new Passage.Prose(
            "%,d counting queries drawn after what the paper says of its own, which are secret, over"
                    .formatted(answered.size())
                + " a ride-sharing database of %,d trips; ε = 0.1, δ = n^(−ε ln n). The population"
                    .formatted(trips)
                + " of a query is the number of different trips it uses. Its error is the median"
                + " over its cells of the relative error, by the law of the noise; draws agree (the"
                + " median ratio of both over 30 queries is %.2f). Our default uses metrics that"
                    .formatted(drawnRatio)
                + " were released once for ε = 1. Histograms by driver get the drivers' keys as"
                + " labels."));
    blocks.add(populations());
    blocks.add(shares());
    blocks.add(scatter("queries without joins", a -> !a.truth().query().is(Trait.JOIN)));
    blocks.add(scatter("queries with joins", a -> a.truth().query().is(Trait.JOIN)));
    blocks.add(exchange());
    blocks.add(
        new Passage.Prose(
            "Exchangeability holds exactly where noise is a constant over ε and counts grow with"
                + " the data: a ratio of 1. Where the bound follows a max frequency, which grows"
                + " with the data too, more data help less: ratios above 1."));
    if (answered.stream().anyMatch(Answered::isRejected)) {
      blocks.add(rejected());
    }
    blocks.add(data());
    return new Section(name, title, findings(), blocks);
  }

  private List<Answered> some(Predicate<Answered> which) {
    return answered.stream().filter(which).toList();
  }

  static List<Double> errors(List<Answered> answered, int way) {
    return answered.stream().flatMap(a -> a.error(way).stream()).toList();
  }

  private Passage populations() {
    List<Double> edges = new ArrayList<>(List.of(0.0));
    for (double edge = 1; edge <= 10L * trips; edge *= 10) {
      edges.add(edge);
    }
    double[] counts = new double[edges.size() - 1];
    for (Answered a : answered) {
      int at = counts.length - 1;
      while (at > 0 && a.truth().population() < edges.get(at)) {
        at--;
      }
      counts[at]++;
    }
    List<String> names = new ArrayList<>();
    List<Double> heights = new ArrayList<>();
    for (int i = 0; i < counts.length; i++) {
      names.add(i == 0 ? "0" : "%,.0f and more".formatted(edges.get(i)));
      heights.add(100 * counts[i] / answered.size());
    }
    return new Passage.Figure(
        "Population sizes of the workload, in percent of its queries.",
        new Chart.Bars(
            names,
            Chart.Axis.linear("% of queries"),
            List.of(new Chart.Group("queries", heights))));
  }

  private Passage shares() {
    List<String> columns = new ArrayList<>(List.of("queries", "way", "answered"));
    columns.addAll(Classes.NAMES);
    List<List<Object>> rows = new ArrayList<>();
    Map<String, Predicate<Answered>> groups = new TreeMap<>();
    groups.put("1 all, population ≥ 100", a -> true);
    groups.put("2 without joins, population ≥ 100", a -> !a.truth().query().is(Trait.JOIN));
    groups.put("3 with joins, population ≥ 100", a -> a.truth().query().is(Trait.JOIN));
    groups.forEach(
        (title, which) -> {
          List<Answered> group = some(a -> which.test(a) && Arena.isLarge(a.truth()));
          for (int way : new int[] {LETTER, DEFAULT}) {
            List<Object> row = new ArrayList<>();
            row.add(title.substring(2));
            row.add(WAYS.get(way));
            row.add(errors(group, way).size());
            row.addAll(Classes.shares(errors(group, way)));
            rows.add(row);
          }
        });
    return new Passage.Table(
        "utility-shares", "Share of queries by median error, in percent", columns, rows);
  }

  private Passage scatter(String title, Predicate<Answered> which) {
    List<Chart.Series> series = new ArrayList<>();
    List<Answered> group = some(a -> which.test(a) && a.truth().population() > 0);
    int step = Math.max(1, group.size() / MOST_DOTS);
    for (int way : new int[] {LETTER, DEFAULT}) {
      List<Chart.Point> points = new ArrayList<>();
      for (int i = 0; i < group.size(); i += step) {
        Answered a = group.get(i);
        a.error(way).ifPresent(e -> points.add(new Chart.Point(a.truth().population(), e)));
      }
      series.add(new Chart.Series(WAYS.get(way), points));
    }
    return new Passage.Figure(
        "Median error against population: " + title + ".",
        new Chart.Scatter(
            Chart.Axis.log("population, trips"), Chart.Axis.log("median error, %"), series));
  }

  private Passage exchange() {
    List<List<Object>> rows = new ArrayList<>();
    exchanges.forEach(e -> rows.add(List.of(e.way().title(), e.queries(), e.without(), e.with())));
    return new Passage.Table(
        "utility-exchange",
        "Error at ε = 0.1 over error at ε = 0.4 on a quarter of the data: the median ratio",
        List.of("way", "queries", "without joins", "with joins"),
        rows);
  }

  private Passage rejected() {
    Map<String, Integer> reasons = new TreeMap<>();
    some(Answered::isRejected).forEach(a -> reasons.merge(a.reason(), 1, Integer::sum));
    List<List<Object>> rows = new ArrayList<>();
    reasons.forEach((reason, n) -> rows.add(List.of(reason, n, 100.0 * n / answered.size())));
    return new Passage.Table(
        "utility-rejected",
        "Queries that are not answered",
        List.of("reason", "queries", "% of the workload"),
        rows);
  }

  private Passage data() {
    List<List<Object>> rows = new ArrayList<>();
    for (Answered a : answered) {
      List<Object> row = new ArrayList<>();
      row.add(a.truth().query().is(Trait.JOIN) ? "yes" : "no");
      row.add(a.truth().population());
      row.add(a.truth().cells().length);
      row.add(a.error(LETTER).map(e -> (Object) e).orElse(""));
      row.add(a.error(DEFAULT).map(e -> (Object) e).orElse(""));
      row.add(a.truth().query().sql());
      rows.add(row);
    }
    return new Passage.Data(
        "utility-queries",
        "Every query",
        List.of("join", "population", "cells", "letter %", "default %", "sql"),
        rows);
  }

  private List<Finding> findings() {
    List<Answered> large = some(a -> Arena.isLarge(a.truth()));
    List<Answered> joins = large.stream().filter(a -> a.truth().query().is(Trait.JOIN)).toList();
    List<Answered> plain = large.stream().filter(a -> !a.truth().query().is(Trait.JOIN)).toList();
    return List.of(
        new Finding(
            "queries under 10 % error, without / with joins",
            "a majority of both",
            under(plain, LETTER)
                + " / "
                + under(joins, LETTER)
                + " by the paper to the letter; "
                + under(plain, DEFAULT)
                + " / "
                + under(joins, DEFAULT)
                + " by our default",
            "populations here end at %,d trips, the paper's at billions; what a join costs does"
                    .formatted(trips)
                + " not depend on that, what it is divided by does"),
        new Finding(
            "error falls with population, with and without joins",
            "yes, and scale-ε exchangeability is preserved",
            "yes; the median ratio of errors at 4·n, ε and n, 4·ε is "
                + ratio(exchanges.getLast().without())
                + " without and "
                + ratio(exchanges.getLast().with())
                + " with joins",
            "a max frequency that grows with the data takes part of the gain"),
        new Finding(
            "queries that cannot be answered",
            "24 % (14.14 % unsupported, 6.58 % not parsed, 3.21 % other)",
            percent(100.0 * some(Answered::isRejected).size() / answered.size()),
            "this workload has only the shapes that utility is measured on; the study's workload"
                + " has the others"));
  }

  private static String under(List<Answered> group, int way) {
    List<Double> errors = errors(group, way);
    double count = errors.stream().filter(e -> e < 10).count();
    return percent(100 * count / Math.max(1, errors.size()));
  }

  private static String percent(double value) {
    return String.format(Locale.ROOT, "%.1f %%", value);
  }

  private static String ratio(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }
}
