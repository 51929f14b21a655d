package flexdp.experiments.measure;

import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.collect.Collector;
import flexdp.gateway.collect.MetricsPublication;
import flexdp.gateway.collect.Progress;
import flexdp.gateway.collect.RequiredFrequencies;
import flexdp.gateway.demo.RideSharing;
import flexdp.gateway.files.YamlText;
import flexdp.metrics.Metrics;
import flexdp.noise.PrivacyParameters;
import flexdp.noise.SecureBits;
import flexdp.plan.MetricRelease;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Clock;

/** The ride-sharing database in a DuckDB file, generated once and kept. */
public record Rides(Path folder, int trips) {

  public static Policy policy() {
    return PolicyReader.read(
        YamlText.tree(RideSharing.policy("jdbc:duckdb:rides.duckdb"), Code.BAD_POLICY));
  }

  public Path file() throws IOException, SQLException {
    Path file = folder.resolve("rides-" + trips + ".duckdb");
    if (!Files.exists(file)) {
      new RideSharing(trips, RideSharing.DEFAULT_SEED).create(file);
    }
    return file;
  }

  /** The database, made first if it is not there. */
  public Connection open() throws IOException, SQLException {
    return DriverManager.getConnection("jdbc:duckdb:" + file());
  }

  /** What the owner's collect measures. */
  public static Metrics measure(Connection connection, Policy policy) {
    return new Collector(policy, RequiredFrequencies.of(policy), Progress.NONE, Clock.systemUTC())
        .collect(connection)
        .metrics();
  }

  /** Metrics with the usual ones released once at this price. */
  public static Metrics released(Metrics metrics, Policy policy, Setting.Cost cost) {
    return MetricRelease.release(
        metrics,
        MetricsPublication.usual(policy, metrics),
        new PrivacyParameters(cost.epsilon(), cost.delta()),
        new SecureBits());
  }
}
