package flexdp.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every ε and δ that can be written is answered or refused, and quickly. */
class ExtremesTest {
  @TempDir Path folder;
  private Path policy;
  private String err;

  @BeforeEach
  void make() throws Exception {
    Path database = folder.resolve("d.duckdb");
    policy = folder.resolve("p.yaml");
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:" + database);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE t (id BIGINT, k INTEGER, x DOUBLE, s VARCHAR)");
      statement.execute(
          "INSERT INTO t SELECT i, i % 7, i / 3.0, 's' || (i % 3) FROM range(100) r(i)");
    }
    Files.writeString(
        policy,
        """
        database: jdbc:duckdb:%s
        privacy: {budget: {epsilon: 1e110, delta: 0.9}, thresholding: 1e-7}
        tables:
          t:
            columns:
              id: {type: bigint}
              k: {type: integer, domain: [0, 1, 2, 3, 4, 5, 6]}
              x: {type: double, range: [0, 100]}
              s: {type: varchar}
        """
            .formatted(database));
    assertEquals(0, run("collect", "--columns", "t.*"), err);
  }

  private int run(String... arguments) {
    StringWriter output = new StringWriter();
    StringWriter errors = new StringWriter();
    String[] all = new String[arguments.length + 2];
    System.arraycopy(arguments, 0, all, 0, arguments.length);
    all[arguments.length] = "--policy";
    all[arguments.length + 1] = policy.toString();
    int code = Main.run(new PrintWriter(output), new PrintWriter(errors), all);
    err = errors.toString();
    return code;
  }

  @Test
  void ofEpsilonAndDelta() {
    List<String> lines = new ArrayList<>();
    List<String> questions =
        List.of(
            "SELECT COUNT(*) FROM t",
            "SELECT COUNT(*) FROM t a JOIN t b ON a.k = b.k",
            "SELECT AVG(x) FROM t",
            "SELECT MEDIAN(x) FROM t",
            "SELECT k, COUNT(*) FROM t GROUP BY k",
            "SELECT s, COUNT(*) FROM t GROUP BY s",
            "SELECT COUNT(*), SUM(a.x) FROM t a JOIN t b ON a.k = b.k");
    List<String> epsilons =
        List.of("1e-199", "1e-30", "1e-9", "0.001", "37.5", "745", "1000", "1001", "8000", "1e100");
    for (String mechanism : List.of("auto", "laplace", "lomax", "flex", "released")) {
      for (String question : questions) {
        for (String epsilon : epsilons) {
          lines.add(line(lines.size(), question, mechanism, epsilon, "1e-9"));
        }
        for (String delta :
            mechanism.equals("flex")
                ? List.of("1e-199", "1e-100", "0.9", "0.99999999999999999999")
                : List.<String>of()) {
          lines.add(line(lines.size(), question, mechanism, "1", delta));
          lines.add(line(lines.size(), question, mechanism, "8000", delta));
        }
      }
    }
    List<String> answers = jsonl(lines);
    assertEquals(lines.size(), answers.size(), err);
    int answered = 0;
    for (int i = 0; i < answers.size(); i++) {
      String answer = answers.get(i);
      assertFalse(answer.contains("INTERNAL"), lines.get(i) + "\n" + answer);
      assertFalse(answer.contains("\"failed\""), lines.get(i) + "\n" + answer);
      answered += answer.contains("\"answered\"") ? 1 : 0;
    }
    assertTrue(answered > 80, "answered " + answered);
  }

  /** Lines are read in the same dialect as a question among the arguments. */
  @Test
  void theDialectThatIsNamedIsThatOfLinesToo() {
    List<String> line =
        List.of(line(0, "SELECT 7 / 2 AS q, COUNT(*) AS n FROM t", "auto", "8000", "1e-9"));
    String real = jsonl(line).getFirst();
    assertTrue(real.contains("[3.5,"), real);
    String whole = jsonl(line, "--sql-dialect", "postgresql").getFirst();
    assertTrue(whole.contains("[3,"), whole);
    String quoted = "SELECT COUNT(*) FROM t WHERE `k` = 1 AND s = \\\"a\\\"";
    List<String> text = List.of(line(1, quoted, "auto", "1", "1e-9"));
    String read = jsonl(text, "--sql-dialect", "mysql").getFirst();
    assertTrue(read.contains("\"answered\""), read);
    assertTrue(jsonl(text).getFirst().contains("UNKNOWN_COLUMN"));
  }

  private List<String> jsonl(List<String> lines, String... more) {
    InputStream input = System.in;
    PrintStream output = System.out;
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    try {
      System.setIn(
          new ByteArrayInputStream(String.join("\n", lines).getBytes(StandardCharsets.UTF_8)));
      System.setOut(new PrintStream(written, true, StandardCharsets.UTF_8));
      List<String> arguments = new ArrayList<>(List.of("ask", "--jsonl"));
      arguments.addAll(List.of(more));
      assertEquals(0, run(arguments.toArray(String[]::new)), err);
    } finally {
      System.setIn(input);
      System.setOut(output);
    }
    return written.toString(StandardCharsets.UTF_8).lines().toList();
  }

  private static String line(int id, String sql, String mechanism, String epsilon, String delta) {
    return """
    {"id": "%d", "sql": "%s", "mechanism": "%s", "epsilon": %s, "delta": %s, "fresh": true}\
    """
        .formatted(id, sql, mechanism, epsilon, delta);
  }
}
