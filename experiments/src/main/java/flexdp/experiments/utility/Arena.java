package flexdp.experiments.utility;

import flexdp.experiments.measure.Rides;
import flexdp.experiments.measure.Setting;
import flexdp.metrics.Metrics;
import flexdp.policy.Policy;
import flexdp.query.Bins;
import java.io.IOException;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * The workload in its database, ready to be answered.
 *
 * @param rows n of the paper's δ: the rows of all tables together
 */
public record Arena(List<Truth> truths, Metrics metrics, Answers answers, double rows) {
  /** What the owner pays once so that histograms over joins can be answered by default. */
  public static final double RELEASE_EPSILON = 1;

  public static final double RELEASE_DELTA = 1e-9;

  public static Arena of(Truths workload) throws IOException, SQLException {
    List<Truth> truths = workload.all();
    Policy policy = Rides.policy();
    try (Connection connection = workload.rides().open()) {
      Metrics metrics = Rides.measure(connection, policy);
      Metrics released =
          Rides.released(metrics, policy, Setting.Cost.of(RELEASE_EPSILON, RELEASE_DELTA));
      double rows =
          metrics.tables().values().stream()
              .mapToDouble(t -> t.rows().orElseThrow().doubleValue())
              .sum();
      Answers answers = new Answers(new Setting(policy, released), drivers(connection));
      return new Arena(truths, metrics, answers, rows);
    }
  }

  static Bins drivers(Connection connection) throws SQLException {
    List<List<Object>> rows = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("SELECT id FROM drivers")) {
      while (result.next()) {
        rows.add(List.of(BigDecimal.valueOf(result.getLong(1))));
      }
    }
    return new Bins(List.of("driver_id"), rows);
  }

  /** Queries whose population is large enough that utility may be expected: the paper's 100. */
  public static boolean isLarge(Truth truth) {
    return truth.population() >= 100;
  }
}
