package flexdp.experiments.soundness;

import flexdp.experiments.Experiment;
import flexdp.experiments.Run;
import flexdp.experiments.Scale;
import flexdp.experiments.report.Chart;
import flexdp.experiments.report.Finding;
import flexdp.experiments.report.Passage;
import flexdp.experiments.report.Section;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Shortcuts of the paper and its code against the truth, by brute force. */
public final class Soundness implements Experiment {
  @Override
  public String name() {
    return "soundness";
  }

  @Override
  public String title() {
    return "How often published shortcuts add too little noise";
  }

  @Override
  public Duration estimate(Scale scale) {
    return Duration.ofSeconds(scale.of(3L, 10L, 60L));
  }

  @Override
  public Section run(Run run) {
    int cases = run.scale().of(100, 1_500, 20_000);
    run.say("outer joins, " + cases + " databases");
    List<Shortcut> shortcuts = new ArrayList<>();
    shortcuts.add(OuterAsInner.run(cases, run.seed()));
    run.say("stops of the search");
    shortcuts.add(EarlyStop.run(cases / 10, run.seed()));
    run.say("histograms");
    shortcuts.add(ManyBins.run(run.scale().of(60, 150, 300)));
    run.say("sums");
    shortcuts.add(Sums.run(cases / 10, run.seed()));
    return section(shortcuts, ManyBins.all());
  }

  private Section section(List<Shortcut> shortcuts, List<ManyBins.Row> bins) {
    List<List<Object>> rows = new ArrayList<>();
    List<Finding> findings = new ArrayList<>();
    for (Shortcut s : shortcuts) {
      rows.add(
          List.of(
              s.name(),
              s.published(),
              s.holds(),
              s.cases(),
              s.tooSmall(),
              s.share(),
              s.worst(),
              s.oursTooSmall(),
              s.example()));
      findings.add(
          new Finding(
              s.name(),
              "taken to be private",
              String.format(
                  Locale.ROOT,
                  "too little noise in %.1f %% of %,d cases; our rule in %d",
                  s.share(),
                  s.cases(),
                  s.oursTooSmall()),
              s.holds()));
    }
    List<List<Object>> deltas = new ArrayList<>();
    for (ManyBins.Row row : bins) {
      deltas.add(
          List.of(
              row.epsilon(),
              row.bins(),
              scientific(row.nominal()),
              scientific(row.real()),
              scientific(row.beta()),
              scientific(row.sound())));
    }
    return new Section(
        name(),
        title(),
        findings,
        List.of(
            new Passage.Prose(
                "Each shortcut is compared with the truth over small random databases (every row"
                    + " replaced by every other) or random max frequencies. A case counts against"
                    + " it when one row can change the answer by more than its bound at distance 0,"
                    + " when its S is below the maximum, or when the δ that holds is above the"
                    + " nominal one. The databases are random, not typical: the shares say that"
                    + " failures are common, not how common they are in your data."),
            new Passage.Table(
                "soundness",
                "Shortcuts against brute force",
                List.of(
                    "shortcut",
                    "published",
                    "what holds",
                    "cases",
                    "too small",
                    "too small, %",
                    "worst factor",
                    "ours too small",
                    "an example"),
                rows),
            new Passage.Table(
                "soundness-bins",
                "The paper's β on histograms: a lower bound of the real δ",
                List.of("ε", "bins", "nominal δ", "real δ ≥", "paper's β", "sound β"),
                deltas),
            new Passage.Figure("The real δ against the number of bins.", chart(bins))));
  }

  private static Chart chart(List<ManyBins.Row> bins) {
    List<Chart.Series> series = new ArrayList<>();
    for (double epsilon : new double[] {0.1, 1}) {
      List<Chart.Point> points = new ArrayList<>();
      for (ManyBins.Row row : bins) {
        if (row.epsilon() == epsilon && row.real() > 1e-14) {
          points.add(new Chart.Point(row.bins(), row.real()));
        }
      }
      series.add(new Chart.Series("ε = " + epsilon + ", nominal 1e-8", points));
    }
    return new Chart.Lines(Chart.Axis.log("bins"), Chart.Axis.log("δ is at least"), series);
  }

  private static String scientific(double value) {
    return String.format(Locale.ROOT, "%.2g", value);
  }
}
