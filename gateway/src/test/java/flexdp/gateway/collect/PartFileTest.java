package flexdp.gateway.collect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.collect.Collector.MeasuredParts;
import flexdp.gateway.database.Databases;
import flexdp.gateway.files.YamlText;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A measurement that is interrupted and taken up again. */
class PartFileTest {
  @TempDir Path folder;
  private String url;
  private Path file;

  @BeforeEach
  void create() throws SQLException {
    url = "jdbc:duckdb:" + folder.resolve("parts.duckdb");
    file = folder.resolve("parts.metrics.json");
    write("CREATE TABLE t(a INTEGER, d DATE, s TIMESTAMP)", "CREATE TABLE u(a INTEGER)");
    write("CREATE TABLE w(a INTEGER)");
    write(
        "INSERT INTO t VALUES (1, '2024-02-29', '2024-01-01 10:00:00.5'), (1, '1999-01-01', NULL)");
  }

  @Test
  void whatWasMeasuredIsNotMeasuredAgain() throws Exception {
    Policy policy = policy("");
    CollectedMetrics whole = collect(policy, MeasuredParts.NONE, new ArrayList<>());
    interrupt(policy);
    List<String> notes = new ArrayList<>();
    CollectedMetrics resumed = collect(policy, new PartFile(file, policy), notes);
    assertEquals(List.of("t was measured before the interruption"), notes);
    assertEquals(whole.metrics(), resumed.metrics());
    assertEquals(whole.ranges(), resumed.ranges());
    assertTrue(Files.exists(folder.resolve("parts.metrics.json.part")));
    new PartFile(file, policy).delete();
    assertEquals(Map.of(), new PartFile(file, policy).before());
  }

  @Test
  void otherDataAreMeasuredAnew() throws Exception {
    Policy policy = policy("");
    interrupt(policy);
    write("INSERT INTO t VALUES (1, NULL, NULL)");
    List<String> notes = new ArrayList<>();
    collect(policy, new PartFile(file, policy), notes);
    assertEquals(List.of("t is measured anew: the file was written to"), notes);
  }

  @Test
  void theOwnersWordDoesNotReachBack() throws Exception {
    Policy policy = policy("static: true");
    interrupt(policy);
    List<String> notes = new ArrayList<>();
    collect(policy, new PartFile(file, policy), notes);
    assertTrue(notes.getFirst().startsWith("t is measured anew: the policy vouches"), notes + "");
  }

  /** Breaks off when the second table was measured, before that is kept. */
  private void interrupt(Policy policy) throws Exception {
    PartFile kept = new PartFile(file, policy);
    MeasuredParts breaking =
        new MeasuredParts() {
          @Override
          public Map<String, MeasuredTable> before() {
            return kept.before();
          }

          @Override
          public void keep(Map<String, MeasuredTable> parts) {
            if (parts.size() > 1) {
              throw new IllegalStateException("killed");
            }
            kept.keep(parts);
          }
        };
    assertThrows(IllegalStateException.class, () -> collect(policy, breaking, new ArrayList<>()));
  }

  private CollectedMetrics collect(Policy policy, MeasuredParts parts, List<String> notes)
      throws SQLException {
    Progress progress =
        new Progress() {
          @Override
          public void begin(long rows) {}

          @Override
          public void note(String text) {
            notes.add(text);
          }

          @Override
          public void read(String table, long rows) {}
        };
    try (Connection connection = Databases.readOnly(url)) {
      return new Collector(
              policy, RequiredFrequencies.of(policy), progress, parts, Clock.systemUTC())
          .collect(connection);
    }
  }

  private static Policy policy(String change) {
    return PolicyReader.read(
        YamlText.tree(
            """
            tables:
              t:
                %s
                columns:
                  a: {type: integer, references: u.a}
                  d: {type: date}
                  s: {type: timestamp}
              u: {columns: {a: {type: integer}}}
              w: {columns: {a: {type: integer, references: u.a}}}
            """
                .formatted(change),
            Code.BAD_POLICY));
  }

  private void write(String... statements) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }
}
