package flexdp.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import flexdp.gateway.demo.RideSharing;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs from the command line: registered, asked, explained, charged; nothing leaks. */
class ProgramCommandTest {
  private static final String MODULE = Path.of("..", "docs", "slope.wasm").toString();
  private static final String MAPPER = Path.of("..", "docs", "kinds.wasm").toString();
  private static final String OVER = "SELECT id, distance_km, fare FROM trips";

  @TempDir Path folder;
  private final QuestionOptions options = new QuestionOptions();
  private LeakScan leaks;

  private record Output(int code, String out, String err) {}

  @BeforeEach
  void create() throws Exception {
    Path file = folder.resolve("rides.duckdb");
    new RideSharing(3_347, 5).create(file);
    options.policy = folder.resolve("rides.yaml");
    Output checked = run("program", MODULE, "--check", "--output", "slope:0:10");
    assertEquals(0, checked.code(), checked.err());
    Output mapper = run("program", MAPPER, "--check");
    assertEquals(0, mapper.code(), mapper.err());
    Files.writeString(
        options.policy,
        RideSharing.policy("jdbc:duckdb:" + file)
                .replace("budget: {epsilon: 10,", "budget: {epsilon: 20000,")
            + "\n"
            + checked.out()
            + mapper.out().replace("programs:\n", ""));
    assertEquals(0, run("collect", "--policy", options.policy.toString()).code());
    leaks = LeakScan.of(options);
  }

  @AfterEach
  void nothingLeaked() {
    assertEquals(List.of(), leaks.leaks());
  }

  private static Output run(String... words) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = Main.run(new PrintWriter(out), new PrintWriter(err), words);
    return new Output(code, out.toString(), err.toString());
  }

  private Output program(String over, String... words) {
    List<String> all =
        new ArrayList<>(
            List.of("program", MODULE, "--policy", options.policy.toString(), "--over", over));
    all.addAll(List.of(words));
    Output output = run(all.toArray(String[]::new));
    leaks.scan(String.join(" ", all), output.out() + output.err());
    return output;
  }

  /** The rides of the made-up data: those with a distance, in two sums of which a row has one. */
  @Test
  void aMapperOfTheDocumentsAddsUpRows() throws Exception {
    Output said =
        run(
            "program",
            MAPPER,
            "--policy",
            options.policy.toString(),
            "--over",
            "SELECT distance_km, fare FROM trips",
            "--per",
            "row",
            "--emits",
            "1",
            "--output",
            "short:0:1",
            "--output",
            "long:0:1",
            "--epsilon",
            "1000",
            "--format",
            "json");
    leaks.scan("kinds", said.out() + said.err());
    assertEquals(0, said.code(), said.err());
    JsonNode rows = new ObjectMapper().readTree(said.out()).path("rows");
    double brief = rows.path(0).path(1).asDouble();
    double far = rows.path(1).path(1).asDouble();
    assertTrue(brief > 100 && far > 100 && brief + far < 3_347, said.out());
  }

  @Test
  void aSlopeIsAnsweredAndGivenAgainForNothing() throws Exception {
    String[] words = {
      "--blocks", "40", "--by", "id", "--output", "slope:0:10", "--epsilon", "2", "--format", "json"
    };
    Output first = program(OVER, words);
    assertEquals(0, first.code(), first.err());
    JsonNode answer = new ObjectMapper().readTree(first.out());
    assertEquals("slope", answer.path("columns").path(0).path("name").asText());
    assertEquals(2, answer.path("spent").path("epsilon").asDouble());
    JsonNode again = new ObjectMapper().readTree(program(OVER, words).out());
    assertTrue(again.path("repeat").asBoolean());
    assertEquals(answer.path("rows"), again.path("rows"));
    assertEquals(0, again.path("spent").path("epsilon").asDouble());
    // Another number of blocks is another question, and so is another default.
    words[1] = "41";
    assertFalse(new ObjectMapper().readTree(program(OVER, words).out()).path("repeat").asBoolean());
    words[1] = "40";
    words[5] = "slope:0:10:1";
    assertFalse(new ObjectMapper().readTree(program(OVER, words).out()).path("repeat").asBoolean());
  }

  @Test
  void atLittleEpsilonNothingExactIsShown() {
    for (String shape : List.of("--mean", "--explain", "--fresh")) {
      Output shown =
          program(
              OVER,
              "--blocks",
              "40",
              "--by",
              "id",
              "--output",
              "slope:0:10",
              "--epsilon",
              "0.001",
              shape);
      assertEquals(0, shown.code(), shown.err());
      assertTrue(shown.out().contains("slope"), shown.out());
    }
    Output rows =
        program(
            "SELECT distance_km, fare FROM trips",
            "--per",
            "row",
            "--emits",
            "1",
            "--output",
            "slope:0:1",
            "--epsilon",
            "0.001");
    assertEquals(0, rows.code(), rows.err());
  }

  @Test
  void whatIsWrongIsSaidInOneLineWithItsExitCode() throws Exception {
    assertEquals(2, program(OVER, "--blocks", "40", "--by", "id").code());
    assertEquals(2, program(OVER, "--output", "slope:0:10").code());
    assertEquals(2, program(OVER, "--blocks", "40", "--by", "id", "--output", "slope:9:1").code());
    assertEquals(2, program(OVER, "--blocks", "0", "--by", "id", "--output", "slope:0:1").code());
    assertEquals(2, program(OVER, "--per", "row", "--blocks", "4", "--output", "slope:0:1").code());
    assertEquals(3, program(OVER, "--blocks", "4", "--by", "idd", "--output", "slope:0:1").code());
    assertEquals(3, program(OVER, "--blocks", "4", "--by", "id", "--output", "other:0:1").code());
    Output status =
        program(
            "SELECT id, status, fare FROM trips",
            "--blocks",
            "4",
            "--by",
            "id",
            "--output",
            "slope:0:1");
    assertEquals(3, status.code());
    assertTrue(status.err().contains("CASE WHEN"), status.err());
    Path other = folder.resolve("other.wasm");
    Files.writeString(other, "not a module");
    assertEquals(3, run("program", other.toString(), "--check").code());
    assertEquals(2, run("program", folder.resolve("none.wasm").toString(), "--check").code());
    Output unknown =
        run(
            "program",
            other.toString(),
            "--policy",
            options.policy.toString(),
            "--over",
            OVER,
            "--blocks",
            "4",
            "--by",
            "id",
            "--output",
            "slope:0:1");
    assertEquals(3, unknown.code());
    assertTrue(unknown.err().contains("does not register"), unknown.err());
  }
}
