package flexdp.gateway.duckdb;

import static org.junit.jupiter.api.Assertions.assertEquals;

import flexdp.decompose.QueryDecomposer;
import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.render.SqlRenderer;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.query.NoisyAggregate;
import flexdp.sql.bind.SqlBinder;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.Optional;
import org.duckdb.DuckDBConnection;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Unequal columns in a correlated subquery, with NULL about. Given the plain text, DuckDB 1.5.6
 * counts 2 where 1 is right; what is rendered must count right.
 */
class DuckDbInequalityTest {
  private static final Policy POLICY =
      PolicyReader.read(
          YamlText.tree(
              "tables: {t: {columns: {a: {type: integer}, b: {type: integer}, c: {type:"
                  + " integer}}}}",
              Code.BAD_POLICY));

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "EXISTS (SELECT 1 FROM t x WHERE NOT (x.a = o.c) AND x.a = o.a); 1",
        "EXISTS (SELECT 1 FROM t x WHERE x.a <> o.c AND x.a = o.a); 1",
        "NOT EXISTS (SELECT 1 FROM t x WHERE x.a <> o.c AND x.a = o.a); 2",
        "EXISTS (SELECT 1 FROM t x WHERE x.a = o.a AND x.c <> o.b); 1"
      })
  void countsAsItShould(String condition, int expected) throws Exception {
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Connection owner = connection.unwrap(DuckDBConnection.class).duplicate();
        Statement statement = owner.createStatement()) {
      statement.execute("CREATE TABLE t (a INTEGER, b INTEGER, c INTEGER)");
      statement.execute("INSERT INTO t VALUES (0, 1, 2), (NULL, NULL, NULL), (0, NULL, NULL)");
      try (JdbcDatabase database =
          JdbcDatabase.over(connection, POLICY, Duration.ofMinutes(10), ErrorLog.NONE)) {
        String sql = "SELECT COUNT(*) FROM t o WHERE " + condition;
        NoisyAggregate point =
            QueryDecomposer.of(
                    new SqlBinder(POLICY, LocalDateTime.MIN).bind(sql), POLICY, Optional.empty())
                .releases()
                .get(0);
        String rendered =
            new SqlRenderer(database.dialect(), database.catalog()).statements(point).get(0).sql();
        try (ResultSet rows = statement.executeQuery(rendered)) {
          rows.next();
          assertEquals(expected, rows.getInt(1), rendered);
        }
      }
    }
  }
}
