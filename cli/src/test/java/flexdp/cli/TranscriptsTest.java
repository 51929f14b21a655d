package flexdp.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs every command of the transcripts and tutorials in order. What they print is what the page
 * shows, numbers aside; and the numbers are useful. A line "…" stands for whatever is printed. With
 * {@code -Dflexdp.golden.write=true} the pages are written anew.
 */
class TranscriptsTest {
  private static final Path DOCS = Path.of("../docs");
  private static final Pattern DATABASE = Pattern.compile("jdbc:duckdb:(\\w+\\.duckdb)");
  private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|'([^']*)'|(\\S+)");
  private static final Duration START = Duration.ofMinutes(10);
  private static final Pattern NUMBER = Pattern.compile("-?\\d[\\d,.]*(e-?\\d+)?");

  /** Of ledgers and of their entries. */
  private static final Pattern ID =
      Pattern.compile("\\b([0-9a-f]{64}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})\\b");

  private static final Pattern SCALAR =
      Pattern.compile("\\./flexdp ask .*\"(SELECT (COUNT|SUM)\\([^ ]+\\) FROM (?!.*GROUP).*)\"");

  /** Where the owners' tutorial has its PostgreSQL. */
  private static final String ELSEWHERE = "jdbc:postgresql://127.0.0.1/shop";

  @TempDir Path folder;

  private Optional<EmbeddedPostgres> server = Optional.empty();

  private final String state = System.getProperty("flexdp.state", "");

  @BeforeEach
  void begin() {
    System.setProperty("flexdp.state", folder.resolve("state").toString());
  }

  @AfterEach
  void stop() throws IOException {
    System.setProperty("flexdp.state", state);
    if (server.isPresent()) {
      server.get().close();
    }
  }

  /** The file that the page's SQL fills; the tutorial of analysts has the demo's. */
  private String database = "demo/rides.duckdb";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../README.md",
        "transcript-hospital.md",
        "events.md",
        "tutorial-analyst.md",
        "tutorial-owner.md",
        "transcript-operations.md"
      })
  void everyCommandDoesWhatThePageShows(String name) throws Exception {
    List<String> page = Files.readAllLines(DOCS.resolve(name));
    makeDatabase(String.join("\n", page));
    List<String> written = new ArrayList<>();
    List<String> shown = new ArrayList<>();
    List<String> printed = new ArrayList<>();
    boolean within = false;
    for (String line : page) {
      boolean fence = line.startsWith("```");
      boolean command = within && !fence && line.startsWith("$ ");
      if (within && !fence && !command) {
        shown.add(line);
        continue;
      }
      if (within) {
        if (!shown.equals(List.of("…"))) {
          compare(written.isEmpty() ? "" : written.getLast(), shown, printed);
          written.addAll(printed);
        } else {
          written.addAll(shown);
        }
        shown.clear();
        printed.clear();
      }
      within = fence ? line.equals("```console") : within;
      written.add(line);
      if (command) {
        String text = run(line.substring(2));
        useful(line, text);
        text.lines().forEach(printed::add);
      }
    }
    if (Boolean.getBoolean("flexdp.golden.write")) {
      Files.write(DOCS.resolve(name), written);
    }
  }

  private static void compare(String command, List<String> shown, List<String> printed) {
    if (!Boolean.getBoolean("flexdp.golden.write")) {
      assertEquals(plain(shown), plain(printed), command);
    }
  }

  /** Noise moves numbers and what stands around them, and decides whether anybody seems cut off. */
  private static String plain(List<String> lines) {
    String named = ID.matcher(String.join("\n", lines)).replaceAll("ID");
    String text = NUMBER.matcher(named).replaceAll("#");
    return text.replaceAll("(?m)^collect: \\S+, # of # rows read.*(\\n|$)", "")
        .replaceAll("; about # people seem to have (far )?more[^;]*|, cut off at most about #", "")
        .replaceAll("note: (in # of # cells )?the noise is as large[^\\n]*\\n", "")
        .replaceAll("# ± #|# \\[# #\\]", "#")
        .replaceAll("[ -]+", " ")
        .replaceAll("(?m)^ ", "")
        .strip();
  }

  private String run(String command) throws Exception {
    return command.startsWith("./flexdp ") ? flexdp(command) : shell(command);
  }

  private String flexdp(String command) {
    List<String> words = new ArrayList<>();
    Matcher word = WORD.matcher(command.substring("./flexdp ".length()));
    while (word.find()) {
      String text =
          word.group(1) != null
              ? word.group(1)
              : word.group(2) != null ? word.group(2) : word.group(3);
      words.add(
          text.matches("(demo|.*\\.(yaml|csv|json|ledger|pem|key|pk8))") && !words.isEmpty()
              ? folder.resolve(text).toString()
              : text.replace("jdbc:duckdb:", "jdbc:duckdb:" + folder + "/")
                  .replace(ELSEWHERE, address()));
    }
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = Main.run(new PrintWriter(out), new PrintWriter(err), words.toArray(String[]::new));
    String all = err.toString() + out + (code == 0 ? "" : "(exit " + code + ")\n");
    String user = "analyst:" + System.getProperty("user.name");
    return all.replace(folder + "/", "")
        .replace(address(), ELSEWHERE)
        .replace(user, String.format("%-12s", "analyst:you"));
  }

  private String shell(String command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder("bash", "-c", command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), command + text);
    return text;
  }

  /** A single count or sum is near the truth. */
  private void useful(String command, String text) throws Exception {
    Matcher scalar = SCALAR.matcher(command);
    if (!scalar.find() || text.contains("(exit")) {
      return;
    }
    Matcher number = Pattern.compile("(?m)^\\s*(-?\\d[\\d.]*)").matcher(text);
    assertTrue(number.find(), text);
    try (Connection connection = database();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(scalar.group(1))) {
      row.next();
      double truth = row.getDouble(1);
      double error = Math.abs(Double.parseDouble(number.group(1)) - truth) / truth;
      // Twenty times what the notes say of the noise and more: no run ever sees that.
      assertTrue(error < 0.5, command + " is off by " + error);
    }
  }

  /** As the role that can read, and nothing else. */
  private String address() {
    return server
        .map(s -> "jdbc:postgresql://127.0.0.1:" + s.getPort() + "/shop?user=flexdp")
        .orElse(ELSEWHERE);
  }

  private Connection database() throws Exception {
    if (server.isPresent()) {
      return server.get().getDatabase("postgres", "shop").getConnection();
    }
    return DriverManager.getConnection("jdbc:duckdb:" + folder.resolve(database));
  }

  private void makeDatabase(String page) throws Exception {
    if (!page.contains("```sql\n")) {
      return;
    }
    if (page.contains(ELSEWHERE)) {
      startPostgres();
    } else {
      Matcher named = DATABASE.matcher(page);
      assertTrue(named.find(), "the page names its database");
      database = named.group(1);
    }
    int begin = page.indexOf("```sql\n") + "```sql\n".length();
    try (Connection connection = database();
        Statement statement = connection.createStatement()) {
      statement.execute(page.substring(begin, page.indexOf("```", begin)));
    }
  }

  private void startPostgres() throws Exception {
    server = Optional.of(EmbeddedPostgres.builder().setPGStartupWait(START).start());
    try (Connection connection = server.get().getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE shop");
    }
  }
}
