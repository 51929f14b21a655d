package flexdp.experiments.publictables;

import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.demo.RideSharing;
import flexdp.gateway.files.YamlText;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * The policy of the rides without its public table: cities is protected like the others. Labels
 * that its rows supplied are declared as domains instead, so that the same queries are answered and
 * only the bounds differ.
 */
final class ProtectedCities {
  private ProtectedCities() {}

  static Policy policy(Connection connection) throws SQLException {
    String keys = list(connection, "id", "");
    String names = list(connection, "name", "\"");
    String countries = list(connection, "country", "\"");
    String text =
        RideSharing.policy("jdbc:duckdb:rides.duckdb")
            .replace("    public: true\n", "")
            .replace("references: cities.id", "domain: [" + keys + "]")
            .replace(
                "name:    {type: varchar, nullable: false",
                "name:    {type: varchar, nullable: false, domain: [" + names + "]")
            .replace(
                "country: {type: varchar, nullable: false",
                "country: {type: varchar, nullable: false, domain: [" + countries + "]");
    return PolicyReader.read(YamlText.tree(text, Code.BAD_POLICY));
  }

  private static String list(Connection connection, String column, String quote)
      throws SQLException {
    List<String> values = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT DISTINCT " + column + " FROM cities ORDER BY " + column)) {
      while (rows.next()) {
        values.add(quote + rows.getString(1) + quote);
      }
    }
    return String.join(", ", values);
  }
}
