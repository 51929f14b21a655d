package flexdp.experiments.study;

import flexdp.experiments.report.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The paper's numbers beside those of a log, question by question. */
final class StudyFindings {
  private static final String SILENT = "not given";

  private final LogCounts tally;
  private final List<Finding> findings = new ArrayList<>();

  private StudyFindings(LogCounts tally) {
    this.tally = tally;
  }

  static List<Finding> of(LogCounts tally) {
    StudyFindings all = new StudyFindings(tally);
    all.log();
    all.joins();
    all.results();
    all.success();
    return all.findings;
  }

  /** A name of an enum as people write it. */
  static String words(String name) {
    return name.toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private void add(String what, String paper, String ours) {
    findings.add(new Finding(what, paper, ours, ""));
  }

  private void log() {
    add("queries", "8.1 million", count(tally.queries()));
    long unread = tally.unreadable().total();
    add("of those unreadable", "6.58 % (of 9,862)", share(unread, tally.queries()));
    add("backends", "more than 6", count(tally.backends().descending().size()));
    Paper.OPERATORS.forEach(
        (name, percent) ->
            add(
                "queries with " + name,
                percent(percent),
                share(tally.operators().of(name), tally.readable())));
  }

  private void joins() {
    long queries = tally.readable();
    long many = tally.joins().count(2, Long.MAX_VALUE);
    add("most joins in a query", "95", count(tally.joins().most()));
    add("queries with several joins", "a majority", share(many, queries));
    shares("join condition: ", Paper.CONDITIONS, tally.conditions());
    add(
        "join queries of equijoins only",
        "65.9 %",
        share(tally.onlyEquijoins(), tally.withJoins()));
    double base = tally.baseKeyShare();
    add(
        "joins whose keys are columns of tables",
        "98.5 %",
        Double.isNaN(base) ? "–" : percent(100 * base));
    if (tally.relationships().total() > 0) {
      shares("join relationship: ", Paper.RELATIONSHIPS, tally.relationships());
    }
    add("queries with a self join", "28 %", share(tally.selfJoins(), queries));
    shares("join type: ", Paper.KINDS, tally.kinds());
    Counts kinds = tally.kinds();
    add(
        "join type: right, full",
        "less than 1 %",
        share(kinds.of("RIGHT") + kinds.of("FULL"), kinds.total()));
  }

  private void results() {
    add("statistical queries", "34 %", share(tally.statistical(), tally.readable()));
    shares("aggregation: ", Paper.AGGREGATES, tally.aggregates());
    Spread clauses = tally.clauses();
    add(
        "queries of fewer than 100 clauses",
        "the majority",
        share(clauses.count(0, 100), clauses.total()));
    add("clauses of the largest query", "thousands", count(clauses.most()));
    add("columns of the widest result", "hundreds", count(tally.resultColumns().most()));
    if (tally.resultRows().total() > 0) {
      add("rows of the longest result", "hundreds of thousands", count(tally.resultRows().most()));
    }
  }

  private void success() {
    if (tally.success().isEmpty()) {
      return;
    }
    Counts counting = tally.success().of(LogCounts.COUNTING);
    Counts statistical = new Counts();
    statistical.add(counting);
    statistical.add(tally.success().of(LogCounts.STATISTICAL));
    Counts asked = new Counts();
    asked.add(statistical);
    asked.add(tally.success().of(LogCounts.UNREADABLE));
    add("counting queries accepted", "76 %", accepted(counting));
    add("all statistical queries accepted", SILENT, accepted(statistical));
    add("the same, unreadable ones counted as refused", SILENT, accepted(asked));
  }

  private static String accepted(Counts counts) {
    return share(counts.of(Success.ACCEPTED), counts.total());
  }

  private void shares(String prefix, Map<String, Double> paper, Counts ours) {
    paper.forEach(
        (name, percent) ->
            add(prefix + words(name), percent(percent), share(ours.of(name), ours.total())));
  }

  private static String share(long part, long whole) {
    return whole == 0 ? "–" : percent(100.0 * part / whole);
  }

  private static String percent(double percent) {
    return String.format(Locale.ROOT, percent < 1 && percent > 0 ? "%.2f %%" : "%.1f %%", percent)
        .replace(".0 %", " %");
  }

  private static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }
}
