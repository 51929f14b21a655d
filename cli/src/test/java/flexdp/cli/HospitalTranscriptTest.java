package flexdp.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs every command of docs/transcript-hospital.md in order. What they print is what the page
 * shows, numbers aside; and the numbers are useful. With {@code -Dflexdp.golden.write=true} the
 * page is written anew.
 */
class HospitalTranscriptTest {
  private static final Path PAGE = Path.of("../docs/transcript-hospital.md");
  private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|'([^']*)'|(\\S+)");
  private static final Pattern NUMBER = Pattern.compile("-?\\d[\\d,.]*(e-?\\d+)?");
  private static final Pattern SCALAR =
      Pattern.compile("\\./flexdp ask .*\"(SELECT (COUNT|SUM)\\([^ ]+\\) FROM (?!.*GROUP).*)\"");

  @TempDir Path folder;

  @Test
  void everyCommandDoesWhatThePageShows() throws Exception {
    List<String> page = Files.readAllLines(PAGE);
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
        compare(written.isEmpty() ? "" : written.getLast(), shown, printed);
        written.addAll(printed);
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
      Files.write(PAGE, written);
    }
  }

  private static void compare(String command, List<String> shown, List<String> printed) {
    if (!Boolean.getBoolean("flexdp.golden.write")) {
      assertEquals(plain(shown), plain(printed), command);
    }
  }

  /** Noise moves numbers and what stands around them, and decides whether anybody seems cut off. */
  private static String plain(List<String> lines) {
    String text = NUMBER.matcher(String.join("\n", lines)).replaceAll("#");
    return text.replaceAll("; about # people seem to have more[^;]*", "")
        .replaceAll("note: in # of # cells[^\\n]*\\n", "")
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
          text.endsWith(".yaml")
              ? folder.resolve(text).toString()
              : text.replace("jdbc:duckdb:", "jdbc:duckdb:" + folder + "/"));
    }
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = Main.run(new PrintWriter(out), new PrintWriter(err), words.toArray(String[]::new));
    String all = err.toString() + out + (code == 0 ? "" : "(exit " + code + ")\n");
    return all.replace(folder + "/", "");
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

  private Connection database() throws Exception {
    return DriverManager.getConnection("jdbc:duckdb:" + folder.resolve("hospital.duckdb"));
  }

  private void makeDatabase(String page) throws Exception {
    int begin = page.indexOf("```sql\n") + "```sql\n".length();
    try (Connection connection = database();
        Statement statement = connection.createStatement()) {
      statement.execute(page.substring(begin, page.indexOf("```", begin)));
    }
  }
}
