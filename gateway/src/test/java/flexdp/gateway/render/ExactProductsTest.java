package flexdp.gateway.render;

import static org.junit.jupiter.api.Assertions.assertEquals;

import flexdp.decompose.QueryDecomposer;
import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.FreshPostgres;
import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.database.Session;
import flexdp.gateway.files.YamlText;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.query.NoisyAggregate;
import flexdp.sql.bind.SqlBinder;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.Map;
import java.util.Optional;
import org.duckdb.DuckDBConnection;
import org.junit.jupiter.api.Test;

/**
 * Sums of arithmetic whose values are NULL, outside of their range, or too long for their type. The
 * last are NULL, and not clamped to the end of the range.
 */
class ExactProductsTest {
  private static final Policy POLICY =
      PolicyReader.read(
          YamlText.tree(
              "tables: {t: {columns: {a: {type: 'decimal(30,2)', range: [0, 10]}, b: {type:"
                  + " 'decimal(30,2)', range: [0, 10]}, c: {type: 'decimal(5,2)', range: [0,"
                  + " 10]}}}}",
              Code.BAD_POLICY));

  private static final String CREATE =
      "CREATE TABLE t (a DECIMAL(30,2), b DECIMAL(30,2), c DECIMAL(5,2))";
  private static final String INSERT =
      "INSERT INTO t VALUES (1e27, 1e27, 1), (NULL, 2, 3), (3, 4, 5), (20, 20, 20), (2, NULL, 3),"
          + " (-5, 5, -5)";

  /** By hand, row by row; a missing row is NULL. */
  private static final Map<String, String> SUMS =
      Map.of(
          "a * b", "112", // too long, -, 12, 100, -, 0
          "a + b", "47", // 20, -, 7, 20, -, 0
          "a * c", "246", // 100, -, 15, 100, 6, 25
          "c * c", "169", // 1, 9, 25, 100, 9, 25
          "c * (1 - c)", "-152"); // 0, -6, -20, -90, -6, -30

  private static BigDecimal sum(JdbcDatabase database, String expression) {
    String sql = "SELECT SUM(" + expression + ") FROM t";
    NoisyAggregate point =
        QueryDecomposer.of(
                new SqlBinder(POLICY, LocalDateTime.MIN).bind(sql), POLICY, Optional.empty())
            .releases()
            .get(0);
    ReleaseStatement statement =
        new SqlRenderer(database.dialect(), database.catalog()).statements(point).get(0);
    BigDecimal[] sum = new BigDecimal[1];
    try (Session session = database.session()) {
      session.run(
          statement.sql(),
          row ->
              sum[0] =
                  session
                      .number(row, 1)
                      .orElseThrow()
                      .multiply(statement.cells().get(0).clamped().orElseThrow().step()));
    }
    return sum[0];
  }

  @Test
  void sumsAreThoseComputedByHand() throws Exception {
    try (FreshPostgres server = FreshPostgres.create();
        Connection duck = DriverManager.getConnection("jdbc:duckdb:");
        Connection owner = duck.unwrap(DuckDBConnection.class).duplicate()) {
      String url = server.url();
      fill(owner);
      try (Connection connection = DriverManager.getConnection(url)) {
        fill(connection);
      }
      try (JdbcDatabase one =
              JdbcDatabase.open(url, POLICY, Duration.ofMinutes(10), ErrorLog.NONE);
          JdbcDatabase two =
              JdbcDatabase.over(duck, POLICY, Duration.ofMinutes(10), ErrorLog.NONE)) {
        for (Map.Entry<String, String> expected : SUMS.entrySet()) {
          BigDecimal sum = new BigDecimal(expected.getValue());
          assertEquals(0, sum.compareTo(sum(one, expected.getKey())), expected.getKey());
          assertEquals(0, sum.compareTo(sum(two, expected.getKey())), expected.getKey());
        }
      }
    }
  }

  private static void fill(Connection connection) throws Exception {
    try (Statement statement = connection.createStatement()) {
      statement.execute(CREATE);
      statement.execute(INSERT);
    }
  }
}
