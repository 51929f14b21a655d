package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The policy of docs/people.md answers what the page says, in the way it says. */
class PeopleDocumentTest {
  @TempDir Path folder;

  @Test
  void thePolicyOfThePageAnswersWhatThePageSays() throws IOException, SQLException {
    Path database = folder.resolve("hospital.duckdb");
    create(database);
    Path policy = folder.resolve("hospital.yaml");
    Files.writeString(
        policy,
        "flexdp: 1\ndatabase: \"jdbc:duckdb:"
            + database
            + "\"\nprivacy: {epsilon: 1, budget: {epsilon: 100}}\n"
            + written());
    try (FlexDp flexdp = FlexDp.open(policy)) {
      for (String sql :
          List.of(
              "SELECT COUNT(*) FROM visit",
              "SELECT ward, COUNT(*), AVG(minutes) FROM visit GROUP BY ward",
              "SELECT SUM(cost) FROM prescription p JOIN visit v ON p.visit_id = v.id",
              "SELECT sex, COUNT(*) FROM patient p JOIN visit v ON v.patient_id = p.id"
                  + " GROUP BY sex")) {
        assertEquals("clip", flexdp.ask(sql).mechanism(), sql);
      }
      assertEquals(
          "laplace", flexdp.ask("SELECT COUNT(DISTINCT patient_id) FROM visit").mechanism());
      assertEquals("laplace", flexdp.ask("SELECT COUNT(*) FROM weather").mechanism());
      Rejection mixed =
          assertThrows(
              Rejection.class,
              () -> flexdp.ask("SELECT COUNT(*) FROM visit a JOIN visit b ON a.ward = b.ward"));
      assertEquals(RejectionCode.PEOPLE_UNSUPPORTED, mixed.code());
    }
  }

  /** The policy between the first fences of the page. */
  private static String written() throws IOException {
    String page = Files.readString(Path.of("../docs/people.md"));
    int begin = page.indexOf("```yaml\n") + "```yaml\n".length();
    return page.substring(begin, page.indexOf("```", begin));
  }

  private static void create(Path file) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:" + file);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE patient(id INTEGER PRIMARY KEY, sex VARCHAR)");
      statement.execute(
          "CREATE TABLE visit(id INTEGER PRIMARY KEY, patient_id INTEGER, minutes INTEGER,"
              + " ward VARCHAR)");
      statement.execute("CREATE TABLE prescription(visit_id INTEGER, cost DECIMAL(9,2))");
      statement.execute("CREATE TABLE weather(day DATE)");
      statement.execute(
          "INSERT INTO patient SELECT range, CASE WHEN range % 3 = 0 THEN 'f' ELSE 'm' END"
              + " FROM range(400)");
      statement.execute(
          "INSERT INTO visit SELECT range, range * 7919 % 400, range * 31 % 120,"
              + " ['a', 'b', 'c'][1 + range % 3] FROM range(2000)");
      statement.execute(
          "INSERT INTO prescription SELECT range * 13 % 2000, range * 17 % 300 FROM range(3000)");
      statement.execute(
          "INSERT INTO weather SELECT DATE '2024-01-01' + range::INTEGER FROM range(50)");
    }
  }
}
