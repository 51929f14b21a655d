package flexdp.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AnalyzeCommandTest {
  private static final String EXAMPLE = Path.of("..", "docs", "example.yaml").toString();

  private record Ran(int code, String out, String err) {}

  private static Ran run(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = Main.run(new PrintWriter(out), new PrintWriter(err), args);
    return new Ran(code, out.toString(), err.toString());
  }

  private static Ran analyze(String... args) {
    List<String> all = new ArrayList<>(List.of("analyze", "--policy", EXAMPLE));
    all.addAll(List.of(args));
    return run(all.toArray(String[]::new));
  }

  @Test
  void anAcceptedQuestionIsReportedOnStdout() {
    Ran ran =
        analyze(
            "--distances",
            "0,5",
            "SELECT COUNT(*) FROM trips t JOIN drivers d ON t.driver_id = d.id");
    assertEquals(0, ran.code(), ran.err());
    assertTrue(ran.out().contains("k + 420"), ran.out());
    assertTrue(ran.out().contains("5: 425"), ran.out());
    assertTrue(ran.out().contains("lomax"), ran.out());
    assertEquals("", ran.err());
  }

  @Test
  void aRejectionEndsWithThreeAndAHintOnStderr() {
    Ran ran = analyze("SELECT fare FROM trips");
    assertEquals(3, ran.code());
    assertEquals("", ran.out());
    assertTrue(ran.err().startsWith("flexdp: RAW_ROWS: line 1:"), ran.err());
    assertTrue(ran.err().contains("hint: "), ran.err());
  }

  @Test
  void wrongUsageEndsWithTwoAndOneLine() {
    List<Ran> all =
        List.of(
            run("frobnicate"),
            run(),
            run("analyze", "SELECT 1"),
            run("analyze", "--policy", "nowhere.yaml", "SELECT 1"),
            analyze(),
            analyze("--epsilon", "0", "SELECT COUNT(*) FROM trips"),
            analyze("--epsilon", "NaN", "SELECT COUNT(*) FROM trips"),
            analyze("--delta", "1", "SELECT COUNT(*) FROM trips"),
            analyze("--rules", "papr", "SELECT COUNT(*) FROM trips"),
            analyze("--mechanism", "magic", "SELECT COUNT(*) FROM trips"),
            analyze("--distances", "0,x", "SELECT COUNT(*) FROM trips"),
            analyze("--distances", "99999999999999999999", "SELECT COUNT(*) FROM trips"),
            analyze("--bins", "nowhere.csv", "SELECT COUNT(*) FROM trips"),
            analyze("--unknown", "SELECT COUNT(*) FROM trips"));
    for (Ran ran : all) {
      assertEquals(2, ran.code(), ran.err());
      assertEquals("", ran.out());
      assertEquals(1, ran.err().lines().count(), ran.err());
    }
  }

  @Test
  void aMisspeltPolicyIsNamedWithItsFile(@TempDir Path folder) throws IOException {
    Path policy = Files.writeString(folder.resolve("p.yaml"), "tables: {t: {colums: {}}}");
    Ran ran = run("analyze", "--policy", policy.toString(), "SELECT 1");
    assertEquals(2, ran.code());
    assertTrue(ran.err().contains("Did you mean 'columns'?"), ran.err());
  }

  @Test
  void helpShowsAnExample() {
    Ran ran = run("analyze", "--help");
    assertEquals(0, ran.code());
    assertTrue(ran.out().contains("Example:"), ran.out());
    assertTrue(run("--help").out().contains("analyze"));
  }
}
