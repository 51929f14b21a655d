package flexdp.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import flexdp.gateway.demo.RideSharing;
import flexdp.server.Service;
import flexdp.server.ServiceOptions;
import flexdp.server.login.User;
import flexdp.server.login.Users;
import flexdp.server.login.UsersFile;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What leaves the HTTP door beside noisy cells holds nothing private: verdicts, answers, problems,
 * the schema, budgets, history, what Prometheus reads, watches, error pages, the page itself and
 * the audit log.
 */
class HttpLeakScanTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir Path folder;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private URI page;
  private String token;
  private LeakScan leaks;

  @Test
  void nothingPrivateLeavesTheHttpDoorBesideNoisyCells() throws Exception {
    Path file = folder.resolve("rides.duckdb");
    new RideSharing(3_347, 5).create(file);
    QuestionOptions options = new QuestionOptions();
    options.policy = folder.resolve("rides.yaml");
    Files.writeString(
        options.policy,
        RideSharing.policy("jdbc:duckdb:" + file).replace("{epsilon: 10,", "{epsilon: 100000,"));
    PrintWriter quiet = new PrintWriter(new StringWriter());
    assertEquals(0, Main.run(quiet, quiet, "collect", "--policy", options.policy.toString()));
    leaks = LeakScan.of(options);
    Path users = ServiceOptions.usersBeside(options.policy);
    new Users(List.of(UserCommand.made("ann", User.Right.ANALYST, "password", List.of())))
        .write(users);
    token = new UsersFile(users).token("ann", "scan");
    ServiceOptions served =
        new ServiceOptions(
            List.of(options.policy),
            users,
            Optional.empty(),
            "127.0.0.1",
            0,
            Optional.empty(),
            Duration.ofMinutes(10),
            new ServiceOptions.Web(Optional.of(0), false, Map.of()));
    int answered = 0;
    try (Service service = Service.start(served, ignored -> {})) {
      page = service.page().orElseThrow();
      String before = pages();
      List<String> questions = ScanQuestions.all();
      for (int i = 1; i < questions.size(); i += 3) {
        answered += asked(questions.get(i)) ? 1 : 0;
      }
      look();
      watch();
      assertEquals(before, pages(), "the page is the same whatever was asked");
    }
    // The text of a question is the analyst's own.
    String audit = Files.readString(folder.resolve("flexdp-audit.log"));
    leaks.scan("the audit log", audit.replaceAll("\"sql\":\"([^\"\\\\]|\\\\.)*\"", ""));
    assertEquals(List.of(), leaks.leaks());
    assertTrue(answered > 50, "answered only " + answered);
  }

  /** Whether it was answered; the cells themselves are noisy and are scanned elsewhere. */
  private boolean asked(String sql) throws Exception {
    String body =
        JSON.createObjectNode().put("sql", sql).put("epsilon", 1e-3).put("delta", 1e-9).toString();
    leaks.scan(sql, positionless(send("POST", "/v1/explain", body).body()));
    HttpResponse<String> answer = send("POST", "/v1/ask", body);
    JsonNode json = JSON.readTree(answer.body());
    if (json instanceof ObjectNode object) {
      object.remove(List.of("rows", "intervals"));
    }
    leaks.scan(sql, positionless(json.toString()) + answer.headers().map().get("flexdp-epsilon"));
    return answer.statusCode() == 200;
  }

  /** Places in the text are the question's own. */
  private static String positionless(String json) {
    return json.replaceAll("\"(line|column|from|to|status)\":\\s*\\d+", "");
  }

  private void look() throws Exception {
    leaks.scan("the schema", send("GET", "/v1/schema", "").body());
    leaks.scan("the document", send("GET", "/v1/openapi.json", "").body());
    String budget = send("GET", "/v1/budget", "").body();
    leaks.scan("the budget", budget.replaceAll("\"(charges|answersLeft)\":\\d+", ""));
    JsonNode history = JSON.readTree(send("GET", "/v1/history?limit=1000", "").body());
    assertTrue(history.path("questions").size() > 50);
    for (JsonNode one : history.path("questions")) {
      ((ObjectNode) one).remove(List.of("sql", "at", "seq"));
      leaks.scan("the history", one.toString());
    }
    leaks.words("what Prometheus reads", send("GET", "/metrics", "").body());
    for (String path :
        List.of(
            "/nosuch",
            "/v1/nosuch",
            "/v1/ask",
            "/v1/history?limit=x",
            "/assets/nosuch.js",
            "/v1/owner/metrics",
            "/v1/owner/audit",
            "/v1/schema?database=nosuch")) {
      HttpResponse<String> refused = send("GET", path, "");
      assertTrue(refused.statusCode() >= 400, path);
      leaks.scan(path, refused.body().replaceAll("\"status\":\\d+", ""));
    }
    for (String body :
        List.of("{", "[]", "{\"sql\": 1}", "{\"sql\": \"SELECT\", \"epsilon\": \"x\"}")) {
      leaks.scan(body, positionless(send("POST", "/v1/ask", body).body()));
    }
    for (String path : List.of("/v1/analyze", "/v1/owner/grants", "/v1/owner/users")) {
      assertEquals(403, send("POST", path, "{\"sql\": \"SELECT 1\"}").statusCode());
    }
  }

  /** Many questions at once and watches; gaps are noisy. */
  private void watch() throws Exception {
    String two = "[\"SELECT COUNT(*) FROM trips\", \"SELECT COUNT(*) FROM users\"]";
    String workload = "{\"workload\": " + two + ", \"epsilon\": 0.01}";
    leaks.scan("a workload", positionless(send("POST", "/v1/workload/explain", workload).body()));
    String above = "{\"workload\": " + two + ", \"above\": 10, \"hits\": 2}";
    leaks.scan("above", gapless(send("POST", "/v1/workload/above", above).body()));
    String count = "\"sql\": \"SELECT COUNT(*) FROM trips\"";
    String order = "{\"name\": \"w\", " + count + ", \"above\": 10, \"every\": \"day\"}";
    HttpResponse<String> armed = send("POST", "/v1/watches", order);
    assertEquals(201, armed.statusCode(), armed.body());
    leaks.scan("a watch", gapless(armed.body()));
    leaks.scan("a look", gapless(send("POST", "/v1/watches/run", "{}").body()));
    leaks.scan("the watches", gapless(send("GET", "/v1/watches", "").body()));
    leaks.scan("no watch", positionless(send("DELETE", "/v1/watches/nosuch", "").body()));
  }

  private static String gapless(String json) {
    return json.replaceAll("\"(gap|armed|from)\":\\s*(\"[^\"]*\"|[-0-9.E+]+)", "");
  }

  /** The page and what it loads, without the word that is another each time. */
  private String pages() throws Exception {
    String index = send("GET", "/", "").body();
    StringBuilder all = new StringBuilder(index.replaceAll("(csp-nonce\" content=\")[^\"]*", "$1"));
    Matcher names = Pattern.compile("assets/[\\w.-]+\\.(js|css|svg)").matcher(index);
    while (names.find()) {
      all.append(send("GET", "/" + names.group(), "").body());
    }
    leaks.words("the page", index);
    return all.toString();
  }

  private HttpResponse<String> send(String method, String target, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(page.resolve(target))
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/json")
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build();
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }
}
