package flexdp.experiments.performance;

import flexdp.Analyzer;
import flexdp.experiments.Experiment;
import flexdp.experiments.Run;
import flexdp.experiments.Scale;
import flexdp.experiments.measure.Rides;
import flexdp.experiments.measure.Setting;
import flexdp.experiments.report.Finding;
import flexdp.experiments.report.Passage;
import flexdp.experiments.report.Section;
import flexdp.experiments.utility.Truths;
import flexdp.experiments.workload.CountingQueries;
import flexdp.experiments.workload.CountingQuery;
import flexdp.gateway.demo.RideSharing;
import flexdp.metrics.Metrics;
import flexdp.policy.Policy;
import java.sql.Connection;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Locale;

/** The original query, its analysis and the noise, each by itself. */
public final class Performance implements Experiment {
  private static final LocalDateTime NOW = LocalDateTime.of(2016, 12, 31, 0, 0);
  private static final int WARM_UP = 100;

  @Override
  public String name() {
    return "performance";
  }

  @Override
  public String title() {
    return "What privacy adds to the time of a query (section 5.1)";
  }

  @Override
  public Duration estimate(Scale scale) {
    return Duration.ofSeconds(scale.of(2L, 10L, 60L));
  }

  @Override
  public Section run(Run run) throws Exception {
    Truths workload = Truths.of(run);
    RideSharing data = new RideSharing(workload.trips(), RideSharing.DEFAULT_SEED);
    // Not the queries of the other experiments: an analysis that was remembered would be no time.
    CountingQueries queries = new CountingQueries(data, run.seed() + 1);
    Policy policy = Rides.policy();
    Steps measured = new Steps();
    try (Connection connection = workload.rides().open()) {
      Metrics metrics =
          Rides.released(Rides.measure(connection, policy), policy, Setting.Cost.of(1, 1e-9));
      Analyzer analyzer = new Analyzer(policy, metrics, NOW);
      Steps warmUp = new Steps();
      for (CountingQuery query : queries.take(run.scale().of(10, WARM_UP, WARM_UP))) {
        warmUp.measure(query, connection, analyzer);
      }
      int count = run.scale().of(20, 150, 1_000);
      run.say(count + " queries");
      for (CountingQuery query : queries.take(count)) {
        measured.measure(query, connection, analyzer);
      }
      return section(measured, count, workload.trips());
    }
  }

  private Section section(Steps steps, int count, int trips) {
    Times original = steps.original();
    Times analysis = steps.analysis();
    Times perturbation = steps.perturbation();
    double overhead = 100 * (analysis.total() + perturbation.total()) / original.total();
    double ofPaper = 100 * (analysis.average() + perturbation.average()) / 42.4;
    String database = "DuckDB in this process with %,d trips; the paper's".formatted(trips);
    return new Section(
        name(),
        title(),
        List.of(
            new Finding(
                "analysis, average / maximum",
                "7.03 ms / 1.2 s",
                milliseconds(analysis.average()) + " / " + milliseconds(analysis.most()),
                "eight years of hardware; the bound is a value, not computed anew for each k"),
            new Finding(
                "perturbation, average / maximum",
                "4.86 ms / 2.4 s",
                milliseconds(perturbation.average()) + " / " + milliseconds(perturbation.most()),
                "exact sampling from a cryptographic source, in place of doubles"),
            new Finding(
                "original query, average / maximum",
                "42.4 s / 3,452 s",
                milliseconds(original.average()) + " / " + milliseconds(original.most()),
                database + " ran on clusters with billions of rows"),
            new Finding(
                "overhead",
                "0.03 %",
                percent(overhead) + " of our queries, " + percent(ofPaper) + " of the paper's",
                "the time added does not depend on the size of the data, so its share shrinks as"
                    + " they grow")),
        List.of(
            new Passage.Prose(
                "%,d queries of the workload that were never analysed before, one after the other,"
                        .formatted(count)
                    + " after %d to warm up. Noise is drawn for every cell of the answer."
                        .formatted(WARM_UP)),
            new Passage.Table(
                "performance",
                "Seconds per query",
                List.of("step", "paper: average", "paper: maximum", "average", "maximum"),
                List.of(
                    List.of("original query", 42.4, 3452, original.average(), original.most()),
                    List.of("analysis", 0.007, 1.2, analysis.average(), analysis.most()),
                    List.of(
                        "output perturbation",
                        0.005,
                        2.4,
                        perturbation.average(),
                        perturbation.most())))));
  }

  private static String milliseconds(double seconds) {
    return String.format(Locale.ROOT, "%.2f ms", 1000 * seconds);
  }

  private static String percent(double value) {
    return String.format(Locale.ROOT, value < 1 ? "%.4f %%" : "%.1f %%", value);
  }
}
