package flexdp.experiments.alerts;

import flexdp.experiments.Experiment;
import flexdp.experiments.Run;
import flexdp.experiments.Scale;
import flexdp.experiments.report.Finding;
import flexdp.experiments.report.Passage;
import flexdp.experiments.report.Section;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Which of many counts are above a threshold: sparse vector against asking one by one. */
public final class Alerts implements Experiment {
  private static final List<String> COLUMNS =
      List.of(
          "questions",
          "hits",
          "one by one",
          "sparse vector",
          "times nearer",
          "sparse vector, one way",
          "times nearer, one way",
          "disjoint parts");

  @Override
  public String name() {
    return "alerts";
  }

  @Override
  public String title() {
    return "Alerts that cost nothing until they fire (sparse vector, section 6)";
  }

  @Override
  public Duration estimate(Scale scale) {
    return Duration.ofSeconds(scale.of(1L, 1L, 2L));
  }

  @Override
  public Section run(Run run) {
    List<List<Object>> rows = new ArrayList<>();
    List<Finding> findings = new ArrayList<>();
    String[] design = {
      "15 (22 one way)", "145 (225 one way)", "42 (76 one way)", "402 (738 one way)"
    };
    int[][] cases = {{52, 1}, {520, 1}, {520, 5}, {5000, 5}};
    for (int i = 0; i < cases.length; i++) {
      AlertDistance safe = new AlertDistance(cases[i][0], cases[i][1]);
      int each = safe.each(1);
      int any = safe.sparse(1, false);
      int oneWay = safe.sparse(1, true);
      rows.add(
          Passage.row(
              cases[i][0],
              cases[i][1],
              each,
              any,
              Math.round((double) each / any),
              oneWay,
              Math.round((double) each / oneWay),
              safe.apart(1)));
      findings.add(
          new Finding(
              cases[i][0] + " questions, " + cases[i][1] + " hits",
              design[i],
              String.format(
                  Locale.ROOT, "%.0f (%.0f one way)", (double) each / any, (double) each / oneWay),
              "the other figures were drawn, these are computed"));
      run.say(cases[i][0] + " questions");
    }
    return new Section(
        name(),
        title(),
        findings,
        List.of(
            new Passage.Prose(
                "The least distance from the threshold at which all decisions are right with 95 %,"
                    + " at ε = 1, one row moving each count by 1. One by one, each question gets"
                    + " its share of ε. Sparse vector (flexdp watch, ask --workload FILE --above N)"
                    + " pays for hits alone; where rows can move all counts only one way, which the"
                    + " analysis proves, it needs less noise. Where the questions are about"
                    + " disjoint parts of a partitioned table, asking plainly is sharper still."
                    + " The figures beside ours are those of the design's prototype."),
            new Passage.Table("alerts", "Least safe distance from the threshold", COLUMNS, rows)));
  }
}
