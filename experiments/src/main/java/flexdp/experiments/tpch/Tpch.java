package flexdp.experiments.tpch;

import flexdp.experiments.Experiment;
import flexdp.experiments.Run;
import flexdp.experiments.Scale;
import flexdp.experiments.measure.Setting;
import flexdp.experiments.measure.TrueAnswers;
import flexdp.experiments.report.Section;
import flexdp.metrics.Metrics;
import flexdp.metrics.TableMetrics;
import flexdp.noise.Noise;
import flexdp.policy.Policy;
import java.io.IOException;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The paper's mechanism and our default on TPC-H. */
public final class Tpch implements Experiment {
  private static final List<Double> EPSILONS = List.of(0.1, 0.8, 1.0, 3.2);
  private static final int ROUNDS = 100;

  @Override
  public String name() {
    return "tpch";
  }

  @Override
  public String title() {
    return "TPC-H: five counting queries and ten joins (section 5.2.1)";
  }

  @Override
  public Duration estimate(Scale scale) {
    return Duration.ofSeconds(scale.of(6L, 20L, 150L));
  }

  @Override
  public Section run(Run run) throws IOException, SQLException {
    double size = run.scale().of(0.01, 0.02, 1.0);
    Policy policy = TpchDatabase.policy();
    run.say("TPC-H at scale factor " + size);
    try (Connection connection = new TpchDatabase(run.scratch(), size).open()) {
      run.say("measuring max frequencies");
      Metrics metrics = TpchDatabase.measure(connection, policy);
      double rows = rows(metrics);
      Setting setting = new Setting(policy, metrics);
      List<Asked> histograms = new ArrayList<>();
      for (Asked.Question question : histograms(connection, size)) {
        run.say("histogram " + question.name());
        Setting.Cost cost = Setting.Cost.ofPaper(0.1, rows);
        histograms.add(Asked.of(question, setting, cost, ROUNDS, Noise.secure()));
      }
      List<Asked> joins = new ArrayList<>();
      for (Asked.Question question : joins(connection)) {
        run.say("join " + question.name());
        for (double epsilon : EPSILONS) {
          Setting.Cost cost = Setting.Cost.ofPaper(epsilon, rows);
          joins.add(Asked.of(question, setting, cost, ROUNDS, Noise.secure()));
        }
      }
      return new TpchText(size, rows, histograms, joins).section(name(), title());
    }
  }

  /** n of δ = n^(−ε ln n). */
  private static double rows(Metrics metrics) {
    return metrics.tables().values().stream()
        .map(TableMetrics::rows)
        .flatMap(Optional::stream)
        .mapToDouble(BigInteger::doubleValue)
        .sum();
  }

  private static List<Asked.Question> histograms(Connection connection, double size)
      throws SQLException {
    List<Asked.Question> questions = new ArrayList<>();
    for (Histograms.Histogram h : Histograms.all(size)) {
      questions.add(
          new Asked.Question(
              h.name(),
              h.sql(),
              h.labels(),
              (int) TrueAnswers.number(connection, h.bins()),
              TrueAnswers.cells(connection, h.sql()),
              h.released()));
    }
    return questions;
  }

  private static List<Asked.Question> joins(Connection connection) throws SQLException {
    List<Asked.Question> questions = new ArrayList<>();
    for (TpchJoins.Join j : TpchJoins.all()) {
      questions.add(
          new Asked.Question(
              j.name(),
              j.sql(),
              Optional.empty(),
              1,
              TrueAnswers.cells(connection, j.sql()),
              List.of()));
    }
    return questions;
  }
}
