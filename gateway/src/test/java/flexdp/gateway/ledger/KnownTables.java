package flexdp.gateway.ledger;

import flexdp.gateway.catalog.TableIdentities;
import flexdp.gateway.database.Connectors;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;

/** What databases say of the tables of policies that name them in various ways. */
final class KnownTables {
  private KnownTables() {}

  /** A policy with protected tables of these names, each with a column id. */
  static Policy policy(String... names) {
    Map<String, Object> tables = new HashMap<>();
    for (String name : names) {
      tables.put(name, Map.of("columns", Map.of("id", Map.of("type", "bigint"))));
    }
    return PolicyReader.read(Map.of("tables", tables));
  }

  static TableIdentities in(Connection connection, String... names) throws SQLException {
    return TableIdentities.of(policy(names), Connectors.of(connection), connection);
  }

  static void sql(Connection connection, String... statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String text : statements) {
        statement.execute(text);
      }
    }
  }
}
