package flexdp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import flexdp.server.WebClient.Reply;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.util.PSQLWarning;

/** That an answer will be noise is said by psql and over HTTP, before it is paid for. */
class ForetoldNoiseTest {
  private static final String NOISY =
      "SELECT EXTRACT(MONTH FROM requested_at) AS month, status, COUNT(*) AS n FROM trips"
          + " GROUP BY 1, 2";

  @TempDir static Path folder;
  private static Demo demo;

  @BeforeAll
  static void start() throws Exception {
    demo = Demo.releasing(folder);
  }

  @AfterAll
  static void stop() {
    demo.close();
  }

  private static String explained(Statement statement, String sql) throws SQLException {
    List<String> lines = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery("EXPLAIN " + sql)) {
      while (rows.next()) {
        lines.add(rows.getString(1));
      }
    }
    return String.join("\n", lines);
  }

  @Test
  void theProtocolWarnsBeforeAndBeside() throws SQLException {
    try (Connection connection = demo.connect("ann");
        Statement statement = connection.createStatement()) {
      statement.execute("SET flexdp.epsilon = 0.02");
      statement.execute("SET flexdp.fresh = on");
      String before = explained(statement, NOISY);
      assertTrue(before.contains("warning: n: it will be noise: the noise in each of"), before);
      statement.executeQuery(NOISY).close();
      boolean warned = false;
      for (SQLWarning w = statement.getWarnings(); w != null; w = w.getNextWarning()) {
        if (w.getMessage().contains("will be noise")) {
          warned = true;
          assertEquals("01000", w.getSQLState());
          assertEquals("WARNING", ((PSQLWarning) w).getServerErrorMessage().getSeverity());
        }
      }
      assertTrue(warned);
      statement.execute("SET flexdp.epsilon = 5");
      assertFalse(explained(statement, "SELECT COUNT(*) FROM trips").contains("noise:"));
    }
  }

  @Test
  void aLimitOfTheSessionRefusesUncharged() throws SQLException {
    try (Connection connection = demo.connect("ben");
        Statement statement = connection.createStatement()) {
      assertThrows(
          SQLException.class, () -> statement.execute("SET flexdp.noise_limit = 'little'"));
      statement.execute("SET flexdp.epsilon = 0.02");
      statement.execute("SET flexdp.noise_limit = '100%'");
      long before = charges(statement);
      SQLException refused = assertThrows(SQLException.class, () -> statement.executeQuery(NOISY));
      assertTrue(refused.getMessage().contains("More noise is foretold"), refused.getMessage());
      assertThrows(SQLException.class, () -> explained(statement, NOISY));
      assertEquals(before, charges(statement));
      statement.execute("RESET flexdp.noise_limit");
      statement.executeQuery(NOISY).close();
      assertEquals(before + 1, charges(statement));
    }
  }

  private static long charges(Statement statement) throws SQLException {
    try (ResultSet rows = statement.executeQuery("SELECT query FROM flexdp.history")) {
      long count = 0;
      while (rows.next()) {
        count++;
      }
      return count;
    }
  }

  @Test
  void httpWarnsBeforeAndBesideAndRefuses() throws Exception {
    WebClient ann = demo.web().signIn("ann");
    String asked = "{\"sql\": \"" + NOISY + "\", \"epsilon\": 0.03, \"fresh\": true";
    JsonNode before = ann.post("/v1/explain", asked + "}").json();
    assertTrue(before.at("/warnings/0").asText().startsWith("n: it will be noise"));
    assertTrue(before.at("/errors/0/foretold/isNoise").asBoolean(), before.toString());
    assertTrue(before.at("/errors/0/foretold/share").asDouble() > 1, before.toString());
    String limited = asked + ", \"noiseLimit\": \"100%\"}";
    assertEquals("TOO_NOISY", ann.post("/v1/explain", limited).json().path("code").asText());
    Reply refused = ann.post("/v1/ask", limited);
    assertEquals(422, refused.status());
    assertEquals("TOO_NOISY", refused.json().path("code").asText());
    JsonNode answer = ann.post("/v1/ask", asked + "}").json();
    assertEquals("will-be-noise", answer.at("/notes/0/code").asText());
    assertEquals("n: " + words(before), answer.at("/notes/0/text").asText());
  }

  private static String words(JsonNode explained) {
    return explained.at("/warnings/0").asText().substring("n: ".length());
  }
}
