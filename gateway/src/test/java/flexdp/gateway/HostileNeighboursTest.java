package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;

import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.files.YamlText;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each of these questions once failed on a database that held one hostile row and was answered
 * without it, so that its failure told of the row at no cost. Both must end alike, and well.
 */
class HostileNeighboursTest {
  private static final String LABELS =
      """
      privacy: {delta: 1e-6, budget: {epsilon: 1, delta: 0.5}, thresholding: {delta: 1e-9}}
      tables:
        t:
          columns:
            id:   {type: bigint, unique: true, nullable: false}
            k:    {type: integer, domain: [1, 2]}
            name: {type: varchar, domain: [a, victim]}
            x:    {type: double}
            d:    {type: date}
            at:   {type: timestamp}
      """;

  @TempDir Path folder;

  /** Their noise has a scale of its own for every database, which is not shown. */
  private static final List<String> JOINS =
      List.of(
          "SELECT COUNT(*) FROM t a JOIN t b ON a.id = b.id",
          "SELECT COUNT(*) FROM t a JOIN t b ON a.x = b.x",
          "SELECT SUM(CASE WHEN a.id > 1 THEN 1 ELSE -1 END) FROM t a LEFT JOIN t b ON a.x = b.x",
          "SELECT COUNT(*) FROM (SELECT LAG(id) OVER (PARTITION BY x ORDER BY id) AS n FROM t) q"
              + " WHERE n > 3");

  /** What is said before asking is the same to the last letter. */
  private static List<String> explained(AskedSide with, AskedSide without, String sql) {
    String one = with.explained(sql);
    String two = without.explained(sql);
    return one.equals(two) ? List.of() : List.of("explain " + sql + "\n  " + one + "\n  " + two);
  }

  /** Which questions did not end alike, or not in an answer though nothing in them is refused. */
  private static List<String> told(AskedSide with, AskedSide without, List<String> questions) {
    List<String> told = new ArrayList<>();
    for (String sql : JOINS) {
      told.addAll(explained(with, without, sql));
    }
    for (String sql : questions) {
      told.addAll(explained(with, without, sql));
      String one = with.outcome(sql);
      String two = without.outcome(sql);
      if (!one.equals(two) || !one.equals("answered") && !one.equals("LABEL_TYPE")) {
        told.add(sql + "\n  with: " + one + "\n  without: " + two);
      }
    }
    return told;
  }

  private static Policy policy(String yaml) {
    return PolicyReader.read(YamlText.tree(yaml, Code.BAD_POLICY));
  }

  private AskedSide sqlite(Policy policy, String name, List<String> rows) throws Exception {
    String url = "jdbc:sqlite:" + folder.resolve(name + ".db");
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, k, name, x, d, at)");
      for (String row : rows) {
        statement.execute("INSERT INTO t VALUES (" + row + ")");
      }
      return new AskedSide(url, connection, policy, "t.k, t.x", folder.resolve(name + ".ledger"));
    }
  }

  private static final List<String> SQLITE =
      List.of(
          "SELECT x, COUNT(*) FROM t GROUP BY x",
          "SELECT -x, COUNT(*) FROM t GROUP BY -x",
          "SELECT x * 1e300, COUNT(*) FROM t GROUP BY x * 1e300",
          "SELECT CAST(name AS double), COUNT(*) FROM t GROUP BY 1",
          "SELECT CAST(CASE WHEN name = 'victim' THEN 'inf' ELSE '1' END AS DOUBLE), COUNT(*) FROM"
              + " t GROUP BY 1",
          "SELECT name, COUNT(*) FROM t GROUP BY name",
          "SELECT LOWER(name), COUNT(*) FROM t GROUP BY LOWER(name)",
          "SELECT d, COUNT(*) FROM t GROUP BY d",
          "SELECT at, COUNT(*) FROM t GROUP BY at",
          "SELECT DATE_TRUNC('week', at), COUNT(*) FROM t GROUP BY 1",
          "SELECT d - INTERVAL '1' MONTH, COUNT(*) FROM t GROUP BY 1",
          "SELECT CAST(at AS time), COUNT(*) FROM t GROUP BY 1",
          "SELECT CASE WHEN k = 1 THEN INTERVAL '1' DAY ELSE INTERVAL '2' DAY END g, COUNT(*) FROM"
              + " t GROUP BY 1",
          "SELECT COUNT(*) FROM t WHERE ABS(id) > 5 AND -k < 3 AND k * k > 2",
          "SELECT COUNT(*) FROM (SELECT SUM(x * 1e14) AS s FROM t a CROSS JOIN (VALUES (1), (2))"
              + " b(n)) q WHERE s > 0",
          "SELECT COUNT(*) FROM (SELECT SUM(CAST(x AS DECIMAL(18,10)) * CAST(x AS DECIMAL(18,10)))"
              + " AS s FROM t) q WHERE s > 0");

  @Test
  void noValueOfSqliteIsSeen() throws Exception {
    List<String> plain = List.of("1, 1, 'a', 1.5, '2024-01-01', '2024-01-01 00:00:00'");
    List<String> hostile =
        List.of(
            "9, 1, 'victim', 9e999, '0000-01-01', '0000-01-01 00:00:00'",
            "9, 1, 'victim', -9e999, '10000-01-01', '9999-12-31 23:59:59.999999'",
            "9, 9e999, CAST(x'ff' AS TEXT), -0.0, 2460000.5, '2024-02-29 24:00:00'",
            "-9223372036854775807 - 1, -9223372036854775807 - 1, CAST(x'610062' AS TEXT), x'ff',"
                + " 'now', 'now'");
    Policy policy = policy(LABELS);
    try (AskedSide without = sqlite(policy, "x", plain)) {
      for (int i = 0; i < hostile.size(); i++) {
        List<String> rows = new ArrayList<>(plain);
        rows.add(hostile.get(i));
        try (AskedSide with = sqlite(policy, "y" + i, rows)) {
          assertEquals(List.of(), told(with, without, SQLITE), hostile.get(i));
        }
      }
    }
  }

  private static final String UNSIGNED =
      """
      privacy: {delta: 1e-6, budget: {epsilon: 1, delta: 0.5}, thresholding: {delta: 1e-9}}
      tables:
        t:
          columns:
            id: {type: bigint, unique: true, nullable: false}
            ti: {type: smallint}
            mi: {type: integer}
            y:  {type: smallint}
            b:  {type: "decimal(20,0)"}
            b2: {type: "decimal(20,0)"}
            x:  {type: double}
            d:  {type: date}
            at: {type: timestamp}
            tm: {type: time}
            s:  {type: varchar}
            u:  {type: varchar}
            v:  {type: varchar}
      """;

  private static final List<String> MARIADB =
      List.of(
          "SELECT COUNT(*) FROM t WHERE ti - 5 > 0",
          "SELECT COUNT(*) FROM t WHERE mi + (-5) > 0",
          "SELECT COUNT(*) FROM t WHERE y - 2025 > 0",
          "SELECT COUNT(*) FROM t WHERE b + b2 > 0",
          "SELECT COUNT(*) FROM t WHERE b - b2 > 0",
          "SELECT COUNT(*) FROM t WHERE -b < 0 OR b * -1 < 5",
          "SELECT COUNT(*) FROM t WHERE COALESCE(ti, 0) - 5 > CASE WHEN mi > 1 THEN ti ELSE y END -"
              + " y",
          "SELECT COUNT(*) FROM t WHERE CASE WHEN ti < 5 THEN 9223372036854775808 +"
              + " 9223372036854775808 ELSE 1 END > 2",
          "SELECT COUNT(*) FROM (SELECT MIN(ti) AS m FROM t GROUP BY id) q WHERE m - 9 > 0",
          "SELECT COUNT(*) FROM (SELECT LAG(mi) OVER (PARTITION BY id ORDER BY id) - mi AS m FROM"
              + " t) q WHERE m > 0",
          "SELECT COUNT(*) FROM (SELECT ti FROM t UNION ALL SELECT y FROM t) q WHERE ti - 3000 > 0",
          "SELECT COUNT(*) FROM (SELECT ROW_NUMBER() OVER (PARTITION BY s, u ORDER BY v, id) AS r"
              + " FROM t) q WHERE r = 1",
          "SELECT COUNT(*) FROM (SELECT ROW_NUMBER() OVER (PARTITION BY s || u, u || v, s || v, v,"
              + " u, s ORDER BY LOWER(v), UPPER(u), id) AS r FROM t) q WHERE r = 1",
          "SELECT s || u, u || v, COUNT(*) FROM t GROUP BY s || u, u || v",
          "SELECT COUNT(*) FROM (SELECT DISTINCT s, u, v, s || u AS a, u || v AS b FROM t) q",
          "SELECT tm, COUNT(*) FROM t GROUP BY tm",
          "SELECT d, at, COUNT(*) FROM t GROUP BY d, at",
          "SELECT ADD_MONTHS(d, -12), COUNT(*) FROM t GROUP BY 1",
          "SELECT x, x * x, COUNT(*) FROM t GROUP BY x, x * x",
          "SELECT COUNT(*) FROM t WHERE ROUND(x, -300) > 0 OR POWER(x, 3) > 0 OR EXP(x) > 0",
          "SELECT COUNT(*) FROM t WHERE CAST(s AS double) > 0 OR CAST(s AS date) > DATE"
              + " '2000-01-01'");

  private AskedSide mariaDb(Policy policy, String name, List<String> rows) throws Exception {
    MariaDbServer.create(name);
    try (Connection connection = MariaDbServer.writer(name);
        Statement statement = connection.createStatement()) {
      statement.execute("SET SESSION sql_mode = 'ALLOW_INVALID_DATES', time_zone = '+00:00'");
      statement.execute(
          "CREATE TABLE t(id BIGINT PRIMARY KEY, ti TINYINT UNSIGNED, mi MEDIUMINT UNSIGNED, y"
              + " YEAR, b BIGINT UNSIGNED, b2 BIGINT UNSIGNED, x DOUBLE, d DATE, at DATETIME(6), tm"
              + " TIME(6), s TEXT, u TEXT COLLATE utf8mb4_unicode_ci, v LONGTEXT)");
      for (String row : rows) {
        statement.execute("INSERT INTO t VALUES (" + row + ")");
      }
      return new AskedSide(
          MariaDbServer.url(name) + "?user=root",
          connection,
          policy,
          "t.s, t.u",
          folder.resolve(name + ".ledger"));
    }
  }

  @Test
  void noValueOfMariaDbIsSeen() throws Exception {
    List<String> hostile =
        List.of(
            "9, 3, 3, 2024, 18446744073709551615, 18446744073709551615, 1.7976931348623157e308,"
                + " '0000-00-00', '0000-00-00', '838:59:59', 'inf', '-0', 'a '",
            "9, 0, 0, 0, 0, 1, -1.7976931348623157e308, '0001-01-01', '0001-01-01', '-838:59:59',"
                + " REPEAT('a', 65535), REPEAT('😀', 16383), REPEAT('😀', 65535)",
            "9, 255, 16777215, 2155, 1, 18446744073709551615, -0e0, '9999-12-31', '9999-12-31"
                + " 23:59:59.999999', '24:00:00', X'EDA080', X'6100', REPEAT(' ', 65535)");
    Policy policy = policy(UNSIGNED);
    try (AskedSide without = mariaDb(policy, "without", List.of())) {
      for (int i = 0; i < hostile.size(); i++) {
        try (AskedSide with = mariaDb(policy, "with" + i, List.of(hostile.get(i)))) {
          assertEquals(List.of(), told(with, without, MARIADB), hostile.get(i));
        }
      }
    }
  }

  /** The server needs memory for each text that it sorts by, and has only so much. */
  @Test
  void asManyTextsAsAreAdmittedAreSorted() throws Exception {
    try (AskedSide side =
        mariaDb(
            policy(UNSIGNED),
            "sorted",
            List.of("1, 1, 1, 2000, 1, 1, 1, NULL, NULL, NULL, 'a', 'b', 'c'"))) {
      assertEquals("answered", side.outcome(byTexts(16)));
      assertEquals("TOO_COMPLEX", side.outcome(byTexts(17)));
    }
  }

  private static String byTexts(int count) {
    String keys =
        IntStream.range(0, count)
            .mapToObj(i -> "v || 'x" + i + "'")
            .collect(Collectors.joining(", "));
    return "SELECT COUNT(*) FROM (SELECT ROW_NUMBER() OVER (PARTITION BY "
        + keys
        + " ORDER BY id) AS r FROM t) q WHERE r = 1";
  }
}
