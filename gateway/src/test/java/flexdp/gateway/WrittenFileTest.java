package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Account;
import flexdp.budget.Allowances;
import flexdp.failure.ConfigurationError.Code;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.collect.CollectedMetrics;
import flexdp.gateway.collect.Collector;
import flexdp.gateway.collect.MetricsFile;
import flexdp.gateway.collect.MetricsFile.ReleasedTable;
import flexdp.gateway.collect.Progress;
import flexdp.gateway.collect.RequiredFrequencies;
import flexdp.gateway.database.Databases;
import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.engine.QueryEngine;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.ledger.Ledger;
import flexdp.gateway.ledger.LedgerOpening;
import flexdp.gateway.livedata.LiveMetrics;
import flexdp.metrics.Metrics;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What shows of a DuckDB file that is written to after metrics were released from it. */
class WrittenFileTest {
  private static final String ONE = "SELECT COUNT(*) FROM t JOIN u ON t.a = u.a";
  private static final String BINS =
      "SELECT t.b, COUNT(*) FROM t JOIN u ON t.a = u.a GROUP BY t.b ORDER BY 1";

  @TempDir Path folder;

  @Test
  void releasedMetricsOfAnEarlierStateAreNotUsedAndItIsSaid() throws Exception {
    Policy policy = policy("");
    create(policy);
    assertEquals("", note(policy));
    assertEquals("lomax", ask(policy, ONE).mechanism());
    assertEquals(21, ask(policy, BINS).rows().size());
    write("INSERT INTO t VALUES (1, 1)");
    assertTrue(note(policy).contains("'t'"), note(policy));
    assertEquals("lomax", ask(policy, ONE).mechanism(), "one number is answered as before");
    Rejection refused = assertThrows(Rejection.class, () -> ask(policy, BINS));
    assertEquals(RejectionCode.MECHANISM_UNSUITABLE, refused.code());
    assertTrue(refused.hint().contains("earlier state of the data"), refused.hint());
    assertTrue(refused.hint().contains("collect --release"), refused.hint());
  }

  @Test
  void theOwnersWordKeepsThem() throws Exception {
    Policy policy = policy("insertsAtMost: 5");
    create(policy);
    write("INSERT INTO t VALUES (1, 1)");
    assertEquals("", note(policy));
    assertEquals(21, ask(policy, BINS).rows().size());
  }

  private static Policy policy(String change) {
    return PolicyReader.read(
        YamlText.tree(
            """
            privacy: {epsilon: 1, delta: 1e-9, budget: {epsilon: 100, delta: 1e-6}}
            tables:
              t:
                %s
                columns:
                  a: {type: integer, references: u.a}
                  b: {type: integer, domain: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, null]}
              u: {columns: {a: {type: integer, unique: true}}}
            """
                .formatted(change),
            Code.BAD_POLICY));
  }

  private void create(Policy policy) throws Exception {
    write(
        "CREATE TABLE t AS SELECT (i % 5)::INTEGER AS a, (i % 11)::INTEGER AS b FROM range(50)"
            + " r(i)",
        "CREATE TABLE u AS SELECT i::INTEGER AS a FROM range(10) r(i)");
    try (Connection connection = Databases.readOnly(url())) {
      CollectedMetrics collected =
          new Collector(policy, RequiredFrequencies.of(policy), Progress.NONE, Clock.systemUTC())
              .collect(connection);
      Metrics.Release release =
          new Metrics.Release(
              collected.metrics().table("t"), BigDecimal.ONE, new BigDecimal("1e-9"));
      MetricsFile.write(
          folder.resolve("x.metrics.json"),
          policy,
          collected,
          Map.of("t", new ReleasedTable(release, collected.snapshot(), Instant.now())));
    }
  }

  private interface Asking<T> {
    T with(QueryEngine engine);
  }

  private String note(Policy policy) {
    return open(policy, QueryEngine::note);
  }

  private AnalystView ask(Policy policy, String sql) {
    return open(
        policy, g -> g.ask(new QueryRequest(sql, QueryOptions.DEFAULT, "ann", Set.of(), true)));
  }

  private <T> T open(Policy policy, Asking<T> asking) {
    try (JdbcDatabase database =
            JdbcDatabase.open(url(), policy, Duration.ofMinutes(10), ErrorLog.NONE);
        Ledger ledger =
            LedgerOpening.file(folder.resolve("x.ledger"), Allowances.of(policy), false)) {
      LiveMetrics live =
          LiveMetrics.of(
              policy,
              MetricsFile.read(folder.resolve("x.metrics.json"), policy),
              database.vendor(),
              database.catalog(),
              database.version());
      String before = ledger.standing(new Account.Table("t")).spent().epsilon().toPlainString();
      QueryEngine engine =
          new QueryEngine(policy, live, "test", database, ledger, ErrorLog.NONE, Clock.systemUTC());
      try {
        return asking.with(engine);
      } catch (Rejection e) {
        assertEquals(
            before, ledger.standing(new Account.Table("t")).spent().epsilon().toPlainString());
        throw e;
      }
    }
  }

  private String url() {
    return "jdbc:duckdb:" + folder.resolve("x.duckdb");
  }

  private void write(String... statements) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url());
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }
}
