package flexdp.gateway.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.FreshPostgres;
import flexdp.gateway.files.YamlText;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** PostgreSQL computes in parallel what it hands over whole, and alone what it streams. */
class WholeResultsTest {
  private static final Policy POLICY =
      PolicyReader.read(
          YamlText.tree("tables: {t: {columns: {a: {type: integer}}}}", Code.BAD_POLICY));

  @Test
  void aShortResultIsHandedOverWholeAndALongOneIsNot() throws Exception {
    try (FreshPostgres server = FreshPostgres.create()) {
      String url = server.url();
      try (Connection connection = DriverManager.getConnection(url);
          Statement statement = connection.createStatement()) {
        statement.execute("CREATE TABLE t AS SELECT i AS a FROM generate_series(1, 10) AS g(i)");
      }
      try (JdbcDatabase database =
              JdbcDatabase.open(url, POLICY, Duration.ofMinutes(10), ErrorLog.NONE);
          Session session = database.session()) {
        String sql = "SELECT a FROM public.t";
        List<Integer> rows = new ArrayList<>();
        assertTrue(session.runWhole(sql, 10, row -> rows.add(row.getInt(1))));
        assertEquals(10, rows.size());
        assertFalse(session.runWhole(sql, 9, row -> rows.add(row.getInt(1))), "one more is there");
      }
    }
  }

  @Test
  void otherDatabasesStream() throws Exception {
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE t (a INTEGER)");
      try (JdbcDatabase database =
              JdbcDatabase.over(connection, POLICY, Duration.ofMinutes(10), ErrorLog.NONE);
          Session session = database.session()) {
        assertFalse(session.runWhole("SELECT a FROM t", 10, row -> {}));
      }
    }
  }
}
