package flexdp.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
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
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One answer through every door: the same numbers, the same price, the same said beside them. */
class SameAnswersTest {
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

  /**
   * What a door said.
   *
   * @param table as people read it, if it has one; its numbers are rounded by their error bars
   * @param rows as programs read them, if it has them
   * @param cost in words
   * @param notes a line each
   */
  private record Said(
      Optional<String> table, Optional<List<List<String>>> rows, String cost, List<String> notes) {}

  /** Lines of notes, as they stand in a text. */
  private static List<String> notes(String text) {
    return text.lines()
        .filter(line -> line.startsWith("note: ") || line.startsWith("no error bar: "))
        .toList();
  }

  private static String cost(String text) {
    return text.lines().filter(line -> line.startsWith("spent ")).findFirst().orElse("");
  }

  private static Said table(Output output) {
    assertEquals(0, output.code(), output.err());
    return new Said(
        Optional.of(output.out()), Optional.empty(), cost(output.err()), notes(output.err()));
  }

  private static Said shell(String text) {
    return new Said(
        Optional.of(text.substring(0, text.indexOf("spent "))),
        Optional.empty(),
        cost(text),
        notes(text));
  }

  /** Without the columns of error bars. */
  private static Said csv(Output output) {
    assertEquals(0, output.code(), output.err());
    List<List<String>> lines =
        output.out().lines().map(line -> List.of(line.split(",", -1))).toList();
    List<String> names = lines.getFirst();
    List<List<String>> rows =
        lines.stream()
            .skip(1)
            .map(
                line ->
                    IntStream.range(0, names.size())
                        .filter(
                            i -> !names.get(i).endsWith("_low") && !names.get(i).endsWith("_high"))
                        .mapToObj(line::get)
                        .toList())
            .toList();
    return new Said(Optional.empty(), Optional.of(rows), cost(output.err()), notes(output.err()));
  }

  private static Said json(Output output) {
    assertEquals(0, output.code(), output.err());
    JsonNode answer = RemoteServer.read(output.out());
    List<List<String>> rows = new ArrayList<>();
    for (JsonNode row : answer.path("rows")) {
      List<String> cells = new ArrayList<>();
      row.forEach(cell -> cells.add(cell.isNull() ? "" : cell.asText()));
      rows.add(cells);
    }
    return new Said(
        Optional.empty(),
        Optional.of(rows),
        RemoteText.cost(answer),
        RemoteText.notes(answer.path("notes")));
  }

  private static Said wire(String sql) throws SQLException {
    List<List<String>> read = new ArrayList<>();
    List<String> lines = new ArrayList<>();
    try (Connection connection =
            DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:"
                    + service.port()
                    + "/rides?user=ann&password=password");
        Statement statement = connection.createStatement();
        ResultSet rows = asked(statement, sql)) {
      while (rows.next()) {
        List<String> row = new ArrayList<>();
        for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
          row.add(Optional.ofNullable(rows.getString(i)).orElse(""));
        }
        read.add(row);
      }
      for (SQLWarning w = statement.getWarnings(); w != null; w = w.getNextWarning()) {
        lines.add(w.getMessage());
      }
    }
    return new Said(
        Optional.empty(),
        Optional.of(read),
        lines.getFirst(), // what it cost is said before
        lines.subList(1, lines.size()));
  }

  private static ResultSet asked(Statement statement, String sql) throws SQLException {
    statement.execute("SET flexdp.epsilon = '0.0001'");
    return statement.executeQuery(sql);
  }

  private static Map<String, Said> everywhere(String sql) throws Exception {
    Map<String, Said> said = new LinkedHashMap<>();
    String[] words = {"--epsilon", "0.0001", "--intervals", sql};
    String[] csv = {"--format", "csv", "--epsilon", "0.0001", "--intervals", sql};
    String[] json = {"--format", "json", "--epsilon", "0.0001", "--intervals", sql};
    said.put("table", table(local(words)));
    said.put("csv", csv(local(csv)));
    said.put("json", json(local(json)));
    said.put("table of a server", table(remote(words)));
    said.put("csv of a server", csv(remote(csv)));
    said.put("json of a server", json(remote(json)));
    ShellSettings settings = new ShellSettings();
    settings.set(ShellSettings.EPSILON, Optional.of("0.0001"));
    RemoteServer server =
        RemoteServer.at(service.page().orElseThrow(), Optional.empty())
            .with(Files.readString(token).strip());
    try (ShellSource shell = ShellHttp.open(server, Optional.empty())) {
      said.put("shell of a server", shell(shell.ask(sql, settings)));
    }
    try (FlexDp flexdp = FlexDp.open(policy)) {
      said.put("shell", shell(new ShellLocal(flexdp, "ann").ask(sql, settings)));
    }
    said.put("wire", wire(sql));
    return said;
  }

  /** Whatever noise was drawn, it was drawn once: all doors give the same answer again. */
  private static void agree(String sql, List<String> words) throws Exception {
    Map<String, Said> said = everywhere(sql);
    List<String> first = said.get("table").notes();
    for (String some : words) {
      assertTrue(first.stream().anyMatch(line -> line.startsWith(some)), first.toString());
    }
    Optional<String> table = said.get("table").table();
    Optional<List<List<String>>> rows = said.get("json").rows();
    said.forEach(
        (door, one) -> {
          assertEquals(first, one.notes(), door);
          assertEquals(said.get("table").cost(), one.cost(), door);
          assertEquals(one.table().isPresent() ? table : Optional.empty(), one.table(), door);
          assertEquals(one.rows().isPresent() ? rows : Optional.empty(), one.rows(), door);
        });
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
