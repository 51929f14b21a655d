package flexdp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import flexdp.server.WebClient.Reply;
import flexdp.server.connection.Tls;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Questions over HTTP while they are being answered: given up, left behind, many at once. */
class ApiLiveQuestionsTest {
  /** Takes longer than anybody waits. */
  private static final String ENDLESS =
      "SELECT COUNT(*) FROM trips a JOIN trips b ON a.rider_id = b.rider_id"
          + " JOIN trips c ON b.rider_id = c.rider_id JOIN trips d ON c.rider_id = d.rider_id"
          + " JOIN trips e ON d.rider_id = e.rider_id JOIN trips f ON e.rider_id = f.rider_id"
          + " JOIN trips g ON f.rider_id = g.rider_id JOIN trips h ON g.rider_id = h.rider_id"
          + " JOIN trips i ON h.rider_id = i.rider_id JOIN trips j ON i.rider_id = j.rider_id"
          + " WHERE a.fare < ";

  @TempDir static Path folder;
  private static Demo demo;

  @BeforeAll
  static void start() throws Exception {
    demo = Demo.start(folder, Optional.of(Tls.selfSigned()), "40");
  }

  @AfterAll
  static void stop() {
    demo.close();
  }

  @Test
  void aQuestionIsGivenUpByItsAskerOrTheOwnerWhicheverDoorItCameThrough() throws Exception {
    WebClient ann = demo.web().signIn("ann");
    WebClient ben = demo.web().signIn("ben");
    WebClient owner = demo.web().signIn("owner");
    CompletableFuture<Reply> asked =
        asking(ann, "{\"sql\": \"" + ENDLESS + "1\", \"id\": \"tab 1\"}");
    JsonNode seen = running(ann, 1).get(0);
    assertEquals("tab 1", seen.path("clientId").asText());
    assertEquals(0, ben.get("/v1/questions").json().path("questions").size());
    assertEquals(404, ben.delete("/v1/questions/" + seen.path("id").asText()).status());
    assertEquals(404, ben.delete("/v1/questions/tab%201").status());
    assertEquals(204, ann.delete("/v1/questions/tab%201").status());
    assertEquals("CANCELLED", asked.get().code());
    assertEquals(409, asked.get().status());
    try (Connection wire = demo.connect("ben");
        Statement statement = wire.createStatement()) {
      CompletableFuture<String> state =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  statement.executeQuery(ENDLESS + "2").close();
                  return "";
                } catch (SQLException e) {
                  return e.getSQLState();
                }
              });
      JsonNode there = running(owner, 1).get(0);
      assertEquals("postgresql", there.path("door").asText());
      assertEquals("ben", there.path("analyst").asText());
      assertEquals(204, owner.delete("/v1/questions/" + there.path("id").asText()).status());
      assertEquals("57014", state.get());
    }
  }

  @Test
  void aWorkloadThatIsGivenUpStopsInTheDatabaseAndStaysCharged() throws Exception {
    WebClient ann = demo.web().signIn("ann");
    CompletableFuture<Reply> asked =
        asking(
            ann,
            "/v1/workload",
            "{\"workload\": [\""
                + ENDLESS
                + "3\", \"SELECT COUNT(*) FROM users\"], \"id\": \"w\"}");
    running(ann, 1);
    Await.until(() -> !outcomes(ann).isEmpty(), "it is charged");
    assertEquals(204, ann.delete("/v1/questions/w").status());
    assertEquals("CANCELLED", asked.get().code());
    Await.until(() -> !outcomes(ann).contains("open"), "the database lets go of it");
    assertEquals(List.of("cancelled"), outcomes(ann));
  }

  /** How the workload's charges ended. */
  private static List<String> outcomes(WebClient client) throws Exception {
    List<String> outcomes = new ArrayList<>();
    for (JsonNode one : client.get("/v1/history").json().path("questions")) {
      if (one.path("sql").asText().contains("a.fare < 3")) {
        outcomes.add(one.path("outcome").asText());
      }
    }
    return outcomes;
  }

  private static CompletableFuture<Reply> asking(WebClient client, String body) {
    return asking(client, "/v1/ask", body);
  }

  private static CompletableFuture<Reply> asking(WebClient client, String target, String body) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return client.post(target, body);
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });
  }

  /** Waits until so many questions are being answered. */
  private static JsonNode running(WebClient client, int count) throws Exception {
    AtomicReference<JsonNode> questions = new AtomicReference<>();
    Await.until(
        () -> {
          questions.set(client.get("/v1/questions").json().path("questions"));
          return questions.get().size() >= count;
        },
        "something is being answered");
    return questions.get();
  }

  @Test
  void aBrowserThatIsClosedInTheMiddleLosesNothingThatWasPaidFor() throws Exception {
    WebClient ann = demo.web().signIn("ann");
    String sql = "SELECT vehicle, COUNT(*) AS n FROM drivers GROUP BY vehicle";
    String body = WebClient.question(sql);
    try (Socket socket = new Socket("127.0.0.1", demo.web().root.getPort())) {
      OutputStream out = socket.getOutputStream();
      out.write(
          ("POST /v1/ask HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nCookie: "
                  + ann.header("Cookie")
                  + "\r\nX-CSRF-Token: "
                  + ann.header("X-CSRF-Token")
                  + "\r\nContent-Length: "
                  + body.length()
                  + "\r\n\r\n"
                  + body)
              .getBytes(StandardCharsets.UTF_8));
      out.flush();
    }
    Await.until(() -> charged(ann, sql), "it is charged");
    assertEquals("true", ann.post("/v1/ask", body).header("flexdp-repeat"));
  }

  private static boolean charged(WebClient client, String sql) throws Exception {
    for (JsonNode one : client.get("/v1/history").json().path("questions")) {
      if (one.path("sql").asText().equals(sql) && one.path("outcome").asText().equals("released")) {
        return true;
      }
    }
    return false;
  }

  @Test
  void tenTabsAskAtOnceAndEachIsCharged() throws Exception {
    WebClient owner = demo.web().signIn("owner");
    List<CompletableFuture<Reply>> tabs = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      tabs.add(
          asking(
              owner,
              "{\"sql\": \"SELECT COUNT(*) FROM trips WHERE fare < "
                  + i
                  + "\", \"epsilon\": 0.01}"));
    }
    for (CompletableFuture<Reply> tab : tabs) {
      assertEquals(200, tab.get().status(), tab.get().body());
    }
  }
}
