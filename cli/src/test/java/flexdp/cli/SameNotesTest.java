package flexdp.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import flexdp.gateway.FlexDp;
import flexdp.gateway.demo.RideSharing;
import flexdp.server.Service;
import flexdp.server.ServiceOptions;
import flexdp.server.login.User;
import flexdp.server.login.Users;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One answer through every door: each says the same beside its numbers. */
class SameNotesTest {
  private static final String BARS =
      "SELECT status, COUNT(*) AS n, MEDIAN(fare) AS m FROM trips GROUP BY status";
  private static final String BINS = "SELECT status, COUNT(*) FROM trips GROUP BY status";
  private static final String SUM =
      "SELECT COUNT(*) FROM trips WHERE status IN ('completed', 'requested')";

  @TempDir static Path folder;
  private static Path policy;
  private static Path token;
  private static Service service;

  private record Output(int code, String out, String err) {}

  @BeforeAll
  static void start() throws Exception {
    Path file = folder.resolve("rides.duckdb");
    new RideSharing(500, 3).create(file);
    policy = folder.resolve("rides.yaml");
    // Sums of released bins are given where the data stay as they are.
    Files.writeString(
        policy,
        RideSharing.policy("jdbc:duckdb:" + file)
            .replaceFirst("(?m)^  trips:\\R", "  trips:\n    static: true\n"));
    assertEquals(0, run("collect", "--policy", policy.toString()).code());
    Path users = ServiceOptions.usersBeside(policy);
    new Users(List.of(UserCommand.made("ann", User.Right.ANALYST, "password", List.of())))
        .write(users);
    Output made = run("token", "create", "ann", "notebook", "--users", users.toString());
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
    assertEquals(0, local("--epsilon", "0.0001", BARS).code());
    assertEquals(0, local("--epsilon", "0.001", BINS).code());
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

  private static Output local(String... words) {
    List<String> all = new ArrayList<>(List.of("ask", "--policy", policy.toString()));
    all.addAll(List.of("--analyst", "ann"));
    all.addAll(List.of(words));
    return run(all.toArray(String[]::new));
  }

  private static Output remote(String... words) {
    List<String> all = new ArrayList<>(List.of("ask"));
    all.addAll(List.of("--server", service.page().orElseThrow().toString()));
    all.addAll(List.of("--token-file", token.toString()));
    all.addAll(List.of(words));
    return run(all.toArray(String[]::new));
  }

  /** Lines of notes, as they stand in a text. */
  private static List<String> lines(String text) {
    return text.lines()
        .filter(line -> line.startsWith("note: ") || line.startsWith("no error bar: "))
        .toList();
  }

  private static List<String> json(String text) throws Exception {
    List<String> lines = new ArrayList<>();
    for (JsonNode note : new ObjectMapper().readTree(text).path("notes")) {
      String heading = note.path("code").asText().equals("no-error-bar") ? "no error bar" : "note";
      lines.add(heading + ": " + note.path("text").asText());
    }
    return lines;
  }

  private static List<String> wire(String sql) throws SQLException {
    List<String> lines = new ArrayList<>();
    try (Connection connection =
            DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:"
                    + service.port()
                    + "/rides?user=ann&password=password");
        Statement statement = connection.createStatement();
        ResultSet rows = asked(statement, sql)) {
      assertTrue(rows.next());
      for (SQLWarning w = statement.getWarnings(); w != null; w = w.getNextWarning()) {
        lines.add(w.getMessage());
      }
    }
    return lines.subList(1, lines.size()); // what it cost is said before
  }

  private static ResultSet asked(Statement statement, String sql) throws SQLException {
    statement.execute("SET flexdp.epsilon = '0.0001'");
    return statement.executeQuery(sql);
  }

  private static Map<String, List<String>> everywhere(String sql) throws Exception {
    Map<String, List<String>> said = new LinkedHashMap<>();
    String[] words = {"--epsilon", "0.0001", "--intervals", sql};
    String[] csv = {"--format", "csv", "--epsilon", "0.0001", "--intervals", sql};
    String[] json = {"--format", "json", "--epsilon", "0.0001", "--intervals", sql};
    said.put("table", lines(local(words).err()));
    said.put("csv", lines(local(csv).err()));
    said.put("json", json(local(json).out()));
    said.put("table of a server", lines(remote(words).err()));
    said.put("csv of a server", lines(remote(csv).err()));
    said.put("json of a server", json(remote(json).out()));
    ShellSettings settings = new ShellSettings();
    settings.set(ShellSettings.EPSILON, Optional.of("0.0001"));
    try (ShellSource shell =
        ShellHttp.open(
            service.page().orElseThrow(), Files.readString(token).strip(), Optional.empty())) {
      said.put("shell of a server", lines(shell.ask(sql, settings)));
    }
    try (FlexDp flexdp = FlexDp.open(policy)) {
      said.put("shell", lines(new ShellLocal(flexdp, "ann").ask(sql, settings)));
    }
    said.put("wire", wire(sql));
    return said;
  }

  /** Whatever noise was drawn, it was drawn once: all doors give the same answer again. */
  private static void agree(String sql, List<String> words) throws Exception {
    Map<String, List<String>> said = everywhere(sql);
    List<String> first = said.get("table");
    for (String some : words) {
      assertTrue(first.stream().anyMatch(line -> line.startsWith(some)), first.toString());
    }
    said.forEach((door, lines) -> assertEquals(first, lines, door));
  }

  @Test
  void everyDoorSaysThatNoiseIsLargeThatThereIsNoBarAndWhatIsLeftOut() throws Exception {
    agree(
        BARS,
        List.of(
            "note: in ",
            "no error bar: 'm'",
            "note: left out are rows whose status is not in its declared domain"));
  }

  @Test
  void everyDoorSaysHowNumbersCameAbout() throws Exception {
    agree(SUM, List.of("note: sums of up to 2 released bins, with the noise of each"));
  }
}
