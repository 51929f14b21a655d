package flexdp.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.gateway.Setup;
import flexdp.gateway.demo.RideSharing;
import java.io.ByteArrayOutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jline.terminal.Size;
import org.jline.terminal.impl.ExternalTerminal;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The prompt as somebody types into it: bytes of a terminal in, what it shows out. */
class ShellTest {
  @TempDir Path folder;
  private Path policy;

  @BeforeEach
  void makeDatabase() throws Exception {
    Path database = folder.resolve("rides.duckdb");
    new RideSharing(500, 7).create(database);
    policy = folder.resolve("rides.yaml");
    Files.writeString(policy, RideSharing.policy("jdbc:duckdb:" + database));
  }

  /** Everything that is shown for what is typed. */
  private String typed(String keys, Optional<Path> history) throws Exception {
    PipedOutputStream keyboard = new PipedOutputStream();
    PipedInputStream in = new PipedInputStream(keyboard, 1 << 16);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ExternalTerminal terminal =
            new ExternalTerminal("test", "ansi", in, out, StandardCharsets.UTF_8);
        ShellSource source = new ShellLocal(Setup.of(policy).open(), "ann")) {
      terminal.setSize(new Size(200, 50));
      keyboard.write(keys.getBytes(StandardCharsets.UTF_8));
      keyboard.flush();
      Shell shell = new Shell(source, terminal, history);
      Thread typist = Thread.ofVirtual().start(shell::run);
      typist.join(java.time.Duration.ofMinutes(5));
      assertFalse(typist.isAlive(), () -> "still running: " + out.toString(StandardCharsets.UTF_8));
    }
    return out.toString(StandardCharsets.UTF_8).replaceAll("\u001b\\[[0-9;?]*[A-Za-z]", "");
  }

  @Test
  void aQuestionOverSeveralLinesIsAnsweredAtItsSemicolon() throws Exception {
    String shown =
        typed(
            "SELECT status, COUNT(*) AS n\nFROM trips\nGROUP BY status;\n\\q\n", Optional.empty());
    assertTrue(shown.contains("completed"), shown);
    assertTrue(shown.contains("spent epsilon 0.1"), shown);
  }

  @Test
  void theTabKeyCompletesTablesAndColumns() throws Exception {
    String shown =
        typed("SELECT COUNT(*) FROM tri\t WHERE statu\t = 'completed';\n\\q\n", Optional.empty());
    assertTrue(shown.contains("spent epsilon"), shown);
    assertTrue(shown.contains("trips"), shown);
  }

  @Test
  void theTabKeyCompletesFunctionsAndCommands() throws Exception {
    String shown = typed("SELECT medi\tfare) FROM trips;\n\\bud\t\n\\q\n", Optional.empty());
    assertTrue(shown.contains("spent epsilon"), shown);
    assertTrue(shown.contains("median(fare)"), shown);
    assertTrue(shown.contains("table:trips"), shown);
  }

  @Test
  void aMistakeIsUnderlined() throws Exception {
    String shown = typed("SELECT COUNT(*)\nFROM trips WHERE oops = 1;\n\\q\n", Optional.empty());
    assertTrue(
        shown.replace("\r", "").contains("FROM trips WHERE oops = 1\n                 ^^^^\n"),
        shown);
    assertTrue(shown.contains("UNKNOWN_COLUMN: line 2:18"), shown);
  }

  @Test
  void settingsHoldForWhatFollows() throws Exception {
    String shown =
        typed(
            "\\set epsilon 0.25\n\\set\n\\explain SELECT COUNT(*) FROM trips;\n"
                + "SELECT COUNT(*) FROM trips;\n\\budget\n\\set epsilon oops\n\\nonsense\n\\q\n",
            Optional.empty());
    assertTrue(shown.contains("epsilon = 0.25"), shown);
    assertTrue(shown.contains("cost"), shown);
    assertTrue(shown.contains("spent epsilon 0.25"), shown);
    assertTrue(shown.contains("table:trips"), shown);
    assertTrue(shown.contains("epsilon must be a number above zero"), shown);
    assertTrue(shown.contains("there is no command \\nonsense"), shown);
  }

  @Test
  void tablesAndColumnsAreListed() throws Exception {
    String shown = typed("\\d\n\\d trips\n\\d nowhere\n\\q\n", Optional.empty());
    assertTrue(shown.contains("trips") && shown.contains("protected"), shown);
    assertTrue(shown.contains("driver_id") && shown.contains("bigint"), shown);
    assertTrue(shown.contains("there is no table 'nowhere'"), shown);
  }

  @Test
  void whatWasTypedIsThereNextTime() throws Exception {
    Path history = folder.resolve("history");
    typed("\\set within 5%\n\\q\n", Optional.of(history));
    assertTrue(Files.readString(history).contains("within 5%"));
    String up = "\u001b[A"; // the arrow key
    String shown = typed(up + up + "\n\\set\n\\q\n", Optional.of(history));
    assertTrue(shown.contains("within = 5%"), shown);
  }

  @Test
  void aFileHoldsTheQuestion() throws Exception {
    Path file = Files.writeString(folder.resolve("q.sql"), "SELECT COUNT(*) AS n FROM trips\n");
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    String[] ask = {"ask", "--policy", policy.toString(), "-f", file.toString()};
    assertEquals(0, Main.run(new PrintWriter(out), new PrintWriter(err), ask), err.toString());
    assertTrue(out.toString().strip().startsWith("n"), out.toString());
    String[] both = {"ask", "--policy", policy.toString(), "-f", file.toString(), "SELECT 1"};
    assertEquals(2, Main.run(new PrintWriter(out), new PrintWriter(err), both));
  }
}
