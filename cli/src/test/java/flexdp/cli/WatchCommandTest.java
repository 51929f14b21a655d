package flexdp.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import flexdp.gateway.demo.RideSharing;
import flexdp.server.Service;
import flexdp.server.ServiceOptions;
import flexdp.server.login.User;
import flexdp.server.login.Users;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Watches from the command line, on the owner's machine and through the door; nothing leaks. */
class WatchCommandTest {
  private static final String COUNT = "SELECT COUNT(*) FROM trips WHERE status = 'completed'";

  @TempDir Path folder;
  private final QuestionOptions options = new QuestionOptions();
  private LeakScan leaks;

  private record Output(int code, String out, String err) {}

  @BeforeEach
  void create() throws Exception {
    Path file = folder.resolve("rides.duckdb");
    new RideSharing(3_347, 5).create(file);
    options.policy = folder.resolve("rides.yaml");
    Files.writeString(
        options.policy,
        RideSharing.policy("jdbc:duckdb:" + file)
            .replace("budget: {epsilon: 10,", "budget: {epsilon: 20000,"));
    assertEquals(0, run("collect", "--policy", options.policy.toString()).code());
    leaks = LeakScan.of(options);
  }

  private static Output run(String... words) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = Main.run(new PrintWriter(out), new PrintWriter(err), words);
    return new Output(code, out.toString(), err.toString());
  }

  /** Nothing but times may be shown beside what was asked. */
  private Output scanned(String... words) {
    Output output = run(words);
    String shown = output.out() + output.err();
    leaks.scan(
        String.join(" ", words),
        shown
            .replaceAll("\\d{4}-\\d\\d-\\d\\d[T ][0-9:.]+Z?", "")
            .replaceAll("line \\d+:\\d+", ""));
    return output;
  }

  private Output watch(String... words) {
    List<String> all = new ArrayList<>(List.of("watch", words[0]));
    all.addAll(List.of("--policy", options.policy.toString(), "--analyst", "ann"));
    all.addAll(List.of(words).subList(1, words.length));
    return scanned(all.toArray(String[]::new));
  }

  private static JsonNode first(Output output) throws Exception {
    assertEquals("", output.err());
    return new ObjectMapper().readTree(output.out()).path("watches").path(0);
  }

  @Test
  void aWatchIsArmedLooksAndIsRemoved() throws Exception {
    Output added =
        watch("add", "many", "--above", "100000", "--every", "month", "--epsilon", "0.5", COUNT);
    assertEquals(0, added.code(), added.err());
    assertTrue(added.out().startsWith("many: armed, above 100000 every month, 1 hit, epsilon 0.5"));
    JsonNode looked = first(watch("run", "--format", "json"));
    assertEquals("miss", looked.path("turns").path(0).path("verdict").asText());
    assertEquals(looked, first(watch("run", "many", "--format", "json")), "once in each period");
    assertEquals(looked, first(watch("list", "--format", "json")));
    assertEquals(2, watch("add", "many", "--above", "1", "--every", "day", COUNT).code());
    assertTrue(watch("remove", "many").out().startsWith("many: closed"));
    assertEquals(2, watch("remove", "many").code());
    assertEquals("no watches\n", watch("run").out());
    assertEquals(List.of(), leaks.leaks());
  }

  @Test
  void aHitShowsAboutHowFarAndEndsIt() throws Exception {
    watch("add", "few", "--above", "-500", "--every", "hour", "--epsilon", "0.001", COUNT);
    // Noise of some thousands: whether it is a hit is chance, and either is told in full.
    JsonNode looked = first(watch("run", "--format", "json"));
    boolean hit = looked.path("turns").path(0).path("verdict").asText().equals("hit");
    assertEquals(hit, looked.path("turns").path(0).has("gap"));
    assertEquals(hit ? "closed" : "armed", looked.path("state").asText());
    assertTrue(watch("list").out().contains(hit ? "hit, about " : "miss"));
    assertEquals(List.of(), leaks.leaks());
  }

  @Test
  void manyNumbersAreComparedAtOnePrice() throws Exception {
    Path file = folder.resolve("counts.sql");
    Files.writeString(file, (COUNT + ";\n").repeat(2) + "SELECT SUM(fare) FROM trips;\n");
    String policy = options.policy.toString();
    Output table =
        scanned(
            "ask",
            "--policy",
            policy,
            "--workload",
            file.toString(),
            "--above",
            "1e9",
            "--hits",
            "2",
            "--epsilon",
            "0.01");
    assertEquals(0, table.code(), table.err());
    assertTrue(table.out().startsWith("1: not above\n2: not above\n3: not above\n"), table.out());
    JsonNode json =
        new ObjectMapper()
            .readTree(
                scanned(
                        "ask",
                        "--policy",
                        policy,
                        "--workload",
                        file.toString(),
                        "--above",
                        "-1e9",
                        "--epsilon",
                        "0.01",
                        "--format",
                        "json")
                    .out());
    assertTrue(json.path("answers").path(0).path("above").asBoolean());
    assertTrue(json.path("answers").path(0).has("gap"));
    assertTrue(json.path("answers").path(1).path("above").isNull());
    assertEquals("0.01", json.path("spent").path("epsilon").asText());
    assertEquals(2, scanned("ask", "--policy", policy, "--above", "3", COUNT).code());
    assertEquals(List.of(), leaks.leaks());
  }

  @Test
  void whatIsWrongIsSaidWithItsExitCode() {
    assertEquals(
        3,
        watch("add", "a", "--above", "1", "--every", "day", "SELECT AVG(fare) FROM trips").code());
    Output joined =
        watch(
            "add",
            "a",
            "--above",
            "1",
            "--every",
            "day",
            "SELECT COUNT(*) FROM trips a JOIN trips b ON a.driver_id = b.driver_id");
    assertEquals(3, joined.code());
    assertTrue(joined.err().contains("SENSITIVITY_NOT_PUBLIC"), joined.err());
    assertEquals(2, watch("add", "a b", "--above", "1", "--every", "day", COUNT).code());
    assertEquals(2, watch("add", "a", "--above", "1", "--every", "minute", COUNT).code());
    assertEquals(
        2, watch("add", "a", "--above", "1", "--every", "day", "--hits", "0", COUNT).code());
    watch("add", "a", "--above", "1", "--every", "day", "--epsilon", "9999", COUNT);
    watch("add", "b", "--above", "1", "--every", "day", "--epsilon", "9999", COUNT);
    Output poor = watch("add", "c", "--above", "1", "--every", "day", "--epsilon", "9", COUNT);
    assertEquals(4, poor.code(), poor.err());
    assertEquals(2, run("watch").code());
    assertEquals(List.of(), leaks.leaks());
  }

  @Test
  void allOfItWorksThroughTheDoor() throws Exception {
    Path users = ServiceOptions.usersBeside(options.policy);
    new Users(List.of(UserCommand.made("ann", User.Right.ANALYST, "the secret", List.of())))
        .write(users);
    Path token =
        Files.writeString(
            folder.resolve("token"),
            run("token", "create", "ann", "notebook", "--users", users.toString())
                .out()
                .strip()
                .lines()
                .toList()
                .getLast());
    Path file = Files.writeString(folder.resolve("counts.sql"), COUNT + ";\n");
    ServiceOptions served =
        new ServiceOptions(
            List.of(options.policy),
            users,
            Optional.empty(),
            "127.0.0.1",
            0,
            Optional.empty(),
            Duration.ofMinutes(10),
            new ServiceOptions.Web(Optional.of(0), false, Map.of()));
    try (Service service = Service.start(served, ignored -> {})) {
      String[] door = {
        "--server", service.page().orElseThrow().toString(), "--token-file", token.toString()
      };
      Output added =
          through(
              door,
              "watch",
              "add",
              "many",
              "--above",
              "100000",
              "--every",
              "week",
              "--epsilon",
              "0.5",
              COUNT);
      assertEquals(0, added.code(), added.err());
      Output looked = through(door, "watch", "run");
      assertTrue(looked.out().contains("miss"), looked.out() + looked.err());
      assertEquals(looked.out(), through(door, "watch", "list").out());
      assertTrue(through(door, "watch", "remove", "many").out().startsWith("many: closed"));
      Output above =
          through(
              door, "ask", "--workload", file.toString(), "--above", "1e9", "--epsilon", "0.01");
      assertTrue(above.out().startsWith("1: not above\n"), above.out() + above.err());
      assertEquals(
          3,
          through(door, "watch", "add", "x", "--above", "1", "--every", "day", "SELECT 1").code());
    }
    String audit = Files.readString(folder.resolve("flexdp-audit.log"));
    assertTrue(audit.contains("watch-run"), audit);
    assertFalse(audit.contains("\"gap\""), audit);
    assertEquals(List.of(), leaks.leaks());
  }

  private Output through(String[] door, String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of(door));
    return scanned(all.toArray(String[]::new));
  }
}
