package flexdp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The psql of this machine, which scripts/setup installs, drives the door. */
class PsqlTest {
  @TempDir Path folder;

  /** What psql prints, then what it says on its other stream: where that goes between is chance. */
  private static String psql(int port, String... arguments) throws Exception {
    List<String> words = new ArrayList<>(List.of("psql", "-X", "-h", "127.0.0.1", "-U", "ann"));
    words.addAll(List.of("-p", Integer.toString(port), "-d", "rides"));
    words.addAll(List.of(arguments));
    Path said = Files.createTempFile("psql", ".txt");
    ProcessBuilder builder = new ProcessBuilder(words).redirectError(said.toFile());
    builder.environment().putAll(Map.of("PGPASSWORD", Demo.PASSWORD, "LC_ALL", "C.UTF-8"));
    Process process = builder.start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    output += Files.readString(said);
    Files.delete(said);
    return output;
  }

  @Test
  void backslashCommandsShowWhatARealServerShows() throws Exception {
    List<String> different = new ArrayList<>();
    List<String> needlesslyExcused = new ArrayList<>();
    int same = 0;
    int all = 0;
    try (RealPostgres real = RealPostgres.start();
        Demo demo = Demo.start(folder)) {
      for (String line : commands()) {
        String[] parts = line.split("\\|", 2);
        String command = parts[0].strip();
        all++;
        String expected = psql(real.port(), "-c", command);
        String found = psql(demo.port(), "-c", command);
        if (expected.equals(found)) {
          same++;
          if (parts.length == 2) {
            needlesslyExcused.add(command);
          }
        } else if (parts.length == 1) {
          different.add(command + "\n" + expected + "\n" + found);
        }
        assertFalse(found.contains("The catalogue does not"), command + ": " + found);
      }
    }
    assertEquals(List.of(), different);
    assertEquals(List.of(), needlesslyExcused);
    assertTrue(same * 100 >= 85 * all, same + " of " + all);
  }

  private static List<String> commands() throws IOException {
    try (var in = PsqlTest.class.getResourceAsStream("psql.txt")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#") && !line.isBlank())
          .toList();
    }
  }

  @Test
  void scriptsOfStatementsRunAsTheyDoElsewhere() throws Exception {
    try (Demo demo = Demo.start(folder)) {
      String answer =
          psql(
              demo.port(),
              "-At",
              "-v",
              "FETCH_COUNT=2",
              "-c",
              "SELECT status, count(*) > 0 FROM trips GROUP BY status ORDER BY status");
      assertTrue(answer.contains("cancelled|t\ncompleted|t\nrequested|t"), answer);
      Path file = folder.resolve("cities.csv");
      String copy = "\\copy (SELECT id, name FROM cities ORDER BY id) TO '" + file + "' CSV HEADER";
      psql(demo.port(), "-c", copy);
      assertTrue(Files.readString(file).startsWith("id,name\n1,San Francisco\n"));
      String script =
          """
          BEGIN READ ONLY;
          DECLARE c CURSOR FOR SELECT id FROM cities ORDER BY id;
          FETCH 2 FROM c;
          SAVEPOINT s;
          SELECT nosuch FROM cities;
          ROLLBACK TO s;
          FETCH FROM c;
          PREPARE p(int) AS SELECT name FROM cities WHERE id = $1;
          EXECUTE p(3);
          COMMIT;
          SHOW flexdp.epsilon;
          EXPLAIN (FORMAT json) SELECT COUNT(*) FROM trips;
          """;
      Path commands = Files.writeString(folder.resolve("script.sql"), script);
      String output = psql(demo.port(), "-At", "-f", commands.toString());
      for (String expected :
          List.of("\n1\n2\n", "\n3\n", "London", "UNKNOWN_COLUMN", "\"charged\"")) {
        assertTrue(output.contains(expected), expected + " in " + output);
      }
    }
  }
}
