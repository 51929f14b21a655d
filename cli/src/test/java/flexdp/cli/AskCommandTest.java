package flexdp.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.gateway.demo.RideSharing;
import java.io.ByteArrayOutputStream;
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

/** The commands as people call them: output, exit codes, and what is left behind. */
class AskCommandTest {
  @TempDir Path folder;
  private Path policy;
  private Path database;
  private String out;
  private String err;

  @BeforeEach
  void make() throws Exception {
    database = folder.resolve("rides.duckdb");
    policy = folder.resolve("rides.yaml");
    new RideSharing(500, 3).create(database);
    Files.writeString(policy, RideSharing.policy("jdbc:duckdb:" + database));
  }

  private int run(String... arguments) {
    StringWriter output = new StringWriter();
    StringWriter errors = new StringWriter();
    int code = Main.run(new PrintWriter(output), new PrintWriter(errors), arguments);
    out = output.toString();
    err = errors.toString();
    return code;
  }

  private int ask(String sql, String... more) {
    List<String> arguments = new ArrayList<>(List.of("ask", "--policy", policy.toString()));
    arguments.addAll(List.of(more));
    arguments.add(sql);
    return run(arguments.toArray(new String[0]));
  }

  @Test
  void aTableOfEveryLabel() {
    assertEquals(0, ask("SELECT status, COUNT(*) AS n FROM trips GROUP BY status", "--intervals"));
    assertEquals(5, out.lines().count(), out);
    assertTrue(out.lines().findFirst().orElseThrow().startsWith("status"), out);
    assertTrue(out.contains(" ± 30"), out);
    assertTrue(err.contains("spent epsilon 0.1, delta 0; mechanism laplace"), err);
  }

  @Test
  void jsonAndCsv() {
    assertEquals(0, ask("SELECT COUNT(*) FROM trips", "--format", "json"));
    assertTrue(
        out.matches(
            "(?s)\\{\"columns\":\\[\\{\"name\":\"count\",\"kind\":\"aggregate\"\\}\\],"
                + "\"rows\":\\[\\[-?\\d+\\]\\],\"spent\":\\{\"epsilon\":0.1,\"delta\":0\\},"
                + "\"mechanism\":\"laplace\",\"repeat\":false\\}\\s*"),
        out);
    assertEquals(0, ask("SELECT payment, COUNT(*) FROM trips GROUP BY 1", "--format", "csv"));
    assertTrue(out.startsWith("payment,count\r\ncard,"), out);
    assertTrue(out.contains("\r\n,"), "NULL is an empty field: " + out);
  }

  @Test
  void theAnswersOfOneDatabaseAreNotGivenForAnother() throws Exception {
    String sql = "SELECT COUNT(*) FROM trips";
    Path other = folder.resolve("other.duckdb");
    new RideSharing(50, 3).create(other);
    assertEquals(0, run("collect", "--policy", policy.toString()));
    assertEquals(0, ask(sql, "--format", "json"));
    assertEquals(0, ask(sql, "--format", "json"));
    assertTrue(out.contains("\"repeat\":true"), out);
    String[] there = {"--database", "jdbc:duckdb:" + other, "--format", "json"};
    assertEquals(0, ask(sql, there));
    assertTrue(out.contains("\"repeat\":false"), out);
    assertEquals(0, ask(sql, there));
    assertTrue(out.contains("\"repeat\":true"), out);
    assertEquals(0, ask(sql, "--database", "jdbc:duckdb:" + database, "--format", "json"));
    assertTrue(out.contains("\"repeat\":true"), out);
  }

  @Test
  void aPrivateScaleHasNoErrorBarAndSaysWhy() {
    run("collect", "--policy", policy.toString());
    assertEquals(
        0,
        ask(
            "SELECT COUNT(*) FROM trips a JOIN trips b ON a.driver_id = b.driver_id",
            "--intervals"));
    assertFalse(out.contains("±"), out);
    assertTrue(err.contains("no error bar"), err);
  }

  @Test
  void tablesHaveErrorBarsUnlessToldOtherwise() {
    String sql = "SELECT status, COUNT(*) AS n FROM trips GROUP BY status";
    assertEquals(0, ask(sql));
    assertTrue(out.contains(" ± 30"), out);
    assertTrue(err.contains("left out are rows whose status is not in its declared domain"), err);
    assertEquals(0, ask(sql, "--no-intervals"));
    assertFalse(out.contains("±"), out);
    assertEquals(0, ask(sql, "--format", "csv"));
    assertTrue(out.startsWith("status,n\r\n"), out);
    assertTrue(err.contains("left out"), err);
    assertEquals(0, ask(sql, "--format", "json"));
    assertFalse(out.contains("intervals"), out);
  }

  @Test
  void anAnswerThatDrownsInNoiseSaysSo() {
    // One in twenty answers is further off than its error bar says, and then looks large.
    StringBuilder notes = new StringBuilder();
    for (int least = 491; least < 500; least++) {
      String sql = "SELECT COUNT(*) FROM trips WHERE fare > " + least;
      assertEquals(0, ask(sql, "--epsilon", "0.0001"));
      notes.append(err);
    }
    assertTrue(notes.toString().contains("note: the noise is as large as the answer"), err);
    run("collect", "--policy", policy.toString());
    String join = "SELECT COUNT(*) AS n FROM trips a JOIN trips b ON a.driver_id = b.driver_id";
    assertEquals(0, ask(join));
    assertTrue(err.contains("the noise of 'n' may be larger than the answer"), err);
    assertTrue(err.contains("flexdp collect --release"), err);
  }

  @Test
  void slipsOfTheFingerAreUnderstood() {
    assertEquals(2, run("aks"));
    assertTrue(err.contains("Did you mean 'ask'?"), err);
    assertEquals(2, run("ask", "--polcy", policy.toString(), "SELECT 1"));
    assertTrue(err.contains("Did you mean '--policy'?"), err);
    assertEquals(2, ask("SELECT 1", "--epslon=3"));
    assertTrue(err.contains("Did you mean '--epsilon'?"), err);
    assertEquals(2, run("policy", "int"));
    assertTrue(err.contains("Did you mean 'init'?"), err);
    assertEquals(2, run("ask", "--workload", "w.sql", "--above", "NaN"));
    assertTrue(err.contains("cannot convert 'NaN'") && !err.contains("java"), err);
  }

  @Test
  void helpIsHelpAndNothingElse() {
    PrintStream before = System.err;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      for (String command :
          List.of("ask", "explain", "analyze", "collect", "study", "experiment", "demo")) {
        assertEquals(0, run(command, "--help"));
        assertEquals("", err);
        assertFalse(out.contains("%n") || out.contains("%%"), out);
      }
    } finally {
      System.setErr(before);
    }
    assertEquals("", printed.toString(StandardCharsets.UTF_8), "no warnings");
  }

  @Test
  void exitCodesSayWhatHappened() {
    assertEquals(3, ask("SELECT * FROM trips"));
    assertTrue(err.startsWith("flexdp: RAW_ROWS: line 1:"), err);
    assertEquals(2, ask("SELECT COUNT(*) FROM trips", "--epsilon", "-1"));
    assertEquals(2, ask("SELECT COUNT(*) FROM trips", "--epsilon", "NaN"));
    assertEquals(4, ask("SELECT COUNT(*) FROM trips", "--epsilon", "11"));
    assertEquals(5, ask("SELECT COUNT(*) FROM trips", "--database", "jdbc:duckdb:none.db"));
    assertEquals("", out);
  }

  @Test
  void aDroppedTableIsAClearError() throws Exception {
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:" + database);
        Statement statement = connection.createStatement()) {
      statement.execute("DROP TABLE trips");
    }
    assertEquals(2, ask("SELECT COUNT(*) FROM trips"));
    assertTrue(err.contains("the database has no table 'trips'"), err);
  }

  @Test
  void theSameQuestionIsFreeTheSecondTime() {
    run("collect", "--policy", policy.toString());
    assertEquals(0, ask("SELECT COUNT(*) FROM users"));
    String first = out;
    assertEquals(0, ask("select count(*) from users"));
    assertEquals(first, out);
    assertTrue(err.contains("spent epsilon 0,"), err);
  }

  @Test
  void parametersHaveValuesOfTheirOwn() {
    run("collect", "--policy", policy.toString());
    String written = "SELECT COUNT(*) FROM trips WHERE status = 'completed' AND fare > 10.50";
    assertEquals(0, ask(written));
    String first = out;
    String open = "SELECT COUNT(*) FROM trips WHERE status = :status AND fare > :least";
    assertEquals(0, ask(open, "--param", "status=completed", "--param", "least=10.5"));
    assertEquals(first, out);
    assertTrue(err.contains("spent epsilon 0,"), err);
    String numbered = "SELECT COUNT(*) FROM trips WHERE status = $1 AND fare > $2";
    assertEquals(0, ask(numbered, "--param", "1=completed", "--param", "$2=10.5"));
    assertEquals(first, out);
    assertEquals(0, ask(open, "--param", "status", "--param", "least=1"));
    // The text alone means nothing, and values have to fit.
    assertEquals(3, ask(open));
    assertTrue(err.contains("The parameter :status has no value."), err);
    assertTrue(err.contains("--param status=VALUE"), err);
    assertEquals(2, ask(open, "--param", "status=completed"));
    assertTrue(err.contains("there is no value for the parameter :least"), err);
    assertEquals(2, ask(open, "--param", "status=a", "--param", "least=1 OR 1=1"));
    assertTrue(err.contains("the parameter :least must be of type decimal(9,2)"), err);
    assertEquals(2, ask(open, "--param", "status=a", "--param", "least=1", "--param", "x=1"));
    assertEquals(2, ask(open, "--param", "least=2", "--param", "least=1"));
    assertEquals(2, ask(written, "--param", "x=1"));
    assertEquals(
        0,
        run(
            "explain",
            "--owner",
            "--policy",
            policy.toString(),
            "--param",
            "id=3",
            "SELECT COUNT(*) FROM trips WHERE id = :id"));
    assertTrue(out.contains("for the owner only"), out);
  }

  @Test
  void explainingShowsSymbolsAndCostsNothing() {
    run("collect", "--policy", policy.toString());
    String sql = "SELECT COUNT(*) FROM trips t JOIN drivers d ON t.driver_id = d.id";
    assertEquals(0, run("explain", "--policy", policy.toString(), sql));
    assertTrue(out.contains("mf(trips.driver_id)"), out);
    assertTrue(out.contains("S-INNER"), out);
    assertFalse(out.contains("owner"), out);
    assertEquals(0, run("explain", "--policy", policy.toString(), "--owner", sql));
    assertTrue(out.contains("smooth bound"), out);
    assertEquals(0, run("budget", "show", "--policy", policy.toString()));
    assertTrue(out.lines().allMatch(line -> line.contains("ε 10 of 10 left")), out);
  }

  @Test
  void explainingSaysTheErrorOfAColumnOnce() {
    run("collect", "--policy", policy.toString());
    for (String sql :
        new String[] {
          "SELECT COUNT(*) AS n FROM trips",
          "SELECT COUNT(*) FROM trips t JOIN drivers d ON t.driver_id = d.id"
        }) {
      assertEquals(0, run("explain", "--policy", policy.toString(), sql));
      assertEquals(1, out.lines().filter(line -> line.contains("95 %")).count(), out);
    }
    String average = "SELECT COUNT(*) * 1.0 / 7 FROM trips";
    assertEquals(0, run("explain", "--policy", policy.toString(), average));
    assertTrue(out.contains("by 95 %"), "what no column shows has an error of its own: " + out);
  }

  @Test
  void theDemoRunsFromNothing() {
    assertEquals(
        0, run("demo", "--trips", "800", "--folder", folder.resolve("demo").toString()), err);
    assertTrue(out.contains("mechanism released"), out);
    assertTrue(out.contains("LABELS_NOT_ENUMERABLE"), out);
    assertTrue(out.contains("left"), out);
    assertTrue(out.contains("mechanism clip"), out);
    assertTrue(out.contains("each person counts for at most"), out);
  }
}
