package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import flexdp.budget.Allowances;
import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.collect.MetricsFile;
import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.engine.QueryEngine;
import flexdp.gateway.engine.SeededGateways;
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
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The noise of an answer is scaled to the data that it was computed from. */
class LiveAnswersTest {
  private static final Policy POLICY =
      PolicyReader.read(
          YamlText.tree(
              """
              privacy: {epsilon: 1, delta: 1e-9, budget: {epsilon: 100, delta: 1e-6}}
              tables:
                t: {columns: {a: {type: integer}}}
                u: {columns: {a: {type: integer, unique: true}}}
                p: {public: true, columns: {a: {type: integer, unique: true, nullable: false}}}
              """,
              Code.BAD_POLICY));

  @TempDir Path folder;

  @Test
  void oldMetricsAreNotUsed() throws Exception {
    Metrics old = metrics(3);
    LiveMetrics vouchedOld = LiveMetrics.vouched(POLICY, old);
    LiveMetrics vouchedTrue = LiveMetrics.vouched(POLICY, metrics(40));
    List<List<Object>> truth = ask("true", database -> vouchedTrue);
    assertNotEquals(truth, ask("old", database -> vouchedOld), "the scale shows in replayed noise");
    MetricsFile.Content content = new MetricsFile.Content(old, Map.of(), Map.of());
    assertEquals(
        truth,
        ask(
            "live",
            database ->
                LiveMetrics.of(
                    POLICY, content, database.vendor(), database.catalog(), database.version())));
  }

  /** Its scale is private, and the labels that make it few bins are in another table. */
  @Test
  void aHistogramOverLabelsOfAPublicTableIsAnsweredOnTablesThatChange() throws Exception {
    MetricsFile.Content content = new MetricsFile.Content(metrics(3), Map.of(), Map.of());
    List<List<Object>> rows =
        ask(
            "labels",
            "SELECT p.a, COUNT(*) FROM t JOIN u ON t.a = u.a JOIN p ON u.a = p.a GROUP BY p.a"
                + " ORDER BY 1",
            database ->
                LiveMetrics.of(
                    POLICY, content, database.vendor(), database.catalog(), database.version()));
    assertEquals(List.of("1", "2", "3"), rows.stream().map(r -> r.getFirst().toString()).toList());
  }

  private interface Chosen {
    LiveMetrics of(JdbcDatabase database);
  }

  /** Forty rows share a value; the noise is always drawn from the same bits. */
  private List<List<Object>> ask(String name, Chosen metrics) throws Exception {
    return ask(name, "SELECT COUNT(*) FROM t JOIN u ON t.a = u.a", metrics);
  }

  private List<List<Object>> ask(String name, String sql, Chosen metrics) throws Exception {
    Connection connection = DriverManager.getConnection("jdbc:duckdb:");
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE t AS SELECT 1 AS a FROM range(40)");
      statement.execute("CREATE TABLE p AS SELECT i::INTEGER AS a FROM range(1, 4) r(i)");
      statement.execute("CREATE TABLE u AS SELECT i::INTEGER AS a FROM range(5) r(i)");
    }
    try (JdbcDatabase database =
            JdbcDatabase.over(connection, POLICY, Duration.ofMinutes(10), ErrorLog.NONE);
        Ledger ledger =
            LedgerOpening.file(folder.resolve(name + ".ledger"), Allowances.of(POLICY), false)) {
      QueryEngine engine =
          SeededGateways.gateway(
              POLICY,
              metrics.of(database),
              "test",
              database,
              ledger,
              ErrorLog.NONE,
              Clock.systemUTC(),
              () -> new SmallRides.Replayed(7));
      return engine.ask(new QueryRequest(sql, QueryOptions.DEFAULT, "ann", Set.of(), false)).rows();
    }
  }

  private static Metrics metrics(int most) {
    return MetricsReader.read(
        JsonText.tree(
            """
            {"t": {"rows": 40, "columns": {"a": {"maxFrequency": %d}}}, "u": {"rows": 5}}
            """
                .formatted(most),
            Code.BAD_METRICS),
        POLICY);
  }
}
