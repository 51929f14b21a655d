package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.failure.ConfigurationError;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.gateway.collect.Collector;
import flexdp.gateway.collect.ColumnNames;
import flexdp.gateway.collect.Progress;
import flexdp.gateway.collect.RequiredFrequencies;
import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.database.Session;
import flexdp.gateway.database.Session.DatabaseTimeout;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.render.ReleaseStatement;
import flexdp.gateway.render.SqlRenderer;
import flexdp.metrics.Metrics;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.query.NoisyAggregate;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What only MariaDB does, asked end to end: collations, unsigned numbers, limits of the server. */
class MariaDbAskTest {
  private static final String POLICY =
      """
      privacy: {epsilon: 1, budget: {epsilon: 1000000}}
      tables:
        words:
          columns:
            id: {type: bigint, unique: true}
            w:  {type: varchar, domain: [a, A, "a ", á]}
            u:  {type: bigint, range: [-100, 100]}
            v:  {type: "decimal(20,0)", range: [-100, 100]}
            f:  {type: double}
            d:  {type: date}
            b:  {type: boolean}
        other:
          public: true
          columns: {w: {type: varchar}, f: {type: double}}
      """;

  private Policy policy;
  private Metrics metrics;
  private JdbcDatabase database;
  private final List<String> log = new ArrayList<>();

  @BeforeEach
  void open() throws SQLException {
    MariaDbServer.create("asked");
    try (Connection connection = MariaDbServer.writer("asked");
        Statement statement = connection.createStatement()) {
      statement.execute("SET SESSION sql_mode = 'ALLOW_INVALID_DATES'");
      statement.execute(
          "CREATE TABLE words (id INT UNSIGNED PRIMARY KEY, w VARCHAR(9) CHARACTER SET latin1, u"
              + " INT UNSIGNED, v BIGINT UNSIGNED, f DOUBLE, d DATE, b BOOLEAN)");
      statement.execute(
          "INSERT INTO words VALUES (1, 'a', 0, 18446744073709551615, 0, '2024-02-29', 1), (2, 'A',"
              + " 1, 0, -0e0, '0000-00-00', 2), (3, 'a ', 2, 1, 1, '2024-02-31', 0), (4, 'á',"
              + " 4294967295, 2, NULL, '2024-00-01', NULL), (5, NULL, NULL, NULL, 2, NULL, 0)");
      statement.execute("CREATE TABLE other (w VARCHAR(9) COLLATE utf8mb4_unicode_ci, f DOUBLE)");
      statement.execute("INSERT INTO other VALUES ('A', 0), ('a', -0e0), ('á', 5), ('a ', 1)");
      policy = PolicyReader.read(YamlText.tree(POLICY, ConfigurationError.Code.BAD_POLICY));
      metrics =
          new Collector(
                  policy,
                  RequiredFrequencies.of(policy).and(ColumnNames.parse("words.*, other.*", policy)),
                  Progress.NONE,
                  Clock.systemUTC())
              .collect(connection)
              .metrics();
    }
    database = open(Await.LIMIT);
  }

  private JdbcDatabase open(Duration timeout) throws SQLException {
    ErrorLog owner = (what, cause) -> log.add(what + ": " + cause);
    return JdbcDatabase.open(MariaDbServer.url("asked") + "?user=root", policy, timeout, owner);
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void textIsComparedExactly() {
    assertEquals("4", one("SELECT COUNT(*) FROM words x JOIN other o ON x.w = o.w"));
    assertEquals("1", one("SELECT COUNT(*) FROM words WHERE w = 'a'"));
    assertEquals("1", one("SELECT COUNT(*) FROM words WHERE w IN ('a ')"));
    assertEquals("3", one("SELECT COUNT(*) FROM words WHERE w <> 'a'"));
    assertEquals("4", one("SELECT COUNT(DISTINCT w) FROM words"));
    assertEquals("2", one("SELECT COUNT(*) FROM words WHERE LOWER(w) = 'a'"));
    assertEquals("2", one("SELECT COUNT(*) FROM words WHERE TRIM(w) LIKE 'a'"));
    assertEquals(
        "5", one("SELECT COUNT(*) FROM (SELECT w FROM words UNION SELECT w FROM words) x"));
    assertEquals(
        "3",
        one(
            "SELECT COUNT(*) FROM words x WHERE EXISTS (SELECT 1 FROM other o WHERE o.w = x.w)"
                + " AND w <> 'á'"));
    assertEquals("á 1, a 1, a  1, A 1", all("SELECT w, COUNT(*) FROM words GROUP BY w"));
  }

  @Test
  void zeroHasNoSign() {
    assertEquals("5", one("SELECT COUNT(*) FROM words x JOIN other o ON x.f = o.f"));
    assertEquals("3", one("SELECT COUNT(DISTINCT f) FROM words"));
    assertEquals("3", one("SELECT COUNT(DISTINCT -f) FROM words"));
    assertEquals("1", one("SELECT COUNT(DISTINCT f * -0.0) FROM words"));
  }

  @Test
  void numbersWithoutSignMayGoBelowZero() {
    assertEquals("2", one("SELECT COUNT(*) FROM words WHERE u - 2 < 0"));
    assertEquals("2", one("SELECT COUNT(*) FROM words WHERE -u < 0 AND u < 10"));
    assertEquals("3", one("SELECT COUNT(*) FROM words WHERE u * -1 >= -2"));
    assertEquals("1", one("SELECT COUNT(*) FROM words WHERE v - 2 = -2"));
    assertEquals("1", one("SELECT COUNT(*) FROM words WHERE v + 1 > 18446744073709551615"));
    assertEquals("103", one("SELECT SUM(u) FROM words"));
    assertEquals("103", one("SELECT SUM(v) FROM words"));
    assertEquals("2", one("SELECT COUNT(*) FROM words WHERE LEAST(u, -1, NULL) = -1 AND u < 2"));
  }

  @Test
  void daysThatNoCalendarHasAreNull() {
    assertEquals("1", one("SELECT COUNT(d) FROM words"));
    assertEquals("4", one("SELECT COUNT(*) FROM words WHERE d IS NULL"));
    assertEquals("2", one("SELECT COUNT(*) FROM words WHERE b"));
  }

  @Test
  void longSumsAreWrittenShort() {
    String sum = String.join(" + ", Collections.nCopies(60, "u"));
    assertEquals("1", one("SELECT COUNT(*) FROM words WHERE " + sum + " = 120"));
    String product = String.join(" * ", Collections.nCopies(4, "u"));
    assertEquals("1", one("SELECT COUNT(*) FROM words WHERE " + product + " = 16"));
    assertEquals("2", one("SELECT COUNT(*) FROM words WHERE (" + product + ") IS NULL"));
    String many = String.join(" * ", Collections.nCopies(30, "u"));
    Rejection rejection =
        assertThrows(
            Rejection.class, () -> one("SELECT COUNT(*) FROM words WHERE " + many + " = 1"));
    assertEquals(RejectionCode.TOO_COMPLEX, rejection.code());
  }

  @Test
  void moreTablesThanTheServerJoinsAreRejected() {
    String joins =
        IntStream.range(0, 70)
            .mapToObj(i -> " JOIN other o" + i + " ON o" + i + ".f = x.f")
            .collect(Collectors.joining());
    Rejection rejection =
        assertThrows(Rejection.class, () -> one("SELECT COUNT(*) FROM words x" + joins));
    assertEquals(RejectionCode.TOO_COMPLEX, rejection.code());
  }

  @Test
  void theServerEndsWhatTakesTooLong() throws SQLException {
    try (JdbcDatabase hasty = open(Duration.ofSeconds(2));
        Session session = hasty.session()) {
      String forever =
          "SELECT COUNT(*) FROM seq_1_to_1000000 a, seq_1_to_1000000 b WHERE a.seq > b.seq";
      assertThrows(DatabaseTimeout.class, () -> session.run(forever, row -> {}));
      assertTrue(log.getFirst().startsWith("timed out"), log.toString());
    }
    assertEquals("5", one("SELECT COUNT(*) FROM words"));
  }

  private String one(String sql) {
    return all(sql);
  }

  /** The statement's own rows: labels and noise are not looked at. */
  private String all(String sql) {
    NoisyAggregate point =
        new Analyzer(policy, metrics, LocalDateTime.of(2024, 7, 1, 12, 0))
            .plan(sql, AnalysisOptions.DEFAULT)
            .query()
            .releases()
            .getFirst();
    ReleaseStatement statement =
        new SqlRenderer(database.dialect(), database.catalog()).statements(point).getFirst();
    List<String> rows = new ArrayList<>();
    try (Session session = database.session()) {
      session.run(
          statement.sql(),
          row -> {
            if (statement.keys() == 0) {
              rows.add(row.getBigDecimal(1).toPlainString());
            } else if (row.getString(1) != null) {
              rows.add(row.getString(1) + " " + row.getString(2));
            }
          });
    } catch (flexdp.failure.DatabaseError e) {
      throw new AssertionError(log.toString(), e);
    }
    rows.sort(Collections.reverseOrder());
    return String.join(", ", rows);
  }
}
