package flexdp.server.catalogue;

import flexdp.policy.Policy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Makes the catalogue's tables. */
final class CatalogueTables {
  private CatalogueTables() {}

  static void create(Connection connection, Policy policy) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE SCHEMA pgc");
      statement.execute("CREATE SCHEMA pgi");
    }
  }
}
