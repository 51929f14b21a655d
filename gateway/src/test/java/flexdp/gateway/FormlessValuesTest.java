package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Allowances;
import flexdp.failure.ConfigurationError.Code;
import flexdp.failure.Failure;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.collect.Collector;
import flexdp.gateway.collect.ColumnNames;
import flexdp.gateway.collect.Progress;
import flexdp.gateway.collect.RequiredFrequencies;
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
import java.math.RoundingMode;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Values that have no form here, in one row of a table: every question ends as it does without that
 * row, and the owner's commands work. Each of these told of the row once.
 */
class FormlessValuesTest {
  private static final String TABLES =
      """
      tables:
        t:
          static: true
          columns:
            id: {type: bigint, nullable: false, unique: true}
            k: {type: integer}
            x: {type: double, range: [0, 10]}
            r: {type: double}
            n: {type: "decimal(9,2)", range: [0, 10]}
            name: {type: varchar}
            other: {type: varchar}
            d: {type: date}
            ts: {type: timestamp}
            tm: {type: time}
            tz: {type: timestamp}
        u:
          static: true
          columns:
            id: {type: bigint, nullable: false, unique: true}
            x: {type: double, nullable: false}
            d: {type: date, nullable: false}
      """;

  private static final List<String> CREATE =
      List.of(
          "SET TimeZone = 'UTC'",
          "CREATE TABLE t(id BIGINT PRIMARY KEY, k INTEGER, x DOUBLE PRECISION, r REAL, n"
              + " NUMERIC(9,2), name VARCHAR COLLATE \"ONE\", other VARCHAR COLLATE \"TWO\", d"
              + " DATE, ts TIMESTAMP, tm TIME, tz TIMESTAMP WITH TIME ZONE)",
          "CREATE TABLE u(id BIGINT PRIMARY KEY, x DOUBLE PRECISION NOT NULL, d DATE NOT NULL)",
          "INSERT INTO t SELECT i, i % 3, i, i, 1, 'p' || i, 'q' || i, DATE '2024-01-01',"
              + " TIMESTAMP '2024-01-01 10:00:00', TIME '10:00:00',"
              + " CAST('2024-01-01 00:00:00+00' AS TIMESTAMP WITH TIME ZONE)"
              + " FROM generate_series(1, 30) AS s(i)",
          "INSERT INTO u SELECT i, i, DATE '2024-01-01' FROM generate_series(1, 20) AS s(i)");

  /** One row, the victim's. */
  private static final List<String> VICTIM_ON_DUCKDB =
      List.of(
          "INSERT INTO t VALUES (99, 1, 'inf', 'nan', 1, 'victim', 'w', '5881580-07-10',"
              + " '294247-01-10 04:00:54.775806', '24:00:00', '294247-01-10 04:00:54.775806+00')",
          "INSERT INTO t VALUES (99, 1, '-0.0', '-0.0', 1, 'victim', 'w', 'infinity', 'infinity',"
              + " '24:00:00', 'infinity')",
          "INSERT INTO t VALUES (99, 1, 'nan', 'inf', 1, 'victim', 'w', '5877642-06-25 (BC)',"
              + " '290309-12-22 (BC) 00:00:00', '00:00:00', '290309-12-22 (BC) 00:00:00+00')",
          "INSERT INTO u VALUES (99, 'nan', '5881580-07-10')");

  private static final List<String> VICTIM_ON_POSTGRESQL =
      List.of(
          "INSERT INTO t VALUES (99, 1, 'Infinity', 'NaN', 'NaN', 'victim', 'w', '5874897-12-31',"
              + " '294276-12-31 23:59:59.999999', '24:00:00', '294276-12-31 23:59:59.999999+00')",
          "INSERT INTO t VALUES (99, 1, '-0', '-0', 'NaN', 'victim', 'w', 'infinity', 'infinity',"
              + " '24:00:00', 'infinity')",
          "INSERT INTO t VALUES (99, 1, 'NaN', 'Infinity', 1, 'victim', 'w', '4713-01-01 BC',"
              + " '4713-01-01 00:00:00 BC', '00:00:00', '4713-01-01 00:00:00+00 BC')",
          "INSERT INTO u VALUES (99, 'NaN', 'infinity')");

  private static final List<String> QUESTIONS =
      List.of(
          "SELECT CAST(CASE WHEN name = 'victim' THEN 'inf' ELSE '1' END AS DOUBLE) g, COUNT(*)"
              + " FROM t GROUP BY 1",
          "SELECT x * 1e308 * 1e308 g, COUNT(*) FROM t WHERE name = 'victim' GROUP BY 1",
          "SELECT x g, COUNT(*) FROM t GROUP BY 1",
          "SELECT r g, COUNT(*) FROM t GROUP BY 1",
          "SELECT -x g, COUNT(*) FROM t GROUP BY 1",
          "SELECT tm g, COUNT(*) FROM t GROUP BY 1",
          "SELECT CAST(CASE WHEN name = 'victim' THEN '24:00:00' ELSE '01:00:00' END AS TIME) g,"
              + " COUNT(*) FROM t GROUP BY 1",
          "SELECT d g, COUNT(*) FROM t GROUP BY 1",
          "SELECT tz g, COUNT(*) FROM t GROUP BY 1",
          "SELECT COUNT(*) FROM t WHERE DATE_TRUNC('month', d) = DATE '2024-01-01'",
          "SELECT COUNT(*) FROM t WHERE LAST_DAY(d) > DATE '2024-01-01'",
          "SELECT COUNT(*) FROM t WHERE DATE_TRUNC('month', ts) = DATE '2024-01-01'",
          "SELECT COUNT(*) FROM t WHERE tz > TIMESTAMP '2024-01-01 00:00:00'",
          "SELECT COUNT(*) FROM t WHERE EXTRACT(year FROM tz) = 2024",
          "SELECT COUNT(*) FROM t WHERE name = 'victim' AND name = other",
          "SELECT COUNT(*) FROM t a JOIN t b ON a.name = b.other",
          "SELECT COUNT(*) FROM t WHERE LOWER(name || other) = 'x'",
          "SELECT COUNT(*), SUM(n), AVG(n) FROM t",
          "SELECT COUNT(*) FROM t WHERE n + n > 1",
          "SELECT n g, COUNT(*) FROM t GROUP BY 1",
          "SELECT COUNT(*) FROM t WHERE"
              + " EXTRACT(epoch FROM (ts - TIMESTAMP '2023-12-31 10:00:00' - INTERVAL '1' DAY)"
              + " * 1000000000000) = 0",
          "SELECT SUM(x), AVG(x), MEDIAN(x) FROM t",
          "SELECT COUNT(*) FROM t WHERE x IS NOT NULL AND x NOT IN (SELECT x FROM u)",
          "SELECT COUNT(*) FROM t WHERE d IS NOT NULL AND d NOT IN (SELECT d FROM u)",
          "SELECT COUNT(DISTINCT CAST(x AS VARCHAR)) FROM t");

  /** Answered alike whether the one row has such values or NULL. */
  private static final List<String> AS_NULL =
      List.of(
          "SELECT COUNT(*) FROM t WHERE x > 5",
          "SELECT COUNT(*) FROM t WHERE 5 < x OR k = 0",
          "SELECT COUNT(*) FROM t WHERE x < 5 AND d <= DATE '2024-01-01'",
          "SELECT COUNT(*) FROM t WHERE x IN (1, 2) OR x >= 7",
          "SELECT COUNT(*) FROM t WHERE NOT (x > 5)",
          "SELECT COUNT(*) FROM t WHERE x <> 5",
          "SELECT COUNT(*) FROM t WHERE x IS NULL",
          "SELECT COUNT(*) FROM t WHERE r > 5 OR r < 5",
          "SELECT COUNT(*) FROM t WHERE d > DATE '2000-01-01'",
          "SELECT COUNT(*) FROM t WHERE d < DATE '2030-01-01'",
          "SELECT COUNT(*) FROM t WHERE ts >= TIMESTAMP '2000-01-01 00:00:00'",
          "SELECT COUNT(*) FROM t WHERE ts <= TIMESTAMP '2030-01-01 00:00:00'",
          "SELECT COUNT(*) FROM t WHERE tz > TIMESTAMP '2000-01-01 00:00:00'",
          "SELECT COUNT(*) FROM t WHERE tm >= TIME '00:00:00'",
          "SELECT COUNT(*) FROM t WHERE n > 0",
          "SELECT COUNT(*) FROM t WHERE n <= 10",
          "SELECT SUM(x), COUNT(x) FROM t",
          "SELECT SUM(x) FROM t WHERE x > 2",
          "SELECT SUM(x) FILTER (WHERE d > DATE '2000-01-01') FROM t",
          "SELECT SUM(n), COUNT(n) FROM t",
          "SELECT SUM(n) FROM t WHERE n > 0",
          "SELECT SUM(n * n - n) FROM t WHERE n * n > 0",
          "SELECT COUNT(*) FROM t a JOIN u b ON a.id = b.id WHERE a.x > 3 AND b.x > 3",
          "SELECT COUNT(*) FROM t a LEFT JOIN u b ON a.id = b.id AND a.d > DATE '2000-01-01'",
          "SELECT COUNT(*) FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.id = t.id AND t.x > 3)",
          "SELECT COUNT(*) FROM t WHERE x * x > 5",
          "SELECT COUNT(*) FROM t WHERE x + x <= 50 OR k = 0",
          "SELECT COUNT(*) FROM t WHERE x - 1e0 < 5",
          "SELECT COUNT(*) FROM t WHERE 5 < x - 1e0",
          "SELECT COUNT(*) FROM t WHERE 5 >= -x",
          "SELECT COUNT(*) FROM t WHERE x * 0e0 = 0",
          "SELECT COUNT(*) FROM t WHERE x - x = 0 OR x * 0e0 >= 0",
          "SELECT COUNT(*) FROM t WHERE NOT (x + x > 5)",
          "SELECT COUNT(*) FROM t WHERE (x + x > 5) IS NULL",
          "SELECT COUNT(*) FROM t WHERE x = x",
          "SELECT COUNT(*) FROM t WHERE x > r OR x < r",
          "SELECT COUNT(*) FROM t WHERE x <= id OR x >= k",
          "SELECT COUNT(*) FROM t WHERE n = n AND ts >= ts AND d <= d",
          "SELECT COUNT(DISTINCT x) FROM t",
          "SELECT COUNT(DISTINCT d) FROM t",
          "SELECT COUNT(DISTINCT ts) FROM t WHERE x > 2",
          "SELECT COUNT(DISTINCT n), COUNT(d), COUNT(DISTINCT x) FROM t",
          "SELECT COUNT(x) FILTER (WHERE x * x > 4), COUNT(ts) FROM t",
          "SELECT COUNT(x + x), SUM(x + x), SUM(x * 2e0) FROM t",
          "SELECT AVG(x), SUM(x - 5e0) FROM t WHERE x + x < 40",
          "SELECT COUNT(*) FROM t a JOIN u b ON a.x = b.x",
          "SELECT COUNT(*) FROM t a JOIN u b ON a.d = b.d AND a.x > b.x AND a.id = b.id",
          "SELECT COUNT(*) FROM t a LEFT JOIN u b ON a.id = b.id AND a.x + b.x > 3");

  @TempDir Path folder;

  private interface Source {
    Connection fresh() throws Exception;
  }

  @Test
  void duckDb() throws Exception {
    List<String> create =
        CREATE.stream()
            .map(s -> s.replace("\"ONE\"", "NOCASE").replace("\"TWO\"", "NOACCENT"))
            .toList();
    Source source = () -> DriverManager.getConnection("jdbc:duckdb:");
    outcomes(source, create, VICTIM_ON_DUCKDB);
    leftOut(source, create, "nan");
    asNull(source, create, VICTIM_ON_DUCKDB.get(0).replace("'nan', 1,", "'nan', NULL,"));
    asNull(
        source,
        create,
        "INSERT INTO t VALUES (99, 1, '-inf', 'inf', NULL, 'victim', 'w', '-infinity', '-infinity',"
            + " '24:00:00', '-infinity')");
  }

  @Test
  void postgreSql() throws Exception {
    List<String> create =
        CREATE.stream()
            .map(s -> s.replace("\"ONE\"", "\"de-x-icu\"").replace("\"TWO\"", "\"und-x-icu\""))
            .toList();
    try (FreshPostgres server = FreshPostgres.create()) {
      Source source =
          () -> {
            Connection connection = server.connect();
            execute(connection, List.of("DROP TABLE IF EXISTS t", "DROP TABLE IF EXISTS u"));
            return connection;
          };
      outcomes(source, create, VICTIM_ON_POSTGRESQL);
      leftOut(source, create, "Infinity");
      asNull(source, create, VICTIM_ON_POSTGRESQL.get(0));
      asNull(
          source,
          create,
          "INSERT INTO t VALUES (99, 1, '-Infinity', '-Infinity', 'NaN', 'victim', 'w',"
              + " '-infinity', '-infinity', '24:00:00', '-infinity')");
    }
  }

  private void outcomes(Source source, List<String> create, List<String> victims) throws Exception {
    Policy tiny =
        policy(
            "privacy: {epsilon: 0.0001, delta: 1e-9, thresholding: {delta: 1e-6},"
                + " budget: {epsilon: 1000, delta: 1e-2}}\n");
    Policy exact = policy("privacy: {epsilon: 10000, budget: {epsilon: 10000000}}\n");
    List<String> without = asked(source, create, tiny, QUESTIONS, false);
    long answered = without.stream().filter(e -> e.endsWith(" rows")).count();
    assertTrue(answered >= 14, without.toString());
    List<String> absent = asked(source, create, exact, List.of(QUESTIONS.get(22)), true);
    assertEquals("[[10]]", absent.getFirst());
    for (String victim : victims) {
      List<String> all = new ArrayList<>(create);
      all.add(victim);
      assertEquals(without, asked(source, all, tiny, QUESTIONS, false), victim);
      List<String> present = asked(source, all, exact, List.of(QUESTIONS.get(22)), true);
      boolean zero = victim.contains("'-0");
      assertEquals(zero ? "[[11]]" : "[[10]]", present.getFirst(), victim);
    }
  }

  /** NULL would be a partition of many rows, where the analysis knows of one row for each value. */
  private void leftOut(Source source, List<String> create, String nan) throws Exception {
    Policy exact = policy("privacy: {epsilon: 10000, budget: {epsilon: 10000000}}\n");
    List<String> all = new ArrayList<>(create);
    for (int id = 90; id < 99; id++) {
      all.add("INSERT INTO u VALUES (" + id + ", '" + nan + "', DATE '2024-01-01')");
    }
    List<String> questions =
        List.of(
            "SELECT COUNT(*) FROM (SELECT x, COUNT(*) OVER (PARTITION BY x) AS n FROM u) q"
                + " WHERE n > 1",
            "SELECT COUNT(*) FROM u a JOIN u b ON a.x IS NOT DISTINCT FROM b.x");
    assertEquals(List.of("[[0]]", "[[20]]"), asked(source, all, exact, questions, true));
  }

  private void asNull(Source source, List<String> create, String victim) throws Exception {
    Policy exact = policy("privacy: {epsilon: 10000, budget: {epsilon: 10000000}}\n");
    List<String> nulls = new ArrayList<>(create);
    nulls.add("INSERT INTO t (id, k, name, other) VALUES (99, 1, 'victim', 'w')");
    List<String> formless = new ArrayList<>(create);
    formless.add(victim);
    List<String> expected = asked(source, nulls, exact, AS_NULL, true);
    assertTrue(expected.stream().allMatch(e -> e.startsWith("[[")), expected.toString());
    assertEquals(expected, asked(source, formless, exact, AS_NULL, true), victim);
  }

  private static Policy policy(String privacy) {
    return PolicyReader.read(YamlText.tree(privacy + TABLES, Code.BAD_POLICY));
  }

  private static void execute(Connection connection, List<String> statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /** How each question ended, with the answers or only how many rows they have. */
  private List<String> asked(
      Source source, List<String> create, Policy policy, List<String> questions, boolean answers)
      throws Exception {
    Connection connection = source.fresh();
    execute(connection, create);
    RequiredFrequencies wanted =
        RequiredFrequencies.of(policy).and(ColumnNames.parse("t.*, u.*", policy));
    Metrics metrics =
        new Collector(policy, wanted, Progress.NONE, Clock.systemUTC())
            .collect(connection)
            .metrics();
    List<String> ends = new ArrayList<>();
    List<String> log = new ArrayList<>();
    ErrorLog owner = (what, cause) -> log.add(what + ": " + cause);
    Path file = folder.resolve(System.nanoTime() + ".ledger");
    try (JdbcDatabase database =
            JdbcDatabase.over(connection, policy, Duration.ofMinutes(10), owner);
        Ledger ledger = LedgerOpening.file(file, Allowances.of(policy), false)) {
      QueryEngine engine =
          new QueryEngine(
              policy,
              LiveMetrics.vouched(policy, metrics),
              "test",
              database,
              ledger,
              owner,
              Clock.systemUTC());
      for (String sql : questions) {
        String end;
        try {
          AnalystView view =
              engine.ask(new QueryRequest(sql, QueryOptions.DEFAULT, "eve", Set.of()));
          end = answers ? rounded(view) : view.rows().size() + " rows";
        } catch (Failure e) {
          end = e.toString();
        }
        ends.add(end);
      }
    }
    assertEquals(List.of(), log);
    return ends;
  }

  private static String rounded(AnalystView view) {
    return view.rows().stream()
        .map(
            row ->
                row.stream()
                    .map(v -> new BigDecimal(v.toString()).setScale(0, RoundingMode.HALF_EVEN))
                    .toList())
        .toList()
        .toString();
  }
}
