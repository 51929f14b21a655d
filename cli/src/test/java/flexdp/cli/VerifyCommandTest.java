package flexdp.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.gateway.demo.RideSharing;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** verify as people call it. */
class VerifyCommandTest {
  @TempDir Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private String policy;

  @BeforeEach
  void writePolicy() throws IOException {
    Path file = folder.resolve("rides.yaml");
    Files.writeString(file, RideSharing.policy("jdbc:duckdb:nowhere.duckdb"));
    policy = file.toString();
  }

  private int run(String... args) {
    return Main.run(new PrintWriter(out), new PrintWriter(err), args);
  }

  /** There is neither a database nor a ledger, and none appears. */
  @Test
  void aQuestionIsVerifiedWithoutADatabase() throws IOException {
    assertEquals(
        0,
        run("verify", "--policy", policy, "--minutes", "0.02", "SELECT COUNT(*) FROM trips"),
        err.toString());
    List<String> lines = out.toString().lines().toList();
    assertTrue(
        lines.getFirst().matches("question +checks +tightest +mechanism.*"), lines.getFirst());
    assertTrue(lines.get(1).startsWith("SELECT COUNT(*) FROM trips "), lines.get(1));
    assertTrue(lines.get(1).endsWith(" holds"), lines.get(1));
    assertTrue(lines.get(1).contains(" 1.00  laplace "), lines.get(1));
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(List.of("rides.yaml"), files.map(f -> f.getFileName().toString()).toList());
    }
  }

  @Test
  void aRefusedQuestionIsRefused() {
    assertEquals(3, run("verify", "--policy", policy, "SELECT * FROM trips"));
    assertTrue(err.toString().contains("RAW_ROWS"), err.toString());
    assertEquals(2, run("verify", "--policy", policy));
    assertEquals(2, run("verify", "--policy", policy, "--minutes", "0", "SELECT 1"));
  }

  @Test
  void aLogIsVerifiedQuestionByQuestion() throws IOException {
    Path log = folder.resolve("log.sql");
    Files.writeString(
        log,
        "SELECT COUNT(*) FROM trips;\nSELECT COUNT(*) FROM trips;\nSELECT * FROM trips;\n"
            + "SELECT status, COUNT(*) FROM trips GROUP BY status;\n");
    assertEquals(
        0,
        run("verify", "--policy", policy, "--minutes", "0.03", "-f", log.toString()),
        err.toString());
    List<String> lines = out.toString().lines().toList();
    assertEquals(4, lines.size(), out.toString());
    assertTrue(lines.get(2).endsWith("rejected: RAW_ROWS"), lines.get(2));
    assertTrue(lines.get(3).endsWith("holds"), lines.get(3));
  }

  @Test
  void linesAreAnsweredByLines() {
    InputStream before = System.in;
    String lines =
        "{\"id\": \"a\", \"sql\": \"SELECT COUNT(*) FROM trips\"}\n"
            + "{\"id\": \"b\", \"sql\": \"SELECT oops FROM trips\"}\n";
    System.setIn(new ByteArrayInputStream(lines.getBytes(StandardCharsets.UTF_8)));
    try {
      assertEquals(0, run("verify", "--policy", policy, "--minutes", "0.02", "--jsonl"));
    } finally {
      System.setIn(before);
    }
    List<String> answers = out.toString().lines().toList();
    assertTrue(answers.get(0).startsWith("{\"id\":\"a\",\"status\":\"holds\""), answers.get(0));
    assertTrue(answers.get(0).contains("\"epsilonSeen\":"), answers.get(0));
    assertTrue(answers.get(1).contains("\"code\":\"UNKNOWN_COLUMN\""), answers.get(1));
    assertFalse(err.toString().contains("internal"), err.toString());
  }
}
