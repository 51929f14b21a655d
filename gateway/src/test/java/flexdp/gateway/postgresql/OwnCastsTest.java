package flexdp.gateway.postgresql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.DatabaseError;
import flexdp.gateway.FreshPostgres;
import flexdp.gateway.catalog.PhysicalColumn;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A cast that somebody made is found whatever the search path is, and its function may fail on one
 * row or read a whole table. Columns that are read through one are in no policy, and a database
 * that has one between the system's own types is not opened.
 */
class OwnCastsTest {
  private static List<String> computed(Connection connection) throws SQLException {
    return new PostgreSqlConnector()
        .tables(connection).stream()
            .flatMap(t -> t.columns().stream())
            .filter(PhysicalColumn::computed)
            .map(PhysicalColumn::name)
            .toList();
  }

  @Test
  void noColumnIsReadByOne() throws Exception {
    try (FreshPostgres postgres = FreshPostgres.create();
        Connection connection = postgres.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE EXTENSION IF NOT EXISTS citext");
      statement.execute("CREATE TYPE mood AS ENUM ('a', 'victim')");
      statement.execute("CREATE TYPE pair AS (x int, y int)");
      statement.execute("CREATE DOMAIN one AS mood");
      statement.execute("CREATE DOMAIN two AS one");
      statement.execute(
          "CREATE TABLE t(id int, m mood, d one, e two, p pair, l mood[], c citext, n numeric)");
      assertEquals(List.of(), computed(connection));

      statement.execute(
          "CREATE FUNCTION f(mood) RETURNS text LANGUAGE plpgsql AS $$ BEGIN IF $1 = 'victim' THEN"
              + " RETURN (1 / 0)::text; END IF; RETURN 'a'; END $$");
      statement.execute("CREATE CAST (mood AS text) WITH FUNCTION f(mood)");
      assertEquals(List.of("m", "d", "e"), computed(connection));

      statement.execute(
          "CREATE FUNCTION g(pair) RETURNS text LANGUAGE sql AS 'SELECT count(*)::text FROM t'");
      statement.execute("CREATE CAST (pair AS text) WITH FUNCTION g(pair)");
      assertEquals(List.of("m", "d", "e", "p"), computed(connection));
    }
  }

  @Test
  void noneIsBetweenTheTypesOfTheSystem() throws Exception {
    try (FreshPostgres postgres = FreshPostgres.create();
        Connection connection = postgres.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE CAST (text AS integer) WITH INOUT AS ASSIGNMENT");
      assertEquals(List.of(), computed(connection));
      statement.execute(
          "CREATE FUNCTION h(int) RETURNS text LANGUAGE sql AS 'SELECT (1 / ($1 - 42))::text'");
      statement.execute("CREATE CAST (integer AS text) WITH FUNCTION h(int)");
      DatabaseError refused = assertThrows(DatabaseError.class, () -> computed(connection));
      assertTrue(refused.getMessage().contains("integer AS text"), refused.getMessage());
    }
  }
}
