package flexdp.gateway.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import flexdp.AnalysisOptions;
import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.files.JsonText;
import flexdp.policy.InputDialect;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AnalyzeLinesTest {
  private static final String EDGES =
      """
      {"privacy": {"neighbors": "replace-one"},
       "tables": {"edges": {"columns": {"source": {"type": "bigint"}, "dest": {"type": "bigint"}}}}}
      """;
  private static final String METRICS =
      """
      {"edges": {"rows": 51971, "columns": {"source": {"maxFrequency": 65}, "dest": {"maxFrequency": 65}}}}
      """;
  private static final String TRIANGLE =
      "SELECT COUNT(*) FROM edges e1 JOIN edges e2 ON e1.dest = e2.source"
          + " JOIN edges e3 ON e2.dest = e3.source AND e3.dest = e1.source";

  private static List<JsonNode> run(byte[] input) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new AnalyzeLines(
            Optional.of(JsonText.tree(EDGES, Code.BAD_POLICY)),
            Optional.of(JsonText.tree(METRICS, Code.BAD_METRICS)),
            AnalysisOptions.DEFAULT,
            LocalDateTime.of(2024, 1, 1, 0, 0))
        .run(new ByteArrayInputStream(input), out);
    List<JsonNode> answers = new ArrayList<>();
    for (String line : out.toString(StandardCharsets.UTF_8).split("\n")) {
      answers.add(new ObjectMapper().readTree(line));
    }
    return answers;
  }

  private static List<JsonNode> run(String... lines) throws IOException {
    return run(String.join("\n", lines).getBytes(StandardCharsets.UTF_8));
  }

  private static String request(String id, String sql, String more) {
    return "{\"id\": " + id + ", \"sql\": \"" + sql + "\"" + more + "}";
  }

  @Test
  void theExampleOfTheContractIsAnsweredAsThere() throws IOException {
    JsonNode answer =
        run(request(
                "\"q1\"",
                "SELECT COUNT(*) FROM edges e1 JOIN edges e2 ON e1.dest = e2.source",
                ", \"rules\": \"paper\", \"distances\": [0, 1, 19], \"epsilon\": 0.7,"
                    + " \"delta\": 1e-8, \"mechanism\": \"flex\""))
            .getFirst();
    assertEquals("q1", answer.get("id").asText());
    assertEquals("accepted", answer.get("status").asText());
    assertEquals("replace-one", answer.get("neighbors").asText());
    assertEquals(1, answer.get("joins").asInt());
    assertEquals("none", answer.get("labels").asText());
    assertEquals(
        "[{\"name\":\"count\",\"kind\":\"aggregate\",\"aggregate\":\"COUNT\"}]",
        answer.get("columns").toString());
    JsonNode count = answer.get("aggregates").get(0);
    assertEquals("count", count.get("column").asText());
    assertEquals("2k + 131", count.get("formula").asText());
    assertEquals("{\"0\":131,\"1\":133,\"19\":169}", count.get("elastic").toString());
    assertEquals(0.0183, count.get("smooth").get("beta").asDouble(), 1e-4);
    assertEquals(131, count.get("smooth").get("value").asDouble(), 1e-9);
    assertEquals(0, count.get("smooth").get("distance").asInt());
    assertEquals("flex", count.get("mechanism").asText());
    assertEquals(374.2857, count.get("noiseScale").asDouble(), 1e-3);
  }

  @Test
  void thePapersTriangleIsWhatItsFigureGives() throws IOException {
    JsonNode count =
        run(request(
                "1",
                TRIANGLE,
                ", \"rules\": \"paper\", \"epsilon\": 0.7, \"delta\": 1e-8, \"mechanism\":"
                    + " \"flex\""))
            .getFirst()
            .get("aggregates")
            .get(0);
    assertEquals("3k² + 393k + 12871", count.get("formula").asText());
    assertEquals(16070.955587949742, count.get("smooth").get("value").asDouble(), 1e-6);
    assertEquals(44, count.get("smooth").get("distance").asInt());
  }

  @Test
  void aDeclaredKeyMakesTheTriangleSmall() throws IOException {
    String more =
        """
        , "epsilon": 0.7, "distances": [0, 7], "policy": {"tables": {"edges": {
          "unique": [["source", "dest"]],
          "columns": {"source": {"type": "bigint"}, "dest": {"type": "bigint"}}}}}
        """
            .replace("\n", " ");
    JsonNode count = run(request("1", TRIANGLE, more)).getFirst().get("aggregates").get(0);
    assertTrue(count.get("elastic").get("0").asInt() <= 196);
    assertTrue(count.get("elastic").get("7").asInt() <= 196 + 21);
    assertEquals("lomax", count.get("mechanism").asText());
  }

  @Test
  void anEpsilonTooSmallToSmoothIsRejectedAtOnce() throws IOException {
    List<JsonNode> answers =
        run(
            request("1", TRIANGLE, ", \"epsilon\": 1e-8, \"mechanism\": \"lomax\""),
            request("2", TRIANGLE, ", \"epsilon\": 1e-5, \"mechanism\": \"lomax\""));
    assertEquals("MECHANISM_UNSUITABLE", answers.get(0).get("code").asText());
    assertEquals("accepted", answers.get(1).get("status").asText());
  }

  @Test
  void badLinesGiveErrorObjectsAndTheRunGoesOn() throws IOException {
    String good = request("\"last\"", "SELECT COUNT(*) FROM edges", "");
    List<JsonNode> answers =
        run(
            "nonsense",
            "",
            "[1, 2]",
            "{\"id\": 4}",
            request("5", "SELECT COUNT(*) FROM edges", ", \"epsilom\": 1"),
            request("6", "SELECT COUNT(*) FROM edges", ", \"epsilon\": 0"),
            request("7", "SELECT COUNT(*) FROM edges", ", \"epsilon\": NaN"),
            request("8", "SELECT COUNT(*) FROM edges", ", \"delta\": 1"),
            request("9", "SELECT COUNT(*) FROM edges", ", \"policy\": {\"tabels\": {}}"),
            request("10", "SELECT COUNT(*) FROM edges", ", \"distances\": [-1]"),
            request("11", "SELECT COUNT(*) FROM edges", ", \"epsilon\": 1e999999"),
            request("12", "SELECT COUNT(*) FROM edges", ", \"mechanism\": \"magic\""),
            request("13", "SELECT COUNT(*) FROM edges", ", \"epsilon\": 1e300"),
            request("{}", "SELECT COUNT(*) FROM edges", ""),
            good);
    for (int i = 0; i < answers.size() - 1; i++) {
      JsonNode answer = answers.get(i);
      assertEquals("error", answer.get("status").asText(), answer.toString());
      assertTrue(answer.get("code").asText().startsWith("BAD_"), answer.toString());
      assertEquals(i + 1, answer.get("request").asInt());
    }
    assertTrue(answers.get(0).get("id").isNull());
    assertEquals(4, answers.get(3).get("id").asInt());
    assertEquals("BAD_REQUEST", answers.get(0).get("code").asText());
    assertEquals("BAD_POLICY", answers.get(8).get("code").asText());
    assertEquals("accepted", answers.getLast().get("status").asText());
    assertEquals("last", answers.getLast().get("id").asText());
  }

  @Test
  void bytesThatAreNoTextAreAnError() throws IOException {
    byte[] line = request("1", "SELECT '?' FROM edges", "").getBytes(StandardCharsets.UTF_8);
    line[24] = (byte) 0xff;
    JsonNode answer = run(line).getFirst();
    assertEquals("BAD_REQUEST", answer.get("code").asText());
  }

  @Test
  void hugeAndDeepTextsAreRejectedNotFatal() throws IOException {
    String wide = "SELECT COUNT(*) FROM edges WHERE source = 1" + " OR source = 1".repeat(80_000);
    String deep =
        "SELECT COUNT(*) FROM edges WHERE " + "(".repeat(10_000) + "1 = 1" + ")".repeat(10_000);
    for (JsonNode answer : run(request("1", wide, ""), request("2", deep, ""))) {
      assertEquals("rejected", answer.get("status").asText(), answer.toString());
      assertEquals("TOO_COMPLEX", answer.get("code").asText());
    }
  }

  @Test
  void rejectionsSayWhereAndWhatToDo() throws IOException {
    JsonNode answer = run(request("1", "SELECT COUNT(*)\\nFROM edgse", "")).getFirst();
    assertEquals("rejected", answer.get("status").asText());
    assertEquals("UNKNOWN_TABLE", answer.get("code").asText());
    assertEquals(2, answer.get("line").asInt());
    assertEquals(6, answer.get("column").asInt());
    assertTrue((answer.get("hint").asText() + answer.get("message").asText()).contains("edges"));
    assertNull(answer.get("request"));
  }

  @Test
  void integersAreExactAtAnySize() throws IOException {
    StringBuilder sql = new StringBuilder("SELECT COUNT(*) FROM edges e0");
    for (int i = 1; i <= 20; i++) {
      sql.append(" JOIN edges e" + i + " ON e" + (i - 1) + ".source = e" + i + ".source");
    }
    JsonNode answer = run(request("1", sql.toString(), ", \"rules\": \"paper\"")).getFirst();
    BigInteger expected = BigInteger.valueOf(66).pow(21).subtract(BigInteger.valueOf(65).pow(21));
    assertEquals(
        expected, answer.get("aggregates").get(0).get("elastic").get("0").bigIntegerValue());
  }

  @Test
  void withoutEpsilonThereIsNoScale() throws IOException {
    JsonNode answer = run(request("1", "SELECT COUNT(*) FROM edges", "")).getFirst();
    JsonNode count = answer.get("aggregates").get(0);
    assertTrue(count.get("noiseScale").isNull());
    assertTrue(count.get("epsilon").isNull());
    assertTrue(answer.get("hint").asText().contains("epsilon"));
  }

  @Test
  void suppliedLabelsAreUsed() throws IOException {
    JsonNode answer =
        run(request(
                "1",
                "SELECT source, COUNT(*) FROM edges GROUP BY source",
                ", \"epsilon\": 1, \"bins\": {\"columns\": [\"source\"], \"rows\": [[1], [2],"
                    + " [null]]}"))
            .getFirst();
    assertEquals("supplied", answer.get("labels").asText());
    assertEquals("key", answer.get("columns").get(0).get("kind").asText());
    assertEquals("laplace", answer.get("aggregates").get(0).get("mechanism").asText());
    assertEquals(2, answer.get("aggregates").get(0).get("noiseScale").asDouble());
  }

  @Test
  void questionsAreReadInTheDialectThatIsGiven() throws IOException {
    for (InputDialect dialect : List.of(InputDialect.POSTGRESQL, InputDialect.MYSQL)) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      new AnalyzeLines(
              Optional.of(JsonText.tree(EDGES, Code.BAD_POLICY)),
              Optional.empty(),
              AnalysisOptions.DEFAULT,
              LocalDateTime.of(2024, 1, 1, 0, 0),
              Optional.of(dialect))
          .run(
              new ByteArrayInputStream(
                  request("1", "SELECT COUNT(*) FROM edges WHERE source && dest", "")
                      .getBytes(StandardCharsets.UTF_8)),
              out);
      boolean refused = out.toString(StandardCharsets.UTF_8).contains("SYNTAX");
      assertEquals(
          dialect == InputDialect.POSTGRESQL, refused, out.toString(StandardCharsets.UTF_8));
    }
  }
}
