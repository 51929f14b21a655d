package flexdp.gateway.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.failure.ConfigurationError;
import flexdp.failure.Rejection;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.prepare.RenderedStatements;
import flexdp.gateway.verify.ExactResults;
import flexdp.metrics.Metrics;
import flexdp.plan.Plan;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.sql.Connection;
import java.sql.Statement;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Every unit of time in every place that takes one, and NULL in place of a moment: answered, or
 * refused before the database is asked. What fails there is charged, and counts as a failure.
 */
class UnitsOfTimeTest {
  private static final List<String> UNITS =
      List.of(
          "microsecond",
          "millisecond",
          "second",
          "hour",
          "day",
          "week",
          "month",
          "quarter",
          "year",
          "decade",
          "century",
          "millennium",
          "dow",
          "isodow",
          "doy",
          "epoch",
          "isoyear",
          "julian");

  private static final List<String> CONDITIONS =
      List.of(
          "DATE_TRUNC('%s', ts) > ts",
          "DATE_TRUNC('%s', d) > d",
          "DATE_TRUNC('%s', NULL) > ts",
          "DATEDIFF('%s', d, ts) > 3",
          "DATEDIFF('%s', NULL, NULL) > 3",
          "TIMESTAMPDIFF(%s, d, ts) > 3",
          "DATE_PART('%s', ts) > 3",
          "DATE_PART('%s', NULL) > 3",
          "DATEADD(%s, 1, ts) > ts",
          "EXTRACT(%s FROM ts) > 3",
          "TIME_TO_SEC(NULL) > 3",
          "TIME_TO_SEC(ts) > 3");

  private static final Policy POLICY =
      PolicyReader.read(
          YamlText.tree(
              """
              privacy: {epsilon: 1}
              tables: {t: {columns: {ts: {type: timestamp}, d: {type: date}}}}
              """,
              ConfigurationError.Code.BAD_POLICY));

  @Test
  void onDuckDb() throws Exception {
    asked(new DuckDbTestBed());
  }

  @Test
  void onSqlite() throws Exception {
    asked(new SqliteTestBed());
  }

  @Test
  void onPostgreSql() throws Exception {
    asked(PostgresTestBed.started());
  }

  private static void asked(TestBed opened) throws Exception {
    try (TestBed ground = opened;
        Connection writer = ground.writer(0);
        Statement statement = writer.createStatement()) {
      statement.execute("CREATE TABLE t (ts TIMESTAMP, d DATE)");
      statement.execute("INSERT INTO t VALUES ('2024-02-29 10:00:00', '2024-03-01')");
      List<String> found = new ArrayList<>();
      try (JdbcDatabase database = ground.open(0, writer, POLICY, (what, cause) -> {})) {
        int answered = 0;
        for (String unit : UNITS) {
          for (String condition : CONDITIONS) {
            answered += isAnswered(database, condition.replace("%s", unit), found) ? 1 : 0;
          }
        }
        assertEquals(List.of(), found);
        assertTrue(answered > 80, answered + " answered");
      }
    }
  }

  private static boolean isAnswered(JdbcDatabase database, String condition, List<String> found) {
    RenderedStatements rendered = new RenderedStatements(database);
    try {
      Plan plan =
          new Analyzer(POLICY, new Metrics(Map.of(), Map.of()), LocalDateTime.of(2024, 7, 1, 0, 0))
              .plan("SELECT COUNT(*) FROM t WHERE " + condition, AnalysisOptions.DEFAULT);
      ExactResults.read(
          POLICY, plan, ExactResults.labels(POLICY, plan, database, rendered), database, rendered);
      return true;
    } catch (Rejection e) {
      return false;
    } catch (RuntimeException e) {
      found.add(condition + ": " + e);
      return false;
    }
  }
}
