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
    try (FlexDp flexdp = FlexDp.open(policy(database, 0))) {
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

  @Test
  void eventsWithoutATableOfUsersAreAnsweredAsThePageSays() throws IOException, SQLException {
    Path database = folder.resolve("shop.duckdb");
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:" + database);
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE events AS SELECT range AS id,"
              + " CASE WHEN range % 5 > 0 THEN range * 7919 % 300 END AS user_id,"
              + " ['view', 'cart', 'purchase'][1 + range % 3] AS kind,"
              + " ['home', 'search', 'product'][1 + range % 3] AS page,"
              + " (range % 400)::DECIMAL(9,2) AS amount,"
              + " TIMESTAMP '2024-01-01' + INTERVAL 1 HOUR * range AS at FROM range(3000)");
      statement.execute("ALTER TABLE events ADD PRIMARY KEY (id)");
      statement.execute(
          "CREATE TABLE ratings AS SELECT range % 400 AS user_id, (1 + range % 5)::INTEGER AS"
              + " stars FROM range(500)");
      statement.execute("CREATE TABLE clicks AS SELECT range * 3 AS event_id FROM range(900)");
    }
    try (FlexDp flexdp = FlexDp.open(policy(database, 1))) {
      for (String sql :
          List.of(
              "SELECT COUNT(*) FROM events",
              "SELECT page, COUNT(*), AVG(amount) FROM events GROUP BY page",
              "SELECT kind, COUNT(DISTINCT user_id) FROM events GROUP BY kind",
              "SELECT AVG(r.stars) FROM ratings r WHERE EXISTS (SELECT 1 FROM events e"
                  + " WHERE e.user_id = r.user_id AND e.kind = 'purchase')",
              "SELECT COUNT(*) FROM clicks c JOIN events e ON c.event_id = e.id",
              "SELECT COUNT(*) FROM (SELECT user_id, COUNT(*) AS n FROM events GROUP BY user_id) x"
                  + " WHERE n > 10")) {
        String mechanism = flexdp.ask(sql).mechanism();
        assertEquals(sql.contains("x WHERE") ? "laplace" : "clip", mechanism, sql);
      }
      assertEquals("laplace", flexdp.ask("SELECT COUNT(DISTINCT user_id) FROM events").mechanism());
      assertEquals(
          "clip",
          flexdp
              .ask(
                  "SELECT COUNT(DISTINCT CASE WHEN kind = 'view' THEN user_id END),"
                      + " COUNT(DISTINCT CASE WHEN kind = 'cart' THEN user_id ELSE NULL END),"
                      + " COUNT(DISTINCT CASE WHEN kind = 'purchase' THEN user_id END) FROM events")
              .mechanism(),
          "a funnel is answered");
    }
  }

  private Path policy(Path database, int fence) throws IOException {
    Path policy = folder.resolve(fence + ".yaml");
    Files.writeString(
        policy,
        "flexdp: 1\ndatabase: \"jdbc:duckdb:"
            + database
            + "\"\nprivacy: {epsilon: 1, budget: {epsilon: 100}}\n"
            + written(fence));
    return policy;
  }

  /** The policy between fences of the page. */
  private static String written(int fence) throws IOException {
    String page = Files.readString(Path.of("../docs/people.md"));
    return page.split("```yaml\n", -1)[fence + 1].split("```", -1)[0];
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
