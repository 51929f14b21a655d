package flexdp.gateway.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import flexdp.failure.ConfigurationError;
import flexdp.failure.RejectionCode;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.verify.ExactResults;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.release.NeighborDistance;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Somebody with thousands of rows, whose values lie far from zero: neither her sum nor her rows
 * times the middle of a range may outgrow a number, which would fail because of her, or count for
 * more than her noise.
 */
class ManyRowsOfOneTest {
  private static final int ROWS = 5_000;

  private static final Set<RejectionCode> REFUSED =
      Set.of(RejectionCode.MISSING_RANGE, RejectionCode.UNSUPPORTED, RejectionCode.TYPE_MISMATCH);

  private static final List<String> QUESTIONS =
      List.of(
          "SELECT AVG(LEAST(GREATEST(b, 4503599627370494), 4503599627370495)) FROM t",
          "SELECT AVG(LEAST(GREATEST(b, -4503599627370495), -4503599627370494)) FROM t",
          "SELECT g, AVG(LEAST(GREATEST(b, 4503599627370494), 4503599627370495)),"
              + " VARIANCE(LEAST(GREATEST(b, 4503599627370494), 4503599627370495)) FROM t"
              + " GROUP BY g",
          "SELECT AVG(LEAST(GREATEST(b, 9223372036854775806), 9223372036854775807)) FROM t",
          "SELECT AVG(LEAST(GREATEST(d, 123456789012.000000), 123456789013.000000)) FROM t",
          "SELECT AVG(LEAST(GREATEST(m, 99999999999999999.0), 99999999999999999.1)) FROM t",
          "SELECT AVG(LEAST(GREATEST(m, -99999999999999999.1), -99999999999999999.0)) FROM t",
          "SELECT SUM(LEAST(GREATEST(m, 0), 50.1)), COUNT(*) FROM t",
          "SELECT SUM(LEAST(GREATEST(b, 0), 1099511627775)) FROM t");

  private static final Policy POLICY =
      PolicyReader.read(
          YamlText.tree(
              """
              privacy: {epsilon: 1}
              people: {person: {key: q.k}}
              tables:
                q: {owners: {person: k}, columns: {k: {type: integer, unique: true, nullable: false}}}
                t:
                  owners: {person: who}
                  columns:
                    who: {type: integer}
                    b: {type: bigint}
                    d: {type: "decimal(18,6)"}
                    m: {type: "decimal(38,10)"}
                    g: {type: integer, domain: [0, 1]}
              """,
              ConfigurationError.Code.BAD_POLICY));

  @Test
  void onDuckDb() throws Exception {
    attack(new DuckDbTestBed());
  }

  @Test
  void onSqlite() throws Exception {
    attack(new SqliteTestBed());
  }

  @Test
  void onPostgreSql() throws Exception {
    attack(PostgresTestBed.started());
  }

  @Test
  void onMariaDb() throws Exception {
    attack(new MariaDbTestBed());
  }

  static void attack(TestBed opened) throws Exception {
    try (TestBed ground = opened;
        Connection all = filled(ground, 0, ROWS);
        Connection rest = filled(ground, 1, 0);
        JdbcDatabase with = ground.open(0, all, POLICY, (what, cause) -> {});
        JdbcDatabase without = ground.open(1, rest, POLICY, (what, cause) -> {})) {
      List<String> found = new ArrayList<>();
      Map<String, ExactResults> here = read(with, found);
      Map<String, ExactResults> there = read(without, found);
      assertEquals(here.keySet(), there.keySet());
      here.forEach(
          (question, one) ->
              one.against(there.get(question)).stream()
                  .filter(NeighborDistance::isTooFar)
                  .findFirst()
                  .ifPresent(change -> found.add(question + ": " + change)));
      assertEquals(List.of(), found);
    }
  }

  private static Connection filled(TestBed ground, int side, int rows) throws SQLException {
    Connection connection = ground.writer(side);
    try (Statement statement = connection.createStatement()) {
      statement.execute("DROP TABLE IF EXISTS q");
      statement.execute("DROP TABLE IF EXISTS t");
      statement.execute("CREATE TABLE q (k INTEGER)");
      statement.execute(
          "CREATE TABLE t (who INTEGER, b BIGINT, d DECIMAL(18,6), m DECIMAL(38,10), g INTEGER)");
      List<String> values = new ArrayList<>();
      for (int i = 0; i < rows + 20; i++) {
        int who = i < rows ? 1 : i;
        values.add("(" + who + ", 5, 5.5, 99999999999999999, " + i % 2 + ")");
      }
      statement.execute("INSERT INTO t VALUES " + String.join(", ", values));
    }
    return connection;
  }

  /** By question; what a database has no numbers for is refused by its text. */
  private static Map<String, ExactResults> read(JdbcDatabase database, List<String> found) {
    Map<String, String> questions = new LinkedHashMap<>();
    QUESTIONS.forEach(question -> questions.put(question, question));
    return new ExactAnswers(POLICY, REFUSED).of(questions, database, found);
  }
}
