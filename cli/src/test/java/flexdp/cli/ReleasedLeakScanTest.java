package flexdp.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The public file of released metrics over neighbours: but for the noisy numbers, the time and a
 * name that is drawn at random it is the same, and no word of the private file's states is in it.
 */
class ReleasedLeakScanTest {
  private static final Pattern STATE = Pattern.compile("\"snapshot\" : \"([^\"]*)\"");

  @TempDir Path folder;

  /** Two tables, of which one is released; the other is charged nothing. */
  private Path csv(String name, boolean target) throws Exception {
    Path data = Files.createDirectories(folder.resolve(name));
    StringBuilder trips = new StringBuilder("id,driver_id\n");
    StringBuilder visits = new StringBuilder("id,who\n");
    for (int i = 0; i < 100; i++) {
      trips.append(i).append(',').append(i % 7).append('\n');
      visits.append(i).append(',').append(i % 9).append('\n');
    }
    Files.writeString(data.resolve("trips.csv"), trips);
    Files.writeString(data.resolve("visits.csv"), visits + (target ? "999,4\n" : ""));
    return policy(name, "files:" + data);
  }

  private Path duckdb(String name, boolean target) throws Exception {
    String url = "jdbc:duckdb:" + folder.resolve(name + ".duckdb");
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE trips AS SELECT range AS id, range % 7 AS driver_id FROM range(100)");
      statement.execute(
          "CREATE TABLE visits AS SELECT range AS id, range % 9 AS who FROM range(100)");
      if (target) {
        statement.execute("INSERT INTO visits VALUES (999, 4)");
      }
    }
    return policy(name, url);
  }

  private Path policy(String name, String url) throws Exception {
    Path policy = folder.resolve(name + ".yaml");
    Files.writeString(
        policy,
        """
        flexdp: 1
        database: "%s"
        privacy: {epsilon: 0.1, delta: 1e-9, budget: {epsilon: 1, delta: 1e-6}}
        tables:
          trips: {columns: {id: {type: bigint}, driver_id: {type: bigint}}}
          visits: {columns: {id: {type: bigint}, who: {type: bigint}}}
        """
            .formatted(url));
    return policy;
  }

  private static String released(Path policy) throws Exception {
    StringWriter told = new StringWriter();
    int code =
        Main.run(
            new PrintWriter(told),
            new PrintWriter(told),
            "collect",
            "--policy",
            policy.toString(),
            "--columns",
            "trips.driver_id",
            "--release",
            "--release-epsilon",
            "0.001",
            "--release-delta",
            "1e-9",
            "--only",
            "trips.driver_id");
    assertEquals(0, code, told.toString());
    String stem = policy.toString().replaceFirst("\\.yaml$", "");
    String open = Files.readString(Path.of(stem + ".released.json"));
    String secret = Files.readString(Path.of(stem + ".metrics.json"));
    Set<String> words = states(secret);
    assertTrue(words.stream().anyMatch(w -> w.startsWith("file")), secret);
    for (String word : words) {
      assertFalse(open.contains(word), word + " in " + open);
    }
    return open;
  }

  /** The parts of private names of states, but for their time. */
  private static Set<String> states(String json) {
    Set<String> words = new TreeSet<>();
    Matcher states = STATE.matcher(json);
    while (states.find()) {
      words.addAll(List.of(states.group(1).replaceFirst("^\\S+ ?", "").split("[ :]+")));
      words.add(states.group(1).replaceFirst("^\\S+ ?", ""));
    }
    words.removeIf(word -> word.isEmpty() || word.equals("file") || word.equals("files"));
    return words;
  }

  /** Without what is drawn, and when. */
  private static String still(String json) {
    return json.replaceAll("\"maxFrequency\" : \\d+", "\"maxFrequency\" : 0")
        .replaceAll("\"releasedAt\" : \"[^\"]*\"", "\"releasedAt\" : \"\"")
        .replaceAll("\"release:[0-9a-f-]{36}\"", "\"\"");
  }

  private static String state(String json) {
    Matcher states = STATE.matcher(json);
    assertTrue(states.find(), json);
    return states.group(1);
  }

  private static void expectNothingOfTheData(Path with, Path without) throws Exception {
    String one = released(with);
    String other = released(without);
    assertEquals(still(one), still(other));
    assertTrue(still(one).getBytes(StandardCharsets.UTF_8).length > 100, one);
    // Of the same data another name each time: it is no function of them.
    assertNotEquals(state(one), state(released(with)));
  }

  @Test
  void ofDataFiles() throws Exception {
    expectNothingOfTheData(csv("with", true), csv("without", false));
  }

  @Test
  void ofADuckDbFile() throws Exception {
    expectNothingOfTheData(duckdb("with", true), duckdb("without", false));
  }
}
