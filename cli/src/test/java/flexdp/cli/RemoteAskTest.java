package flexdp.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** ask and explain through the door: the same words and exit codes as on the owner's machine. */
class RemoteAskTest {
  @TempDir static Path folder;
  private static Service service;
  private static Path token;

  private record Output(int code, String out, String err) {}

  @BeforeAll
  static void start() throws Exception {
    Path file = folder.resolve("rides.duckdb");
    new RideSharing(2_000, 3).create(file);
    Path policy = folder.resolve("rides.yaml");
    Files.writeString(
        policy,
        RideSharing.policy("jdbc:duckdb:" + file)
            .replace("budget: {epsilon: 10,", "budget: {epsilon: 1,"));
    PrintWriter quiet = new PrintWriter(new StringWriter());
    assertEquals(0, Main.run(quiet, quiet, "collect", "--policy", policy.toString()));
    Path users = ServiceOptions.usersBeside(policy);
    // A token and a password are secrets of one kind: this one does for both.
    new Users(List.of(UserCommand.made("ann", User.Right.ANALYST, "the secret", List.of())))
        .write(users);
    Output made = run("token", "create", "ann", "notebook", "--users", users.toString());
    assertEquals(0, made.code(), made.err());
    token =
        Files.writeString(folder.resolve("token"), made.out().strip().lines().toList().getLast());
    service =
        Service.start(
            new ServiceOptions(
                List.of(policy),
                users,
                Optional.empty(),
                "127.0.0.1",
                0,
                Optional.empty(),
                Duration.ofMinutes(10),
                new ServiceOptions.Web(Optional.of(0), false, Map.of())),
            ignored -> {});
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  private static Output run(String... words) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = Main.run(new PrintWriter(out), new PrintWriter(err), words);
    return new Output(code, out.toString(), err.toString());
  }

  private static Output remote(String command, String... words) {
    List<String> all = new ArrayList<>(List.of(command));
    all.addAll(List.of("--server", service.page().orElseThrow().toString()));
    all.addAll(List.of("--token-file", token.toString()));
    all.addAll(List.of(words));
    return run(all.toArray(String[]::new));
  }

  @Test
  void answersComeInEveryFormat() throws Exception {
    String question = "SELECT status, COUNT(*) FROM trips GROUP BY status";
    Output table = remote("ask", question);
    assertEquals(0, table.code(), table.err());
    assertTrue(table.out().contains("status") && table.out().contains(" ± "), table.out());
    assertTrue(
        table.err().startsWith("spent epsilon 0.1, delta 0; mechanism laplace"), table.err());
    JsonNode json = new ObjectMapper().readTree(remote("ask", "--format", "json", question).out());
    assertEquals("count", json.path("columns").get(1).path("name").asText());
    assertTrue(json.path("repeat").asBoolean(), "it was paid for before");
    assertTrue(remote("ask", "--format", "csv", question).out().startsWith("status,count\r\n"));
  }

  @Test
  void aQuestionInAFileIsSent() throws Exception {
    Path file = Files.writeString(folder.resolve("question.sql"), "SELECT COUNT(*) FROM drivers");
    Output asked = remote("ask", "--format", "csv", "-f", file.toString());
    assertEquals(0, asked.code(), asked.err());
    assertTrue(asked.out().startsWith("count\r\n"), asked.out());
    assertEquals(0, remote("explain", "-f", file.toString()).code());
  }

  @Test
  void refusalsHaveTheirWordsAndExitCodes() {
    Output rejected = remote("ask", "SELECT COUNT(*)\nFROM trips WHERE nosuch = 1");
    assertEquals(3, rejected.code());
    assertTrue(rejected.err().contains("UNKNOWN_COLUMN: line 2:18: "), rejected.err());
    assertTrue(rejected.err().contains("hint: "), rejected.err());
    assertEquals(3, remote("explain", "SELECT * FROM trips").code());
    Output exhausted = remote("ask", "--epsilon", "5", "SELECT COUNT(*) FROM trips");
    assertEquals(4, exhausted.code(), exhausted.err());
    Output stranger =
        run(
            "ask",
            "--server",
            service.page().orElseThrow().toString(),
            "--token-file",
            folder.resolve("rides.yaml").toString(),
            "SELECT 1");
    assertEquals(2, stranger.code(), stranger.err());
  }

  @Test
  void explainSaysWhatItSaysToAnalysts() {
    Output explained = remote("explain", "SELECT SUM(fare) FROM trips");
    assertEquals(0, explained.code(), explained.err());
    for (String part : List.of("accepted", "charged", "trips", "95 % error", "rules")) {
      assertTrue(explained.out().contains(part), part + " in " + explained.out());
    }
  }

  @Test
  void secretsAreNotSentInTheClearAndFilesStayTheOwners() {
    assertEquals(2, run("ask", "--server", "http://203.0.113.1:8433", "SELECT 1").code());
    assertEquals(2, run("ask", "SELECT 1").code());
    Output both = remote("ask", "--policy", "x.yaml", "SELECT 1");
    assertEquals(2, both.code());
    assertTrue(both.err().contains("owners"), both.err());
  }
}
