package flexdp.gateway;

import flexdp.budget.Allowances;
import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.collect.MetricsFile;
import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.files.JsonText;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.ledger.Ledger;
import flexdp.gateway.ledger.LedgerOpening;
import flexdp.gateway.livedata.LiveMetrics;
import flexdp.metrics.Metrics;
import flexdp.metrics.MetricsReader;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;

/**
 * A public table that has grown forty times since it was measured, and protected rows beside it.
 */
public final class GrownTables implements AutoCloseable {
  public static final int GROWN = 40;

  public static final Policy POLICY =
      PolicyReader.read(
          YamlText.tree(
              """
              privacy: {epsilon: 1, budget: {epsilon: 1000000}}
              tables:
                t: {columns: {a: {type: integer, domain: [1, 2]}, b: {type: integer, domain: [1, 2]}}}
                p: {public: true, columns: {a: {type: integer}}}
              """,
              Code.BAD_POLICY));

  public final JdbcDatabase database;
  public final Ledger ledger;

  public GrownTables(Path file) throws SQLException {
    Connection connection = DriverManager.getConnection("jdbc:duckdb:");
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE t AS SELECT 1::INTEGER AS a, (1 + i % 2)::INTEGER AS b FROM range(10)"
              + " r(i)");
      statement.execute("CREATE TABLE p AS SELECT 1::INTEGER AS a FROM range(" + GROWN + ")");
    }
    database = JdbcDatabase.over(connection, POLICY, Duration.ofMinutes(10), ErrorLog.NONE);
    ledger = LedgerOpening.file(file, Allowances.of(POLICY), false);
  }

  /** As a file of metrics has it from the time when the public table had one row. */
  public LiveMetrics old() {
    return LiveMetrics.of(
        POLICY,
        new MetricsFile.Content(metrics(1), Map.of(), Map.of()),
        database.vendor(),
        database.catalog(),
        database.version());
  }

  /** As the owner vouches for it. */
  public static LiveMetrics vouched(int most) {
    return LiveMetrics.vouched(POLICY, metrics(most));
  }

  private static Metrics metrics(int most) {
    return MetricsReader.read(
        JsonText.tree(
            """
            {"t": {"rows": 10, "columns": {"a": {"maxFrequency": 10}}},
             "p": {"rows": %d, "columns": {"a": {"maxFrequency": %d}}}}
            """
                .formatted(most, most),
            Code.BAD_METRICS),
        POLICY);
  }

  @Override
  public void close() {
    ledger.close();
    database.close();
  }
}
