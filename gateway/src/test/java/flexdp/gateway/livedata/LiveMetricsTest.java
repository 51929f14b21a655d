package flexdp.gateway.livedata;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.catalog.PhysicalCatalog;
import flexdp.gateway.collect.Collector;
import flexdp.gateway.collect.MetricsFile;
import flexdp.gateway.collect.MetricsFile.ReleasedTable;
import flexdp.gateway.collect.Progress;
import flexdp.gateway.collect.RequiredFrequencies;
import flexdp.gateway.database.Connectors;
import flexdp.gateway.database.Databases;
import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.trino.TrinoConnector;
import flexdp.metrics.Metrics;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Metrics of a DuckDB file that is written to after it was measured. */
class LiveMetricsTest {
  private static final String JOIN = "SELECT COUNT(*) FROM t JOIN u ON t.a = u.a";

  @TempDir Path folder;
  private String url;
  private Path file;

  @BeforeEach
  void create() throws SQLException {
    url = "jdbc:duckdb:" + folder.resolve("live.duckdb");
    file = folder.resolve("live.metrics.json");
    write(
        "CREATE TABLE t(id BIGINT PRIMARY KEY, a INTEGER, b INTEGER)",
        "CREATE TABLE u(id BIGINT PRIMARY KEY, a INTEGER)",
        "INSERT INTO t SELECT i, i % 10, i % 7 FROM range(30) r(i)",
        "INSERT INTO u SELECT i, i FROM range(10) r(i)");
  }

  @Test
  void anUnchangedFileKeepsItsMetrics() throws Exception {
    collect(policy(""));
    Asker.Asked asked = ask(policy(""), JOIN);
    assertEquals(BigInteger.valueOf(3), asked.bound());
    assertEquals(List.of(), asked.statements());
    assertTrue(asked.released());
  }

  @Test
  void aFileWrittenToIsMeasuredAgainWhereTheQuestionNeedsIt() throws Exception {
    collect(policy(""));
    write("INSERT INTO t SELECT 100 + i, 5, 5 FROM range(8) r(i)");
    Asker.Asked asked = ask(policy(""), JOIN);
    assertEquals(BigInteger.valueOf(11), asked.bound());
    assertEquals(2, asked.statements().size(), asked.statements().toString());
    asked.statements().forEach(sql -> assertFalse(sql.contains("\"b\""), sql));
    assertFalse(asked.released(), "released metrics hold for the data they were released from");
  }

  @Test
  void whatIsInTheLogBesideTheFileCountsToo() throws Exception {
    collect(policy(""));
    write("PRAGMA disable_checkpoint_on_shutdown", "INSERT INTO t VALUES (100, 5, 5)");
    assertEquals(BigInteger.valueOf(4), ask(policy(""), JOIN).bound());
  }

  /**
   * Two histories of one file that were written equally often have equal headers and sizes: a
   * backup was put back, and something else was written.
   */
  @Test
  void anotherHistoryOfTheSameFileIsNoticed() throws Exception {
    Path data = folder.resolve("live.duckdb");
    Path backup = folder.resolve("backup.duckdb");
    Files.copy(data, backup);
    write("UPDATE t SET a = 1 WHERE id < 4");
    byte[] one = headers(data);
    collect(policy(""));
    Files.copy(backup, data, StandardCopyOption.REPLACE_EXISTING);
    write("UPDATE t SET a = 1 WHERE id < 9");
    assertArrayEquals(one, headers(data), "the headers alone do not tell");
    assertEquals(BigInteger.valueOf(11), ask(policy(""), JOIN).bound());
  }

  private static byte[] headers(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return in.readNBytes(3 * 4096);
    }
  }

  @Test
  void aFileThatIsMerelyTouchedIsMeasuredAgain() throws Exception {
    collect(policy(""));
    Path data = folder.resolve("live.duckdb");
    FileTime before = Files.getLastModifiedTime(data);
    Files.setLastModifiedTime(data, FileTime.from(before.toInstant().plusNanos(1000)));
    Asker.Asked asked = ask(policy(""), JOIN);
    assertEquals(BigInteger.valueOf(3), asked.bound());
    assertEquals(2, asked.statements().size());
  }

  @Test
  void aQuestionWhoseBoundNeedsNoMetricReadsNothing() throws Exception {
    collect(policy(""));
    write("INSERT INTO t SELECT 100 + i, 5, 5 FROM range(8) r(i)");
    Asker.Asked asked = ask(policy(""), "SELECT COUNT(*) FROM t WHERE a > 3");
    assertEquals(BigInteger.ONE, asked.bound());
    assertEquals(List.of(), asked.statements());
  }

  @Test
  void whatTheOwnerVouchesForIsBelieved() throws Exception {
    collect(policy("static: true"));
    write("INSERT INTO t SELECT 100 + i, 5, 5 FROM range(8) r(i)");
    Asker.Asked asked = ask(policy("static: true"), JOIN);
    assertEquals(BigInteger.valueOf(3), asked.bound());
    assertTrue(asked.released());
    Asker.Asked few = ask(policy("insertsAtMost: 20"), JOIN);
    assertEquals(BigInteger.valueOf(23), few.bound());
    assertTrue(few.released());
    assertEquals(List.of(), few.statements());
  }

  @Test
  void whereMeasuringAndAskingReadNoOneStateTheOwnerHasToVouch() throws Exception {
    collect(policy(""));
    ConfigurationError refused =
        assertThrows(ConfigurationError.class, () -> plan(policy(""), JOIN));
    assertTrue(refused.hint().contains("static: true"), refused.hint());
    assertEquals(BigInteger.ONE, plan(policy(""), "SELECT COUNT(*) FROM t"));
    assertEquals(BigInteger.valueOf(3), plan(policy("static: true"), JOIN));
  }

  /** The bound of a question on a database of a kind without states. */
  private BigInteger plan(Policy policy, String sql) throws SQLException {
    TrinoConnector vendor = new TrinoConnector();
    try (Connection connection = Databases.readOnly(url)) {
      PhysicalCatalog catalog =
          PhysicalCatalog.of(policy, vendor, Connectors.of(connection).tables(connection));
      MetricsFile.Content content = MetricsFile.read(file, policy);
      return Asker.plan(
              policy, LiveMetrics.of(policy, content, vendor, catalog, Optional.empty()), sql)
          .in(null)
          .measurements()
          .getFirst()
          .bound()
          .atZero();
    }
  }

  private Asker.Asked ask(Policy policy, String sql) {
    MetricsFile.Content content = MetricsFile.read(file, policy);
    try (JdbcDatabase database =
        JdbcDatabase.open(url, policy, Duration.ofMinutes(10), ErrorLog.NONE)) {
      return new Asker(policy, content, database).ask(sql, "SELECT 0");
    }
  }

  private void collect(Policy policy) throws Exception {
    try (Connection connection = Databases.readOnly(url)) {
      var collected =
          new Collector(policy, RequiredFrequencies.of(policy), Progress.NONE, Clock.systemUTC())
              .collect(connection);
      var release =
          new Metrics.Release(
              collected.metrics().table("t"), BigDecimal.ONE, new BigDecimal("1e-9"));
      MetricsFile.write(
          file,
          policy,
          collected,
          Map.of("t", new ReleasedTable(release, collected.snapshot(), Instant.now())));
    }
  }

  private static Policy policy(String change) {
    return PolicyReader.read(
        YamlText.tree(
            """
            privacy: {epsilon: 1, delta: 1e-9, budget: {epsilon: 100, delta: 1e-6}}
            tables:
              t:
                %s
                columns:
                  id: {type: bigint, unique: true}
                  a: {type: integer, references: u.a}
                  b: {type: integer, references: u.a}
              u:
                %s
                columns:
                  id: {type: bigint, unique: true}
                  a: {type: integer}
            """
                .formatted(change, change),
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
