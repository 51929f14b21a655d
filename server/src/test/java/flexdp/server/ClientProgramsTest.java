package flexdp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs of other people drive the door; scripts/clients installs them. */
class ClientProgramsTest {
  @TempDir static Path folder;
  private static Demo demo;

  @BeforeAll
  static void start() throws Exception {
    demo = Demo.start(folder);
  }

  @AfterAll
  static void stop() {
    demo.close();
  }

  private static List<String> run(String... command) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(Map.of("PGPASSWORD", Demo.PASSWORD, "LC_ALL", "C.UTF-8"));
    Process process = builder.start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), output);
    return output.lines().toList();
  }

  @Test
  void nodePostgres() throws Exception {
    List<String> lines = run("node", "src/test/node/door.js", Integer.toString(demo.port()));
    assertEquals(
        List.of(
            "notice spent epsilon 0.1, delta 0; mechanism laplace",
            "histogram 1 completed 20",
            "named San Francisco,New York",
            "named San Francisco,New York,London",
            "cursor 2 5",
            "error 42703 8 FlexDP code UNKNOWN_COLUMN.",
            "batch [{\"a\":1}] [{\"b\":2}]"),
        lines);
  }

  @Test
  void psycopgAndSqlAlchemy() throws Exception {
    List<String> lines =
        run("/usr/bin/python3", "src/test/python/door.py", Integer.toString(demo.port()));
    assertEquals(
        List.of(
            "rows 2 cancelled int Decimal",
            "notice NOTICE:  spent epsilon 0.1, delta 0; mechanism laplace",
            "named 50",
            "copied Amsterdam,NL",
            "error InsufficientPrivilege 42501",
            "tables analytics,cities,drivers,trips,user_tags,users"),
        lines.subList(0, 6));
    assertEquals("reflected 6", lines.getLast());
    assertTrue(lines.contains("cities ['id INTEGER!', 'name VARCHAR!', 'country VARCHAR!']"));
    assertTrue(lines.contains("trips {'constrained_columns': ['id'], 'name': 'trips_pkey'}"));
  }
}
