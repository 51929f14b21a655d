package flexdp.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.gateway.demo.RideSharing;
import flexdp.server.Service;
import flexdp.server.ServiceOptions;
import flexdp.server.login.User;
import flexdp.server.login.Users;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What leaves the wire beside noisy cells holds nothing private either: notices, errors,
 * explanations, the catalogue, the door's own tables, the audit log, what the server says while it
 * runs and what it and its libraries log when everything is logged.
 */
class WireLeakScanTest {

  @TempDir Path folder;
  private LeakScan leaks;

  @Test
  void nothingPrivateLeavesTheWireBesideNoisyCells() throws Exception {
    Path file = folder.resolve("rides.duckdb");
    new RideSharing(3_347, 5).create(file);
    QuestionOptions options = new QuestionOptions();
    options.policy = folder.resolve("rides.yaml");
    Files.writeString(
        options.policy,
        RideSharing.policy("jdbc:duckdb:" + file).replace("{epsilon: 10,", "{epsilon: 100000,"));
    PrintWriter quiet = new PrintWriter(new StringWriter());
    assertEquals(0, Main.run(quiet, quiet, "collect", "--policy", options.policy.toString()));
    leaks = LeakScan.of(options);
    Path users = ServiceOptions.usersBeside(options.policy);
    new Users(List.of(UserCommand.made("ann", User.Right.ANALYST, "password", List.of())))
        .write(users);
    ServiceOptions served =
        new ServiceOptions(
            List.of(options.policy),
            users,
            Optional.empty(),
            "127.0.0.1",
            0,
            Optional.empty(),
            Duration.ofMinutes(10));
    int answered = 0;
    List<String> said = new CopyOnWriteArrayList<>();
    try (EverythingLogged logged =
            new EverythingLogged("org.postgresql", "java.lang.ProcessBuilder");
        Service service = Service.start(served, said::add);
        Connection connection =
            DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:"
                    + service.port()
                    + "/rides?user=ann&password=password");
        Statement statement = connection.createStatement()) {
      statement.execute("SET flexdp.epsilon = '1e-3'");
      statement.execute("SET flexdp.delta = '1e-9'");
      List<String> questions = ScanQuestions.all();
      for (int i = 0; i < questions.size(); i += 3) {
        answered += ask(statement, questions.get(i)) ? 1 : 0;
        ask(statement, "EXPLAIN (FORMAT json) " + questions.get(i));
      }
      for (String own :
          List.of(
              "SELECT account, composition FROM flexdp.budget",
              "SELECT tables, mechanism, outcome FROM flexdp.history",
              "SELECT * FROM flexdp.labels",
              "SELECT relname, reltuples, relpages FROM pg_catalog.pg_class WHERE oid > 16383",
              "SELECT n_live_tup FROM pg_catalog.pg_stat_user_tables",
              "SELECT pg_total_relation_size(oid) FROM pg_catalog.pg_class WHERE relname = 'trips'",
              "SELECT * FROM pg_catalog.pg_stats",
              "SELECT nosuch(1) FROM pg_catalog.pg_class",
              "SELECT 'x'::int FROM pg_catalog.pg_class")) {
        rows(statement, own);
      }
      Files.setLastModifiedTime(options.policy, FileTime.fromMillis(0)); // taken again, and said so
      service.reload();
      assertTrue(logged.isListening(), "nothing is logged at all");
      logged.lines().forEach(line -> leaks.scan("the log", line));
    }
    assertFalse(said.isEmpty());
    said.forEach(line -> leaks.scan("what the server says", line));
    // The text of a question is the analyst's own.
    String audit = Files.readString(folder.resolve("flexdp-audit.log"));
    leaks.scan("the audit log", audit.replaceAll("\"sql\":\"([^\"\\\\]|\\\\.)*\"", ""));
    assertEquals(List.of(), leaks.leaks());
    assertTrue(answered > 50, "answered only " + answered);
  }

  /** Whether it was answered; the cells themselves are noisy and are scanned elsewhere. */
  private boolean ask(Statement statement, String sql) throws SQLException {
    statement.clearWarnings();
    try (ResultSet rows = statement.executeQuery(sql)) {
      StringBuilder shown = new StringBuilder();
      while (sql.startsWith("EXPLAIN") && rows.next()) {
        shown.append(rows.getString(1)).append('\n');
      }
      for (SQLWarning w = statement.getWarnings(); w != null; w = w.getNextWarning()) {
        shown.append(w.getMessage());
      }
      leaks.scan(sql, shown.toString());
      return true;
    } catch (SQLException e) {
      leaks.scan(sql, e.getMessage().replaceAll("Position: \\d+", ""));
      return false;
    }
  }

  private void rows(Statement statement, String sql) {
    try (ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
          leaks.scan(sql, String.valueOf(rows.getString(i)));
        }
      }
    } catch (SQLException e) {
      leaks.scan(sql, e.getMessage());
    }
  }
}
