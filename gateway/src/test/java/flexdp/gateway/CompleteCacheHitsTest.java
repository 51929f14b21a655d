package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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

/** Bins without NULL add up to all rows only where the database proves that no row is NULL. */
class CompleteCacheHitsTest {
  private static final Policy POLICY =
      PolicyReader.read(
          YamlText.tree(
              """
              privacy: {epsilon: 1000, delta: 1e-9, budget: {epsilon: 1000000, delta: 1e-6}}
              tables:
                t:
                  columns:
                    b: {type: boolean, nullable: false}
                    x: {type: bigint, nullable: false}
                    d: {type: date, nullable: false}
              """,
              Code.BAD_POLICY));

  private static final String TOTAL = "SELECT COUNT(*) FROM t";
  private static final String BY_TRUTH = "SELECT b, COUNT(*) FROM t GROUP BY b";
  private static final String BY_SIZE = "SELECT x > 1 AS big, COUNT(*) FROM t GROUP BY x > 1";
  private static final String BY_CASE =
      "SELECT CASE WHEN x > 1 THEN 'big' ELSE 'small' END AS size, COUNT(*) FROM t GROUP BY 1";
  private static final String BY_MONTH =
      "SELECT EXTRACT(MONTH FROM d) AS m, COUNT(*) FROM t GROUP BY EXTRACT(MONTH FROM d)";

  @TempDir Path folder;

  /** Asks for a histogram and then for the total. */
  private AnalystView total(String histogram, String url, String... statements) throws Exception {
    Connection connection = DriverManager.getConnection(url);
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
    try (JdbcDatabase database =
            JdbcDatabase.over(connection, POLICY, Duration.ofMinutes(10), ErrorLog.NONE);
        Ledger ledger =
            LedgerOpening.file(
                folder.resolve(histogram.hashCode() + url.substring(5, 8) + ".ledger"),
                Allowances.of(POLICY),
                false)) {
      QueryEngine engine =
          new QueryEngine(
              POLICY,
              LiveMetrics.vouched(POLICY, Metrics.NONE),
              "test",
              database,
              ledger,
              ErrorLog.NONE,
              Clock.systemUTC());
      engine.ask(new QueryRequest(histogram, QueryOptions.DEFAULT, "ann", Set.of(), false));
      AnalystView total =
          engine.ask(new QueryRequest(TOTAL, QueryOptions.DEFAULT, "ann", Set.of(), false));
      assertEquals(
          0,
          BigDecimal.valueOf(3).compareTo((BigDecimal) total.rows().getFirst().getFirst()),
          histogram + " of " + List.of(statements));
      return total;
    }
  }

  private AnalystView sqlite(String histogram, String table) throws Exception {
    return total(
        histogram,
        "jdbc:sqlite::memory:",
        table,
        "INSERT INTO t VALUES (0, 1, '2024-01-01'), (1, 2, '2024-02-01'), (2, 'many', 'never')");
  }

  private AnalystView duckDb(String histogram, String types) throws Exception {
    return total(
        histogram,
        "jdbc:duckdb:",
        "CREATE TABLE t(" + types + ")",
        "INSERT INTO t VALUES (false, 1, '2024-01-01'), (true, 2, '2024-02-01'),"
            + " (true, 3, 'infinity')");
  }

  @Test
  void sqliteProvesNothingOfOrdinaryTables() throws Exception {
    String table = "CREATE TABLE t(b BOOLEAN NOT NULL, x BIGINT NOT NULL, d DATE NOT NULL)";
    assertFalse(sqlite(BY_TRUTH, table).repeat());
    assertFalse(sqlite(BY_SIZE, table).repeat());
    assertFalse(sqlite(BY_MONTH, table).repeat());
    assertTrue(sqlite(BY_CASE, table).repeat(), "every row is in one of both cases");
  }

  @Test
  void strictTablesAreBelieved() throws Exception {
    AnalystView total =
        total(
            BY_SIZE,
            "jdbc:sqlite::memory:",
            "CREATE TABLE t(b INT NOT NULL, x INT NOT NULL, d TEXT NOT NULL) STRICT",
            "INSERT INTO t VALUES (0, 1, ''), (1, 2, ''), (2, 3, '')");
    assertTrue(total.repeat());
    AnalystView truth =
        total(
            BY_TRUTH,
            "jdbc:sqlite::memory:",
            "CREATE TABLE t(b INT NOT NULL, x INT NOT NULL, d TEXT NOT NULL) STRICT",
            "INSERT INTO t VALUES (0, 1, ''), (1, 2, ''), (2, 3, '')");
    assertFalse(truth.repeat(), "a whole number is read as a truth value");
  }

  @Test
  void otherDatabasesEnforceTypes() throws Exception {
    String types = "b BOOLEAN NOT NULL, x BIGINT NOT NULL, d DATE NOT NULL";
    assertTrue(duckDb(BY_TRUTH, types).repeat());
    assertTrue(duckDb(BY_SIZE, types).repeat());
    assertFalse(duckDb(BY_MONTH, types).repeat(), "an infinite date has no month");
  }

  @Test
  void aDeclarationIsNoProof() throws Exception {
    assertFalse(duckDb(BY_TRUTH, "b BOOLEAN, x BIGINT, d DATE").repeat());
    assertFalse(duckDb(BY_SIZE, "b BOOLEAN NOT NULL, x HUGEINT NOT NULL, d DATE").repeat());
  }
}
