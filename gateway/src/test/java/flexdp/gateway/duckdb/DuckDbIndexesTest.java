package flexdp.gateway.duckdb;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which unique indexes are keys: those on one plain column, and none that only look so. */
class DuckDbIndexesTest {
  @Test
  void anIndexOnTwoColumnsIsNoneOnAColumnOfBothNames() throws Exception {
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE t(a INT, b INT, c VARCHAR, plain INT, \"a, b\" INT, \"'(lower(c))'\" INT)");
      statement.execute("CREATE UNIQUE INDEX i ON t(a, b)");
      statement.execute("CREATE UNIQUE INDEX j ON t((lower(c)))");
      statement.execute("CREATE UNIQUE INDEX k ON t(plain)");
      assertEquals(
          List.of(List.of("plain")), new DuckDbConnector().tables(connection).getFirst().keys());
    }
  }
}
