package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Allowances;
import flexdp.failure.ConfigurationError;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
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
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever depth and breadth explain accepts, the database answers, and without ending the process:
 * the limits of each are measured here.
 */
class LimitsTest {
  private static final String POLICY =
      """
      flexdp: 1
      privacy: {epsilon: 1, budget: {epsilon: 100000}}
      failures: {atMost: 1000, window: 24h}
      tables:
        t:
          static: true
          columns:
            id: {type: bigint, nullable: false, unique: true}
            x: {type: integer, range: [0, 100]}
            s: {type: varchar}
        pub:
          public: true
          static: true
          columns:
            id: {type: bigint, nullable: false, unique: true}
      """;

  /** From the largest on; the first that is accepted is asked. */
  private static final List<Integer> SIZES =
      List.of(1000, 299, 250, 199, 149, 99, 70, 59, 45, 30, 26, 20, 14, 10, 5, 2);

  @TempDir Path folder;

  private static String repeat(int n, IntFunction<String> part) {
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < n; i++) {
      all.append(part.apply(i));
    }
    return all.toString();
  }

  private static Map<String, IntFunction<String>> families() {
    Map<String, IntFunction<String>> all = new LinkedHashMap<>();
    all.put(
        "unions",
        n -> "SELECT COUNT(*) FROM (SELECT x FROM t" + of(" UNION ALL SELECT x FROM t", n) + ") q");
    all.put(
        "public unions",
        n ->
            "SELECT COUNT(*) FROM (SELECT id FROM pub"
                + of(" UNION ALL SELECT id FROM pub", n)
                + ") q");
    all.put(
        "except",
        n ->
            "SELECT COUNT(*) FROM (SELECT id FROM t" + of(" EXCEPT SELECT id FROM pub", n) + ") q");
    all.put(
        "joins",
        n ->
            "SELECT COUNT(*) FROM t"
                + repeat(n, k -> " JOIN t t" + k + " ON t.id = t" + k + ".id"));
    all.put(
        "left joins",
        n ->
            "SELECT COUNT(*) FROM t"
                + repeat(n, k -> " LEFT JOIN pub t" + k + " ON t.id = t" + k + ".id"));
    all.put(
        "nested joins",
        n ->
            "SELECT COUNT(*) FROM "
                + of("(SELECT t.id FROM t JOIN ", n)
                + "t u"
                + of(" ON t.id = u.id) u", n));
    all.put(
        "groups",
        n ->
            "SELECT COUNT(*) FROM "
                + of("(SELECT x, COUNT(*) AS c FROM ", n)
                + "(SELECT x, 1 AS c FROM t) q"
                + of(" GROUP BY x) q", n));
    all.put(
        "groups and having",
        n ->
            "SELECT COUNT(*) FROM "
                + of("(SELECT id, SUM(c) AS c FROM ", n)
                + "(SELECT id, 1 AS c FROM t) q"
                + of(" GROUP BY id HAVING MAX(c) < 3) q", n));
    all.put(
        "distinct",
        n ->
            "SELECT COUNT(*) FROM "
                + of("(SELECT DISTINCT x FROM ", n)
                + "t"
                + repeat(n, k -> " WHERE x < " + (90 - k % 30) + ") q"));
    all.put(
        "windows",
        n ->
            "SELECT COUNT(*) FROM "
                + of("(SELECT id, x, ROW_NUMBER() OVER (PARTITION BY x ORDER BY id) AS r FROM ", n)
                + "t"
                + of(") q WHERE r < 5", n));
    all.put(
        "limits",
        n ->
            "SELECT COUNT(*) FROM "
                + of("(SELECT id FROM ", n)
                + "t"
                + of(" ORDER BY id LIMIT 5) q", n));
    all.put(
        "exists in exists",
        n ->
            "SELECT COUNT(*) FROM t q0 WHERE "
                + repeat(
                    n,
                    k ->
                        "EXISTS (SELECT 1 FROM t q"
                            + (k + 1)
                            + " WHERE q"
                            + (k + 1)
                            + ".id = q"
                            + k
                            + ".id AND ")
                + "1 = 1"
                + of(")", n));
    all.put(
        "exists beside exists",
        n ->
            "SELECT COUNT(*) FROM t WHERE 1 = 1"
                + repeat(
                    n,
                    k -> " AND EXISTS (SELECT 1 FROM t q WHERE q.id = t.id AND q.x <> " + k + ")"));
    all.put(
        "in",
        n ->
            "SELECT COUNT(*) FROM t WHERE id IN "
                + of("(SELECT id FROM t WHERE id IN ", n)
                + "(SELECT id FROM pub)"
                + of(")", n));
    all.put(
        "scalars",
        n ->
            "SELECT COUNT(*) FROM t WHERE 1 = 1"
                + repeat(
                    n,
                    k ->
                        " AND (SELECT COUNT(*) FROM t q WHERE q.id = t.id AND q.x = "
                            + k
                            + ") < 2"));
    all.put("sums", n -> "SELECT COUNT(*) FROM t WHERE x" + of(" + x", n) + " = 1");
    all.put(
        "cases",
        n ->
            "SELECT COUNT(*) FROM t WHERE "
                + of("CASE WHEN x = 1 THEN 2 ELSE ", n)
                + "1"
                + of(" END", n)
                + " = 1");
    all.put(
        "calls",
        n -> "SELECT COUNT(*) FROM t WHERE " + of("UPPER(", n) + "s" + of(")", n) + " = 'A'");
    all.put(
        "casts",
        n ->
            "SELECT COUNT(*) FROM t WHERE "
                + of("CAST(CAST(", n)
                + "x"
                + of(" AS varchar) AS integer)", n)
                + " = 1");
    all.put(
        "nots",
        n -> "SELECT COUNT(*) FROM t WHERE " + of("NOT (x = 1 OR ", n) + "x = 2" + of(")", n));
    all.put(
        "ors",
        n ->
            "SELECT COUNT(*) FROM t WHERE x = 1"
                + repeat(n, k -> " OR (x = " + k + " AND id = " + k + ")"));
    all.put(
        "long texts",
        n ->
            "SELECT COUNT(*) FROM t WHERE s = 'b'"
                + repeat(n, k -> " OR SPLIT_PART(s, ',', 4) = '" + k + "'"));
    all.put(
        "with",
        n ->
            "WITH a0 AS (SELECT id, x FROM t)"
                + repeat(
                    n,
                    k ->
                        ", a" + (k + 1) + " AS (SELECT id, x FROM a" + k + " WHERE x <> " + k + ")")
                + " SELECT COUNT(*) FROM a"
                + n);
    return all;
  }

  private static String of(String part, int n) {
    return part.repeat(n);
  }

  private static void fill(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql :
          List.of(
              "CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY, x INTEGER, s VARCHAR(20))",
              "INSERT INTO t VALUES (1, 1, 'a'), (2, 2, 'b'), (3, 1, NULL)",
              "CREATE TABLE pub (id BIGINT NOT NULL PRIMARY KEY)",
              "INSERT INTO pub VALUES (1), (5)")) {
        statement.execute(sql);
      }
    }
  }

  private void answersWhatIsAccepted(String url, Duration timeout) {
    Policy policy = PolicyReader.read(YamlText.tree(POLICY, ConfigurationError.Code.BAD_POLICY));
    List<String> log = new ArrayList<>();
    ErrorLog told = (what, cause) -> log.add(cut(what) + " ... " + cut(String.valueOf(cause)));
    List<String> accepted = new ArrayList<>();
    try (JdbcDatabase database = JdbcDatabase.open(url, policy, timeout, told);
        Ledger ledger =
            LedgerOpening.file(folder.resolve("l.ledger"), Allowances.of(policy), false)) {
      Metrics metrics = new Metrics(Map.of(), Map.of());
      QueryEngine engine =
          new QueryEngine(
              policy,
              LiveMetrics.vouched(policy, metrics),
              "test",
              database,
              ledger,
              told,
              Clock.systemUTC());
      List<String> wrong = new ArrayList<>();
      families()
          .forEach(
              (name, family) -> {
                for (int n : SIZES) {
                  QueryRequest request =
                      new QueryRequest(
                          family.apply(n),
                          QueryOptions.DEFAULT.at(new BigDecimal("0.001")),
                          "ann",
                          Set.of(),
                          true);
                  try {
                    engine.explain(request);
                  } catch (Rejection e) {
                    if (e.code() == RejectionCode.TOO_COMPLEX) {
                      continue;
                    }
                    wrong.add(name + " " + n + ": " + e.code() + " " + e.message());
                    return;
                  }
                  accepted.add(name + " " + n);
                  try {
                    engine.ask(request);
                  } catch (RuntimeException e) {
                    wrong.add(name + " " + n + ": " + e);
                  }
                  return;
                }
                wrong.add(name + ": nothing is accepted");
              });
      assertEquals(List.of(), wrong, () -> "accepted " + accepted + ", log " + log);
    }
    assertTrue(accepted.size() == families().size(), accepted::toString);
    if (Boolean.getBoolean("flexdp.test.tell")) {
      System.out.println(accepted);
    }
  }

  private static String cut(String text) {
    return text.length() < 200
        ? text
        : text.substring(0, 60) + "..." + text.substring(text.length() - 130);
  }

  @Test
  void onDuckDb() throws SQLException {
    String url = "jdbc:duckdb:" + folder.resolve("l.duckdb");
    try (Connection connection = DriverManager.getConnection(url)) {
      fill(connection);
    }
    answersWhatIsAccepted(url, Duration.ofMinutes(5));
  }

  @Test
  void onSqlite() throws SQLException {
    String url = "jdbc:sqlite:" + folder.resolve("l.sqlite");
    try (Connection connection = DriverManager.getConnection(url)) {
      fill(connection);
    }
    answersWhatIsAccepted(url, Duration.ofMinutes(5));
  }

  @Test
  @Tag("nightly")
  void onPostgreSql() throws Exception {
    try (EmbeddedPostgres server = EmbeddedPostgres.start()) {
      try (Connection connection = server.getPostgresDatabase().getConnection()) {
        fill(connection);
      }
      answersWhatIsAccepted(server.getJdbcUrl("postgres", "postgres"), Duration.ofMinutes(5));
    }
  }

  @Test
  @Tag("nightly")
  void onMariaDb() throws Exception {
    MariaDbServer.create("limits");
    try (Connection connection = MariaDbServer.writer("limits")) {
      fill(connection);
    }
    answersWhatIsAccepted(MariaDbServer.url("limits") + "?user=root", Duration.ofMinutes(5));
  }
}
