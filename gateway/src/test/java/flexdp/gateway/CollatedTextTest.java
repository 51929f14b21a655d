package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Allowances;
import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
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
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A collation may hold different texts equal, and then names their group after any one of them. One
 * row more would rename the group, and a bin would lose all its rows.
 */
class CollatedTextTest {
  private static final Policy POLICY =
      PolicyReader.read(
          YamlText.tree(
              """
              privacy: {epsilon: 1000, delta: 1e-9, budget: {epsilon: 1000000, delta: 1e-6}}
              tables:
                t: {columns: {status: {type: varchar, domain: [done]}, id: {type: integer}}}
              """,
              Code.BAD_POLICY));

  @TempDir Path folder;

  private static void fill(Connection connection, List<String> statements) throws Exception {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
      statement.execute("INSERT INTO t VALUES ('Done', 1), ('done', 2), ('done', 3)");
    }
  }

  private void assertExact(JdbcDatabase database) {
    try (Ledger ledger =
        LedgerOpening.file(folder.resolve("a.ledger"), Allowances.of(POLICY), false)) {
      QueryEngine engine =
          new QueryEngine(
              POLICY,
              LiveMetrics.vouched(POLICY, Metrics.NONE),
              "test",
              database,
              ledger,
              ErrorLog.NONE,
              Clock.systemUTC());
      String one = "SELECT COUNT(*) FROM t WHERE status = 'done'";
      assertTwo(engine, "SELECT status, COUNT(*) FROM t GROUP BY status", true);
      assertTwo(engine, one, true);
      assertTwo(engine, one, false);
      assertTwo(engine, "SELECT COUNT(DISTINCT status) FROM t", true);
      assertTwo(engine, "SELECT COUNT(*) FROM t WHERE status LIKE 'd%'", true);
      assertTwo(engine, "SELECT COUNT(*) FROM t WHERE status > 'a'", true);
    }
  }

  private static void assertTwo(QueryEngine engine, String sql, boolean fresh) {
    AnalystView view =
        engine.ask(new QueryRequest(sql, QueryOptions.DEFAULT, "ann", Set.of(), fresh));
    assertTrue(fresh || view.repeat());
    assertEquals(
        0, BigDecimal.TWO.compareTo((BigDecimal) view.rows().getFirst().getLast()), sql + view);
  }

  @Test
  void duckDb() throws Exception {
    Connection connection = DriverManager.getConnection("jdbc:duckdb:");
    fill(connection, List.of("CREATE TABLE t(status VARCHAR COLLATE NOCASE, id INTEGER)"));
    try (JdbcDatabase database =
        JdbcDatabase.over(connection, POLICY, Duration.ofMinutes(10), ErrorLog.NONE)) {
      assertExact(database);
    }
  }

  @Test
  void postgreSql() throws Exception {
    try (FreshPostgres server = FreshPostgres.create()) {
      try (Connection connection = server.connect()) {
        fill(
            connection,
            List.of(
                "CREATE COLLATION nocase (provider = icu, locale = 'und-u-ks-level2',"
                    + " deterministic = false)",
                "CREATE TABLE t(status VARCHAR(20) COLLATE nocase, id INTEGER)"));
      }
      try (JdbcDatabase database =
          JdbcDatabase.open(server.url(), POLICY, Duration.ofMinutes(10), ErrorLog.NONE)) {
        assertExact(database);
      }
    }
  }
}
