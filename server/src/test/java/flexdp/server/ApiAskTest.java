package flexdp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import flexdp.server.WebClient.Reply;
import flexdp.server.connection.Tls;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Asking over HTTP: answers, repeats, refusals, and questions that are given up. */
class ApiAskTest {
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
  void aRepeatIsFreeIsSaidBeforeAndIsMarkedInTheHistory() throws Exception {
    WebClient ben = demo.web().signIn("ben");
    String body = "{\"sql\": \"SELECT COUNT(*) AS n FROM drivers\", \"intervals\": true}";
    String before = "{\"sql\": \"SELECT COUNT(*) AS n FROM drivers\"}";
    assertEquals("false", ben.post("/v1/explain", before).json().path("repeat").asText());
    JsonNode first = ben.post("/v1/ask", body).json();
    assertEquals("true", ben.post("/v1/explain", before).json().path("repeat").asText());
    Reply again = ben.post("/v1/ask", body);
    assertEquals("true", again.header("flexdp-repeat"));
    assertEquals("0", again.header("flexdp-epsilon"));
    assertEquals(first.path("rows"), again.json().path("rows"));
    assertTrue(first.at("/intervals/0/0/low").isNumber(), first.toString());
    JsonNode history = ben.get("/v1/history?limit=2").json().path("questions");
    assertTrue(history.get(0).path("repeat").asBoolean());
    assertEquals(0, history.get(0).path("epsilon").asInt());
    assertEquals("released", history.get(1).path("outcome").asText());
    assertEquals("drivers", history.at("/1/tables/0").asText());
  }

  @Test
  void csvIsTheSameAnswerWithTheEndsOfErrorBarsBesideIt() throws Exception {
    WebClient ann = demo.web().signIn("ann");
    String sql = "SELECT payment, COUNT(*) AS n FROM trips GROUP BY payment";
    JsonNode json = ann.post("/v1/ask", WebClient.question(sql)).json();
    Reply csv =
        ann.with("Accept", "text/csv")
            .post("/v1/ask", "{\"sql\": \"" + sql + "\", \"intervals\": true}");
    assertEquals("text/csv; charset=utf-8; header=present", csv.header("content-type"));
    assertEquals("chunked", csv.header("transfer-encoding"));
    List<String> lines = csv.body().lines().toList();
    assertEquals("payment,n,n_low,n_high", lines.getFirst());
    assertEquals(json.path("rows").size(), lines.size() - 1);
    JsonNode row = json.at("/rows/0");
    assertTrue(lines.get(1).startsWith(row.get(0).asText() + "," + row.get(1).asText() + ","));
    assertEquals(
        406, ann.with("Accept", "image/png").post("/v1/ask", WebClient.question(sql)).status());
  }

  /** A spreadsheet would compute it. */
  @Test
  void aCellOfCsvIsNoFormula() throws Exception {
    WebClient ann = demo.web().signIn("ann").with("Accept", "text/csv");
    String sql = "SELECT COUNT(*) AS \\\"=1+1\\\", COUNT(*) AS \\\"-1\\\" FROM trips";
    Reply csv = ann.post("/v1/ask", "{\"sql\": \"" + sql + "\"}");
    assertEquals("'=1+1,-1", csv.body().lines().findFirst().orElseThrow(), csv.body());
  }

  @Test
  void aProposalIsTestedFirstAndAStrategyChosen() throws Exception {
    WebClient ann = demo.web().signIn("ann");
    String joined =
        "{\"sql\": \"SELECT t.payment, COUNT(*) AS n FROM trips t JOIN trips u ON t.driver_id ="
            + " u.driver_id GROUP BY t.payment\", \"epsilon\": 1, \"propose\":"
            + " \"trips.driver_id=%d\"}";
    Reply answered = ann.post("/v1/ask", joined.formatted(1_000_000));
    assertEquals("propose", answered.json().path("mechanism").asText(), answered.body());
    Reply unconfirmed = ann.post("/v1/ask", joined.formatted(1));
    assertEquals(422, unconfirmed.status());
    assertEquals("PROPOSAL_NOT_CONFIRMED", unconfirmed.code());
    assertEquals("0.3", ann.get("/v1/history?limit=1").json().at("/questions/0/epsilon").asText());
    Reply together =
        ann.post(
            "/v1/workload",
            "{\"workload\": [\"SELECT status, COUNT(*) FROM trips GROUP BY status\","
                + " \"SELECT payment, COUNT(*) FROM trips GROUP BY payment\"], \"strategy\":"
                + " \"mwem\", \"epsilon\": 0.5}");
    assertEquals("mwem", together.json().at("/answers/0/mechanism").asText(), together.body());
  }

  @Test
  void aRefusalSaysWhereAndWhatToWriteInstead() throws Exception {
    WebClient ann = demo.web().signIn("ann");
    String sql = "SELECT\n  COUNT(*)\nFROM trips t WHERE t.statsu = 'ä'";
    JsonNode verdict = ann.post("/v1/explain", WebClient.question(sql)).json();
    assertEquals("rejected", verdict.path("status").asText());
    assertEquals(3, verdict.path("line").asInt());
    JsonNode fix = verdict.at("/fixes/0");
    String mended =
        sql.substring(0, fix.path("from").asInt())
            + fix.path("text").asText()
            + sql.substring(fix.path("to").asInt());
    assertEquals("SELECT\n  COUNT(*)\nFROM trips t WHERE t.status = 'ä'", mended);
    JsonNode accepted = ann.post("/v1/explain", WebClient.question(mended)).json();
    assertEquals("accepted", accepted.path("status").asText());
    Reply refused = ann.post("/v1/ask", WebClient.question(sql));
    assertEquals(422, refused.status());
    assertEquals("application/problem+json", refused.header("content-type"));
    for (String key : List.of("code", "message", "hint", "line", "column")) {
      assertEquals(verdict.path(key), refused.json().path(key), key);
    }
  }

  @Test
  void rowsThatAreNotToBeHadAreCountedByOneClick() throws Exception {
    WebClient ann = demo.web().signIn("ann");
    Map<String, String> mended = new LinkedHashMap<>();
    mended.put("SELECT * FROM trips", "SELECT COUNT(*) FROM trips");
    mended.put(
        "select id, fare from trips where fare > 400 order by fare limit 5;",
        "select COUNT(*) from trips where fare > 400");
    mended.put(
        "SELECT status FROM trips WHERE fare > 4",
        "SELECT status, COUNT(*) FROM trips WHERE fare > 4 GROUP BY status");
    mended.put("SELECT driver_id FROM trips", "");
    for (Map.Entry<String, String> one : mended.entrySet()) {
      String sql = one.getKey();
      JsonNode verdict = ann.post("/v1/explain", WebClient.question(sql)).json();
      assertEquals("RAW_ROWS", verdict.path("code").asText(), sql);
      JsonNode fix = verdict.at("/fixes/0");
      String text =
          fix.isMissingNode()
              ? ""
              : sql.substring(0, fix.path("from").asInt())
                  + fix.path("text").asText()
                  + sql.substring(fix.path("to").asInt());
      assertEquals(one.getValue(), text, sql);
    }
  }

  @Test
  void aHundredThousandRowsAreStreamed() throws Exception {
    WebClient ann = demo.web().signIn("ann");
    String sql =
        "SELECT a.n, b.n AS m FROM generate_series(1, 1000) AS a(n)"
            + " CROSS JOIN generate_series(1, 100) AS b(n)";
    String csv = "{\"sql\": \"" + sql + "\", \"format\": \"csv\"}";
    Reply rows = ann.post("/v1/ask", csv);
    assertEquals(100_001, rows.body().lines().count(), () -> rows.body().substring(0, 300));
    Reply json = ann.post("/v1/ask", WebClient.question(sql));
    assertEquals("chunked", json.header("transfer-encoding"));
    assertEquals(100_000, json.json().path("rows").size());
  }

  @Test
  void parametersLabelsAndErrorsAreTakenAsOnTheCommandLine() throws Exception {
    WebClient ann = demo.web().signIn("ann");
    String sql = "\"sql\": \"SELECT COUNT(*) AS n FROM trips WHERE status = :status\"";
    assertEquals(
        200,
        ann.post("/v1/ask", "{" + sql + ", \"parameters\": {\"status\": \"completed\"}}").status());
    assertEquals(400, ann.post("/v1/ask", "{" + sql + ", \"parameters\": {\"x\": 1}}").status());
    JsonNode within =
        ann.post("/v1/explain", "{\"sql\": \"SELECT COUNT(*) FROM users\", \"within\": 300}")
            .json();
    assertTrue(within.at("/cost/epsilon").asDouble() < 0.02, within.toString());
    Reply bins =
        ann.post(
            "/v1/ask",
            "{\"sql\": \"SELECT driver_id, COUNT(*) AS n FROM trips GROUP BY driver_id\","
                + " \"bins\": {\"columns\": [\"driver_id\"], \"rows\": [[1], [2]]}}");
    assertTrue(List.of(200, 422).contains(bins.status()), bins.body());
  }

  @Test
  void aBudgetThatIsUsedUpRefusesAndAnOwnersGrantOpensItAgain() throws Exception {
    WebClient ann = demo.web().signIn("ann");
    WebClient owner = demo.web().signIn("owner");
    String dear = "{\"sql\": \"SELECT COUNT(*) FROM users\", \"epsilon\": 41}";
    Reply refused = ann.post("/v1/ask", dear);
    assertEquals(403, refused.status());
    assertEquals("BUDGET_EXHAUSTED", refused.code());
    assertEquals(
        403,
        ann.post("/v1/owner/grants", "{\"account\": \"table:users\", \"epsilon\": 9}").status());
    Reply granted =
        owner.post("/v1/owner/grants", "{\"account\": \"table:users\", \"epsilon\": 9}");
    assertEquals(49, granted.json().at("/accounts/0/epsilon/budget").asInt(), granted.body());
    assertEquals(200, ann.post("/v1/ask", dear).status());
    assertEquals(
        400,
        owner.post("/v1/owner/grants", "{\"account\": \"table:nosuch\", \"epsilon\": 9}").status());
    assertEquals(
        400,
        owner.post("/v1/owner/grants", "{\"account\": \"table:users\", \"epsilon\": -9}").status());
    JsonNode audit = owner.get("/v1/owner/audit").json();
    assertEquals(1, audit.at("/chain/grants").asInt());
    assertTrue(audit.path("events").toString().contains("\"grant\""), audit.toString());
  }

  @Test
  void theSchemaIsSentOnceAndSaysWhatIsProtected() throws Exception {
    WebClient ann = demo.web().signIn("ann");
    Reply schema = ann.get("/v1/schema");
    String tag = schema.header("etag");
    assertEquals(304, ann.with("If-None-Match", tag).get("/v1/schema").status());
    assertEquals(200, ann.with("If-None-Match", "\"x\"").get("/v1/schema").status());
    assertNotEquals("", tag);
    JsonNode trips =
        schema.json().path("tables").findParents("columns").stream()
            .filter(t -> t.path("name").asText().equals("trips"))
            .findFirst()
            .orElseThrow();
    assertTrue(trips.path("protected").asBoolean());
    assertTrue(trips.toString().contains("\"completed\""), trips.toString());
    for (JsonNode example : schema.json().path("examples")) {
      JsonNode verdict =
          ann.post("/v1/explain", WebClient.question(example.path("sql").asText())).json();
      assertEquals("accepted", verdict.path("status").asText(), example.toString());
    }
    assertEquals(404, demo.web().signIn("eve").get("/v1/schema?database=rides").status());
  }

  @Test
  void whatPrometheusReadsDoesNotDependOnHowQuestionsEnd() throws Exception {
    WebClient ann = demo.web().signIn("ann");
    ann.post("/v1/ask", WebClient.question("SELECT COUNT(*) FROM cities"));
    ann.post("/v1/ask", WebClient.question("SELECT nonsense"));
    String metrics = demo.web().get("/metrics").body();
    for (String line : metrics.lines().toList()) {
      assertTrue(
          line.matches(
              "# (HELP|TYPE) [a-z_]+"
                  + " .*|flexdp_http_requests_total\\{method=\"[A-Z]+\",route=\"[a-z0-9/{}.]+\"\\}"
                  + " [0-9]+|flexdp_start_time_seconds [0-9]+"
                  + "|flexdp_(connections|certificate_expiry_time_seconds) [0-9]+"
                  + "|flexdp_(database_up|ledger_up)\\{database=\"rides\"\\} 1"
                  + "|flexdp_reload_ok\\{what=\"[a-z]+\"\\} 1"),
          line);
    }
    String token = "flexdp_budget_left_epsilon{database=\"rides\",account=\"table:trips\"}";
    Await.until(() -> ann.get("/metrics").body().contains(token), "the budget is shown to ann");
    assertTrue(
        ann.get("/metrics")
            .body()
            .matches(
                "(?s).*flexdp_policy_info\\{database=\"rides\",file=\"[0-9a-f]{16}\"\\} 1\n.*"
                    + "flexdp_metrics_time_seconds\\{database=\"rides\"\\} 1[0-9]{9}\n.*"));
    assertFalse(demo.web().signIn("eve").get("/metrics").body().contains("budget"));
    assertEquals("ok\n", demo.web().get("/healthz").body());
    assertEquals("ready\n", demo.web().get("/readyz").body());
  }
}
