package flexdp.gateway.duckdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.DatabaseError;
import flexdp.gateway.catalog.PhysicalTable;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * With such macros {@code COUNT(*) … WHERE SUBSTRING(…) = 'victim'} changed by all rows for one,
 * and {@code LOWER} failed on one row only.
 */
class DuckDbMacrosTest {
  private static List<PhysicalTable> tables(String... statements) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE t(name VARCHAR)");
      for (String sql : statements) {
        statement.execute(sql);
      }
      return new DuckDbConnector().tables(connection);
    }
  }

  @Test
  void aMacroInTheWayOfAFunctionIsRefused() {
    for (String macro :
        List.of(
            "substring(a, b, c) AS (SELECT MAX(name) FROM t)",
            "LOWER(x) AS CASE WHEN x = 'victim' THEN error('found') ELSE x END",
            "count_star() AS 42",
            "sum(x) AS 42",
            "\"+\"(x, y) AS 42",
            "\"~~\"(x, y) AS TRUE",
            "date_part(x, y) AS 42",
            "duckdb_functions() AS TABLE SELECT 1 AS function_name, TRUE AS internal",
            "current_schema() AS 'other'")) {
      DatabaseError refused =
          assertThrows(DatabaseError.class, () -> tables("CREATE MACRO " + macro), macro);
      assertTrue(refused.message().contains("macros with names of DuckDB's own"), macro);
    }
  }

  @Test
  void otherMacrosAndThoseOfOtherSchemasAreNot() throws SQLException {
    assertEquals(
        1,
        tables(
                "CREATE MACRO initial(x) AS LEFT(x, 1)",
                "CREATE SCHEMA other",
                "CREATE MACRO other.lower(x) AS 'a'")
            .size());
  }
}
