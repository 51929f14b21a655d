package flexdp.gateway.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.ConfigurationError;
import flexdp.gateway.collect.PolicyCheck;
import flexdp.gateway.files.YamlText;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The invented hospital keeps what its policy says, and a few of its patients come often. */
class HospitalTest {
  @Test
  void thePolicyOfTheHospitalHolds() throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:")) {
      new Hospital(600).create(connection);
      Policy policy =
          PolicyReader.read(
              YamlText.tree(Hospital.policy("jdbc:duckdb:"), ConfigurationError.Code.BAD_POLICY));
      List<String> broken =
          PolicyCheck.run(policy, connection).stream()
              .filter(PolicyCheck.Finding::breaksGuarantee)
              .map(PolicyCheck.Finding::text)
              .toList();
      assertEquals(List.of(), broken);
      assertEquals(Hospital.TABLES.size(), policy.tables().size());
      try (Statement statement = connection.createStatement();
          ResultSet rows =
              statement.executeQuery(
                  "SELECT MAX(n), MEDIAN(n) FROM (SELECT patient_id, COUNT(*) AS n FROM visit"
                      + " GROUP BY patient_id) AS v")) {
        assertTrue(rows.next());
        assertTrue(rows.getDouble(1) > 8 * rows.getDouble(2), "one comes far more often");
      }
    }
  }
}
