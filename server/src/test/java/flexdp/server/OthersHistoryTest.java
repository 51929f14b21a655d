package flexdp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What one visitor was shown of the schema flexdp is not there for the next, whose statements run
 * on the same connection of the catalogue: {@code flexdp."HISTORY"} and {@code FROM 'fdx_history'}
 * read what the owner had asked for before.
 */
class OthersHistoryTest {
  @TempDir static Path folder;
  private static Demo demo;

  @BeforeAll
  static void start() throws Exception {
    demo = Demo.start(folder);
    try (Connection connection = demo.connect("ann");
        Statement statement = connection.createStatement()) {
      statement.executeQuery("SELECT COUNT(*) FROM trips WHERE status = 'ours'").close();
    }
  }

  @AfterAll
  static void stop() {
    demo.close();
  }

  private static String shown(Statement statement, String sql) throws SQLException {
    StringBuilder all = new StringBuilder();
    try (ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
          all.append(rows.getString(i)).append('|');
        }
      }
    }
    return all.toString();
  }

  private static String shownOrRefused(Statement statement, String sql) {
    try {
      return shown(statement, sql);
    } catch (SQLException e) {
      return e.getMessage();
    }
  }

  @Test
  void nobodySeesWhatTheOwnerWasShown() throws SQLException {
    try (Connection own = demo.connect("owner");
        Connection other = demo.connect("ben");
        Statement owner = own.createStatement();
        Statement ben = other.createStatement()) {
      for (String sql :
          List.of(
              "SELECT * FROM flexdp.\"HISTORY\"",
              "SELECT * FROM flexdp.\"History\" h",
              "SELECT * FROM FLEXDP.HISTORY",
              "SELECT * FROM \"flexdp\".\"history\"",
              "SELECT * FROM flexdp.history",
              "SELECT * FROM pg_catalog.pg_namespace n, 'fdx_history' h",
              "SELECT * FROM pg_catalog.pg_namespace n JOIN 'FDX_HISTORY' h ON true",
              "SELECT * FROM pg_catalog.pg_namespace n, (FROM 'fdx_history') h",
              "SELECT * FROM pg_catalog.pg_namespace n, e'fdx_history' h",
              "SELECT * FROM pg_catalog.pg_namespace n, $$fdx_history$$ h",
              "SELECT * FROM pg_catalog.pg_namespace n, ('fdx_history') h",
              "SELECT * FROM pg_catalog.pg_namespace n, fdx_history h",
              "SELECT * FROM pg_catalog.pg_namespace n, \"fdx_history\" h")) {
        assertTrue(shown(owner, "SELECT query FROM flexdp.history").contains("ours"));
        assertFalse(shownOrRefused(ben, sql).contains("ours"), sql);
        assertTrue(shown(owner, "SELECT * FROM flexdp.history, flexdp.budget").contains("ann"));
        String budget = sql.replace("history", "budget").replace("HISTORY", "BUDGET");
        assertFalse(shownOrRefused(ben, budget).contains("ann"), budget);
      }
    }
  }

  @Test
  void theSchemaHasThreeTables() throws SQLException {
    try (Connection connection = demo.connect("ann");
        Statement statement = connection.createStatement()) {
      assertTrue(shown(statement, "SELECT * FROM flexdp.\"HISTORY\"").contains("ours"));
      assertEquals(
          "42P01",
          assertThrows(
                  SQLException.class, () -> statement.executeQuery("SELECT * FROM flexdp.nosuch"))
              .getSQLState());
    }
  }

  @Test
  void aValueOfTheCatalogueThatIsNamedTenThousandTimesIsRefused() throws SQLException {
    try (Connection connection = demo.connect("ann");
        Statement statement = connection.createStatement()) {
      statement.execute(
          "PREPARE many(text) AS SELECT $1" + ", $1".repeat(20_000) + " FROM pg_catalog.pg_class");
      String run = "EXECUTE many('" + "x".repeat(200_000) + "')";
      assertEquals(
          "54001", assertThrows(SQLException.class, () -> statement.execute(run)).getSQLState());
    }
  }
}
