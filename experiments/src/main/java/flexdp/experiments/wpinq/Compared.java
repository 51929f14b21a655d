package flexdp.experiments.wpinq;

import flexdp.experiments.measure.Law;
import flexdp.experiments.measure.Medians;
import flexdp.experiments.measure.Setting;
import flexdp.experiments.measure.TrueAnswers;
import flexdp.experiments.measure.Way;
import flexdp.noise.Laplace;
import flexdp.noise.Noise;
import flexdp.noise.PrivacyParameters;
import flexdp.noise.SecureBits;
import flexdp.plan.MetricRelease;
import flexdp.query.Bins;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One program answered by both.
 *
 * @param population the median of the true cells
 * @param wpinq median error in percent, noise and weights
 * @param weights the part of it that no ε removes: the median error of the weights alone
 */
record Compared(
    Program program,
    double population,
    double wpinq,
    double weights,
    double letter,
    double letterSensitivity,
    double ours,
    String mechanism,
    String formula) {
  private static final BigDecimal FINE = new BigDecimal("0.001");

  static Compared of(
      Program program, Connection connection, Setting setting, Setting.Cost cost, int rounds)
      throws SQLException {
    Map<String, Double> exact = groups(connection, program.sql());
    exact.values().removeIf(v -> v == 0);
    Map<String, Double> weights =
        groups(connection, WeightedSql.grouped(program.weighted(), program.key()));
    Noise noise = Noise.secure();
    double[] cells = exact.values().stream().mapToDouble(v -> v).toArray();
    Optional<Bins> labels = labels(connection, program);
    int bins = bins(connection, program, labels);
    Law letter = law(setting, program, Way.LETTER, cost, labels, bins);
    Setting.Noisy ours =
        released(setting, program, cost).noisy(program.sql(), Way.DEFAULT, cost, labels, bins);
    Law law = ours.law().orElseThrow();
    return new Compared(
        program,
        Medians.of(cells),
        error(exact, weights, Optional.of(cost.epsilon()), rounds, noise),
        error(exact, weights, Optional.empty(), 1, noise),
        Medians.sampled(letter, cells, rounds, noise),
        letter.sensitivity().doubleValue(),
        Medians.sampled(law, cells, rounds, noise),
        law.mechanism().name(),
        ours.formula());
  }

  private static Law law(
      Setting setting, Program p, Way way, Setting.Cost cost, Optional<Bins> labels, int bins) {
    return setting.noisy(p.sql(), way, cost, labels, bins).law().orElseThrow();
  }

  /** The relative error of sums of weights, with Laplace noise of scale 1/ε if there is an ε. */
  private static double error(
      Map<String, Double> exact,
      Map<String, Double> weights,
      Optional<BigDecimal> epsilon,
      int rounds,
      Noise noise) {
    int each = Math.max(1, Math.min(rounds, 5_000 / Math.max(1, exact.size())));
    double[] errors = new double[exact.size() * each];
    int at = 0;
    for (Map.Entry<String, Double> cell : exact.entrySet()) {
      double weight = weights.getOrDefault(cell.getKey(), 0.0);
      for (int i = 0; i < each; i++) {
        double drawn =
            epsilon
                .map(e -> noise.add(Laplace.of(e), BigDecimal.ONE, BigDecimal.ZERO, FINE))
                .orElse(BigDecimal.ZERO)
                .doubleValue();
        errors[at++] = 100 * Math.abs(weight + drawn - cell.getValue()) / cell.getValue();
      }
    }
    return Medians.of(errors);
  }

  /** Label to number; one number has the empty label. */
  private static Map<String, Double> groups(Connection connection, String sql) throws SQLException {
    Map<String, Double> groups = new HashMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      int last = rows.getMetaData().getColumnCount();
      while (rows.next()) {
        groups.put(last == 1 ? "" : rows.getString(1), rows.getDouble(last));
      }
    }
    return groups;
  }

  private static Optional<Bins> labels(Connection connection, Program program) throws SQLException {
    if (program.labels().isEmpty()) {
      return Optional.empty();
    }
    List<List<Object>> rows = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(program.labels())) {
      while (result.next()) {
        rows.add(List.of(BigDecimal.valueOf(result.getLong(1))));
      }
    }
    return Optional.of(new Bins(List.of(program.key()), rows));
  }

  private static int bins(Connection connection, Program program, Optional<Bins> labels)
      throws SQLException {
    if (!program.isHistogram()) {
      return 1;
    }
    return labels
        .map(bins -> bins.rows().size())
        .orElse((int) TrueAnswers.number(connection, "SELECT COUNT(DISTINCT name) FROM cities"));
  }

  private static Setting released(Setting setting, Program program, Setting.Cost cost) {
    List<MetricRelease.Metric> choice = new ArrayList<>();
    for (String column : program.released()) {
      int dot = column.indexOf('.');
      choice.add(
          new MetricRelease.Metric(
              column.substring(0, dot),
              MetricRelease.Kind.MAX_FREQUENCY,
              Set.of(column.substring(dot + 1))));
    }
    return choice.isEmpty()
        ? setting
        : new Setting(
            setting.policy(),
            MetricRelease.release(
                setting.metrics(),
                choice,
                new PrivacyParameters(cost.epsilon(), cost.delta()),
                new SecureBits()));
  }
}
