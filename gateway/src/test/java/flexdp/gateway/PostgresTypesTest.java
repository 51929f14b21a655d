package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;

import flexdp.budget.Allowances;
import flexdp.failure.ConfigurationError;
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
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** PostgreSQL's own types, and the values of them that raise: asked with next to no noise. */
class PostgresTypesTest {
  private static final String POLICY =
      """
      privacy: {epsilon: 10000, budget: {epsilon: 100000000}}
      tables:
        t:
          static: true
          columns:
            mood: {type: varchar, domain: [sad, ok]}
            fixed: {type: varchar, domain: [a, "b"]}
            at: {type: timestamp}
            day: {type: date}
            any: {type: "decimal(9,2)", range: [0, 10]}
            small: {type: double, range: [0, 10]}
            wide: {type: double, range: [-50000000000, 50000000000]}
            real: {type: double, range: [-1, 1]}
            dom: {type: integer, range: [0, 10]}
            who: {type: uuid}
      """;

  @Test
  void valuesOfEveryTypeAreReadAndNoneRaises(@TempDir Path folder) throws Exception {
    List<String> log = new ArrayList<>();
    Policy policy = PolicyReader.read(YamlText.tree(POLICY, ConfigurationError.Code.BAD_POLICY));
    try (FreshPostgres server = FreshPostgres.create()) {
      try (Connection connection = server.connect();
          Statement statement = connection.createStatement()) {
        for (String sql : TABLE) {
          statement.execute(sql);
        }
      }
      ErrorLog owner = (what, cause) -> log.add(what + ": " + cause);
      try (JdbcDatabase database =
              JdbcDatabase.open(server.url(), policy, Duration.ofMinutes(10), owner);
          Ledger ledger =
              LedgerOpening.file(folder.resolve("a.ledger"), Allowances.of(policy), false)) {
        QueryEngine engine =
            new QueryEngine(
                policy,
                LiveMetrics.vouched(policy, Metrics.NONE),
                "test",
                database,
                ledger,
                owner,
                Clock.systemUTC());
        Map<String, List<Double>> cases = new LinkedHashMap<>();
        cases.put("COUNT(*) FILTER (WHERE mood = 'ok')", List.of(2.0));
        cases.put("COUNT(*) FILTER (WHERE fixed = 'a')", List.of(1.0));
        cases.put("COUNT(*) FILTER (WHERE at = TIMESTAMP '2024-01-01 00:00:00')", List.of(1.0));
        cases.put("COUNT(*) FILTER (WHERE EXTRACT(YEAR FROM at) IS NULL)", List.of(3.0));
        cases.put("COUNT(*) FILTER (WHERE day + INTERVAL '1' DAY IS NULL)", List.of(3.0));
        cases.put("SUM(\"any\")", List.of(13.35));
        cases.put("SUM(small)", List.of(11.5));
        cases.put("COUNT(wide), SUM(wide)", List.of(2.0, 5e10));
        cases.put("SUM(real)", List.of(-0.5));
        cases.put("SUM(dom), COUNT(DISTINCT who)", List.of(6.0, 1.0));
        for (Map.Entry<String, List<Double>> asked : cases.entrySet()) {
          String sql = "SELECT " + asked.getKey() + " FROM t";
          AnalystView view =
              engine.ask(new QueryRequest(sql, QueryOptions.DEFAULT, "ann", Set.of()));
          for (int i = 0; i < asked.getValue().size(); i++) {
            double expected = asked.getValue().get(i);
            double got = ((Number) view.rows().getFirst().get(i)).doubleValue();
            assertEquals(expected, got, 0.05 + Math.abs(expected) / 100, sql + log);
          }
        }
      }
    }
    assertEquals(List.of(), log);
  }

  private static final List<String> TABLE =
      List.of(
          "CREATE TYPE mood AS ENUM ('sad', 'ok')",
          "CREATE DOMAIN few AS INT CHECK (VALUE < 100)",
          "CREATE TABLE t(mood mood, fixed CHAR(3), at TIMESTAMPTZ, day DATE, \"any\" NUMERIC,"
              + " small DOUBLE PRECISION, wide DOUBLE PRECISION, real REAL, dom few, who UUID)",
          "INSERT INTO t VALUES ('ok', 'a', '2024-01-01 02:00:00+02', '2024-01-01', 3.345, 1.5,"
              + " 1e-320, -0.5, 1, '00000000-0000-0000-0000-000000000001')",
          "INSERT INTO t VALUES ('ok', 'b  ', 'infinity', 'infinity', 'NaN', 'NaN', 'infinity',"
              + " 'NaN', 2, NULL)",
          "INSERT INTO t VALUES ('sad', 'A', '-infinity', '-infinity', 1e30, 1e308, 1e308,"
              + " '-infinity', 3, NULL)",
          "INSERT INTO t VALUES (NULL, NULL, NULL, NULL, 1e3, -1e308, NULL, NULL, NULL, NULL)");
}
