package flexdp.experiments.workload;

import flexdp.Analyzer;
import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.collect.Collector;
import flexdp.gateway.collect.Progress;
import flexdp.gateway.collect.RequiredFrequencies;
import flexdp.gateway.demo.RideSharing;
import flexdp.gateway.files.YamlText;
import flexdp.metrics.Metrics;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Clock;
import java.time.LocalDateTime;

/** The demo's database in memory, small, and measured. */
public record SmallRides(RideSharing data, Connection connection, Policy policy, Metrics metrics) {
  public static SmallRides open() throws SQLException {
    RideSharing data = new RideSharing(2_000, 1);
    Connection connection = DriverManager.getConnection("jdbc:duckdb:");
    data.fill(connection);
    Policy policy =
        PolicyReader.read(YamlText.tree(RideSharing.policy("jdbc:duckdb:"), Code.BAD_POLICY));
    Metrics metrics =
        new Collector(policy, RequiredFrequencies.of(policy), Progress.NONE, Clock.systemUTC())
            .collect(connection)
            .metrics();
    return new SmallRides(data, connection, policy, metrics);
  }

  public Analyzer analyzer() {
    return new Analyzer(policy, metrics, LocalDateTime.of(2016, 12, 1, 0, 0));
  }
}
