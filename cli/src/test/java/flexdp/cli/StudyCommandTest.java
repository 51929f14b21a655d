package flexdp.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.gateway.demo.RideSharing;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** study and experiment as people call them. */
class StudyCommandTest {
  @TempDir Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void aGeneratedLogIsStudiedWithThePolicy() throws Exception {
    assertEquals(0, run("study", "--generate", "60"));
    Path log = Files.writeString(folder.resolve("log.jsonl"), out.toString());
    assertEquals(60, Files.readAllLines(log).size());
    Path policy = folder.resolve("rides.yaml");
    Files.writeString(policy, RideSharing.policy("jdbc:duckdb:rides.duckdb"));
    Path report = folder.resolve("report");
    out.getBuffer().setLength(0);
    assertEquals(
        0, run("study", log.toString(), "--policy", policy.toString(), "--out", report.toString()));
    assertTrue(out.toString().contains("queries with JOIN"), out.toString());
    assertTrue(out.toString().contains("RAW_ROWS"), out.toString());
    assertTrue(Files.readString(report.resolve("index.html")).contains("<svg"));
    assertTrue(Files.exists(report.resolve("study-reasons.csv")));
  }

  @Test
  void everyQueryHasItsVerdictOnRequest() throws Exception {
    StringBuilder log = new StringBuilder();
    for (int i = 0; i < 450; i++) {
      log.append(i % 3 == 0 ? "SELECT COUNT(*) FROM trips WHERE id > " + i : "SELECT * FROM trips");
      log.append(";\n");
    }
    Path sql = Files.writeString(folder.resolve("log.sql"), log + "nonsense;\n");
    Path policy = folder.resolve("rides.yaml");
    Files.writeString(policy, RideSharing.policy("jdbc:duckdb:rides.duckdb"));
    Path file = folder.resolve("verdicts.jsonl");
    String[] study = {
      "study", sql.toString(), "--policy", policy.toString(), "--verdicts", file.toString()
    };
    assertEquals(0, run(study), err.toString());
    List<String> lines = Files.readAllLines(file);
    assertEquals(451, lines.size());
    for (int i = 0; i < 450; i++) {
      String line = lines.get(i);
      assertTrue(line.startsWith("{\"query\":" + (i + 1) + ","), line);
      assertTrue(
          line.contains(i % 3 == 0 ? "\"verdict\":\"accepted\"" : "\"code\":\"RAW_ROWS\""), line);
    }
    assertTrue(lines.get(1).contains("\"hint\":\"Ask for an aggregate"), lines.get(1));
    assertTrue(lines.getLast().contains("\"code\":\"SYNTAX\""), lines.getLast());
    assertEquals(2, run("study", sql.toString(), "--verdicts", file.toString()));
  }

  @Test
  void withoutAPolicyNothingIsSaidAboutSuccess() throws Exception {
    Path log = Files.writeString(folder.resolve("x.sql"), "SELECT COUNT(*) FROM t;\nnonsense;\n");
    assertEquals(0, run("study", log.toString()));
    assertTrue(out.toString().lines().noneMatch(l -> l.contains("accepted")), out.toString());
    assertTrue(out.toString().contains("SYNTAX"), out.toString());
  }

  @Test
  void slipsAreUsageErrors() throws Exception {
    assertEquals(2, run("study"));
    assertEquals(2, run("study", folder.resolve("none.sql").toString()));
    Path log = Files.writeString(folder.resolve("x.csv"), "a,b\n1,2\n");
    assertEquals(2, run("study", log.toString()));
    assertTrue(err.toString().contains("--column"), err.toString());
    assertEquals(2, run("study", log.toString(), "--format", "xml"));
    assertEquals(2, run("experiment", "nothing"));
    assertEquals(2, run("experiment", "all", "--scale", "huge"));
  }

  private int run(String... args) {
    return Main.run(new PrintWriter(out), new PrintWriter(err), args);
  }
}
