package flexdp.server.pgcatalog;

import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.gateway.demo.RideSharing;
import flexdp.gateway.files.YamlText;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.List;
import org.junit.jupiter.api.Test;

/** PostgreSQL's own views are made from their own definitions. */
class ViewsTest {
  @Test
  void nearlyAllViewsCanBeHadFromTheirDefinitions() throws Exception {
    Policy policy =
        PolicyReader.read(
            YamlText.tree(
                RideSharing.policy("jdbc:duckdb:x"),
                flexdp.failure.ConfigurationError.Code.BAD_POLICY));
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:")) {
      List<String> missing = CatalogTables.create(connection, policy);
      for (String name : List.of("pg_tables", "pg_roles", "pg_indexes", "columns", "routines")) {
        assertTrue(missing.stream().noneMatch(m -> m.startsWith(name + ":")), missing::toString);
      }
      assertTrue(missing.size() < 65, missing::toString);
    }
  }
}
