package flexdp.gateway.livedata;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.ConfigurationError.Code;
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
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Triggers that note changes, on a real MariaDB with others writing. */
class MariaDbTriggersTest {
  private static final String JOIN = "SELECT COUNT(*) FROM t JOIN u ON t.a = u.a";
  private static final String TRUTH =
      "SELECT MAX(n) FROM (SELECT COUNT(*) AS n FROM live.t WHERE a IS NOT NULL GROUP BY a) x";
  private static final Policy POLICY =
      PolicyReader.read(
          YamlText.tree(
              """
              privacy: {epsilon: 1, delta: 1e-9, budget: {epsilon: 100, delta: 1e-6}}
              tables:
                t:
                  columns:
                    id: {type: bigint, unique: true}
                    a: {type: integer, references: u.a}
                    b: {type: varchar, references: u.b}
                u:
                  static: true
                  columns: {a: {type: integer, unique: true}, b: {type: varchar}}
              """,
              Code.BAD_POLICY));

  @TempDir Path folder;

  @BeforeEach
  void create() throws SQLException {
    MariaDbServer.create("live");
    write("DROP DATABASE IF EXISTS flexdp");
    write(
        "CREATE TABLE t(id bigint AUTO_INCREMENT PRIMARY KEY, a integer, b varchar(20))",
        "CREATE TABLE u(a integer PRIMARY KEY, b varchar(20))",
        "INSERT INTO t(a, b) SELECT seq % 20, 'x' FROM seq_1_to_60",
        "INSERT INTO u SELECT seq, 'x' FROM seq_0_to_30");
  }

  @Test
  void everyBoundHoldsWhileOthersWrite() throws Exception {
    assertEquals(Map.of("u", "the policy vouches for it"), install());
    write("INSERT INTO t(a) VALUES (5)"); // noted before it is measured
    ExecutorService writers = Executors.newFixedThreadPool(3);
    List<Future<?>> work = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      int seed = i;
      work.add(writers.submit(() -> changes(seed, 60)));
    }
    Asker asker = measured();
    int asked = 0;
    while (asked < 10 || work.stream().anyMatch(w -> !w.isDone())) {
      Asker.Asked one = asker.ask(JOIN, TRUTH);
      assertTrue(one.usedNotes(), one.statements().toString());
      assertTrue(
          one.bound().compareTo(BigInteger.valueOf(one.truth())) >= 0,
          one.bound() + " is below " + one.truth());
      asked++;
    }
    for (Future<?> one : work) {
      one.get();
    }
    writers.close();
    assertTrue(asker.ask(JOIN, TRUTH).truth() > 6, "the data changed a lot");
  }

  private static Void changes(int seed, int transactions) throws SQLException {
    SplittableRandom random = new SplittableRandom(seed);
    try (Connection connection = MariaDbServer.writer("live");
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      for (int i = 0; i < transactions; i++) {
        int a = random.nextInt(4);
        try {
          switch (random.nextInt(5)) {
            case 0 -> statement.execute("INSERT INTO t(a, b) VALUES (%d, 'y')".formatted(a));
            case 1 -> statement.execute("INSERT INTO t(a) SELECT %d FROM seq_1_to_5".formatted(a));
            case 2 ->
                statement.execute(
                    "INSERT INTO t(id, a) VALUES (%d, 1) ON DUPLICATE KEY UPDATE a = %d"
                        .formatted(1 + random.nextInt(60), a));
            case 3 -> statement.execute("DELETE FROM t WHERE id = " + random.nextInt(100));
            default -> {
              statement.execute("SAVEPOINT s");
              statement.execute("INSERT INTO t(a) VALUES (1), (2), (NULL)");
              statement.execute(random.nextBoolean() ? "ROLLBACK TO s" : "RELEASE SAVEPOINT s");
            }
          }
          if (random.nextInt(5) == 0) {
            connection.rollback();
          } else {
            connection.commit();
          }
        } catch (SQLException e) {
          connection.rollback(); // a deadlock of our own making
        }
      }
    }
    return null;
  }

  @Test
  void aMissingOrRenewedTriggerIsNoticed() throws Exception {
    install();
    Asker asker = measured();
    assertTrue(asker.ask(JOIN, TRUTH).usedNotes());
    String trigger = trigger();
    write("DROP TRIGGER " + trigger, "INSERT INTO t(a) SELECT 3 FROM seq_1_to_50");
    Asker.Asked asked = asker.ask(JOIN, TRUTH);
    assertFalse(asked.usedNotes(), asked.statements().toString());
    assertEquals(BigInteger.valueOf(53), asked.bound());
    install();
    assertFalse(asker.ask(JOIN, TRUTH).usedNotes(), "other triggers than were measured with");
    assertTrue(measured().ask(JOIN, TRUTH).usedNotes());
  }

  @Test
  void notesThatSomebodyTakesAwayAreNoticed() throws Exception {
    install();
    String log = log();
    Asker asker = measured();
    write("INSERT INTO t(a) SELECT 3 FROM seq_1_to_50");
    for (String by : List.of("DELETE FROM " + log, "UPDATE " + log + " SET a = 5")) {
      SQLException refused = assertThrows(SQLException.class, () -> write(by));
      assertTrue(refused.getMessage().contains("only ever added"), refused.getMessage());
    }
    assertEquals(BigInteger.valueOf(53), asker.ask(JOIN, TRUTH).bound());
    write("DROP TRIGGER " + log.replace("log_", "flexdp_kept_delete_"), "DELETE FROM " + log);
    Asker.Asked asked = asker.ask(JOIN, TRUTH);
    assertFalse(asked.usedNotes(), asked.statements().toString());
    assertEquals(BigInteger.valueOf(53), asked.bound());
  }

  /** Ways to lose notes unseen, with rows written meanwhile. */
  @Test
  void whatWasDoneToTheNotesAndUndoneIsNoticed() throws Exception {
    String rows = "INSERT INTO t(a) SELECT 3 FROM seq_1_to_50";
    String few = "INSERT INTO t(a) SELECT 4 FROM seq_1_to_3";
    String swap = "RENAME TABLE {log} TO flexdp.away, flexdp.other TO {log}";
    List<List<String>> attacks =
        List.of(
            List.of(rows, "TRUNCATE {log}"),
            List.of(rows, "TRUNCATE {log}", few),
            List.of(rows, "ALTER TABLE {log} TRUNCATE PARTITION notes", few),
            List.of(
                "CREATE TRIGGER flexdp.a BEFORE INSERT ON {log} FOR EACH ROW SET NEW.a = 77",
                rows,
                "DROP TRIGGER flexdp.a"),
            List.of(
                "CREATE TABLE flexdp.other LIKE {log}",
                "DO SLEEP(1.1)",
                swap,
                rows,
                "RENAME TABLE {log} TO flexdp.other, flexdp.away TO {log}",
                "DROP TABLE flexdp.other"),
            List.of(
                "CREATE TABLE flexdp.other LIKE {log}",
                "ALTER TABLE flexdp.other REMOVE PARTITIONING",
                rows,
                "ALTER TABLE {log} EXCHANGE PARTITION notes WITH TABLE flexdp.other"),
            List.of(
                "CREATE TABLE s LIKE t",
                "INSERT INTO s SELECT seq, 3, 'x' FROM seq_1_to_50",
                "ALTER TABLE s PARTITION BY HASH(id) PARTITIONS 1",
                "ALTER TABLE s EXCHANGE PARTITION p0 WITH TABLE t"));
    for (boolean before : new boolean[] {false, true}) {
      for (List<String> attack : attacks) {
        create();
        install();
        if (before) {
          write("INSERT INTO t(a) VALUES (7), (8)"); // some notes are there when it is measured
        }
        Asker asker = measured();
        assertTrue(asker.ask(JOIN, TRUTH).usedNotes());
        String log = log();
        write(attack.stream().map(sql -> sql.replace("{log}", log)).toArray(String[]::new));
        Asker.Asked asked = asker.ask(JOIN, TRUTH);
        assertFalse(asked.usedNotes(), attack + " " + asked.statements());
        assertEquals(BigInteger.valueOf(asked.truth()), asked.bound());
      }
    }
  }

  @Test
  void aTemporaryTableInTheNotesPlaceCatchesNothing() throws Exception {
    install();
    Asker asker = measured();
    String log = log();
    try (Connection connection = MariaDbServer.writer("live");
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TEMPORARY TABLE "
              + log
              + " (flexdp_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY, flexdp_sum"
              + " BINARY(16), a integer, b varchar(20))");
      for (String rows :
          List.of(
              "INSERT INTO t(a) SELECT 3 FROM seq_1_to_50",
              "INSERT IGNORE INTO t(a) SELECT 3 FROM seq_1_to_50",
              "REPLACE INTO t(a) SELECT 3 FROM seq_1_to_50",
              "UPDATE t SET a = 3")) {
        assertThrows(SQLException.class, () -> statement.execute(rows), rows);
      }
      assertThrows(
          SQLException.class,
          () ->
              statement.execute(
                  "CREATE TEMPORARY TABLE flexdp.p(i INT) PARTITION BY HASH(i) PARTITIONS 1"));
    }
    Asker.Asked asked = asker.ask(JOIN, TRUTH);
    assertTrue(asked.usedNotes());
    assertTrue(asked.bound().compareTo(BigInteger.valueOf(asked.truth())) >= 0);
    assertEquals(3, asked.truth(), "nothing was written unnoticed");
  }

  private static String log() throws SQLException {
    try (Connection connection = MariaDbServer.writer("live");
        Statement statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                "SELECT table_name FROM information_schema.tables WHERE table_schema = 'flexdp'"
                    + " AND table_name LIKE 'log%'")) {
      rows.next();
      return "flexdp." + rows.getString(1);
    }
  }

  @Test
  void tablesThatCascadesReachAreLeftAlone() throws Exception {
    write("ALTER TABLE t ADD FOREIGN KEY (a) REFERENCES u(a) ON UPDATE CASCADE");
    assertTrue(install().get("t").contains("cascade"));
    Asker.Asked asked = measured().ask(JOIN, TRUTH);
    assertFalse(asked.usedNotes());
    assertEquals(BigInteger.valueOf(3), asked.bound());
  }

  @Test
  void removedTriggersLeaveNothingBehind() throws Exception {
    install();
    try (Connection connection = MariaDbServer.writer("live")) {
      watched(connection).remove(POLICY, connection);
      try (Statement statement = connection.createStatement();
          var rows =
              statement.executeQuery(
                  "SELECT 1 FROM information_schema.schemata WHERE schema_name = 'flexdp'")) {
        assertFalse(rows.next());
      }
    }
    write("INSERT INTO t(a) VALUES (5)");
  }

  private static String trigger() throws SQLException {
    try (Connection connection = MariaDbServer.writer("live");
        Statement statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                "SELECT trigger_name FROM information_schema.triggers"
                    + " WHERE trigger_schema = 'live' AND event_manipulation = 'INSERT'")) {
      rows.next();
      return rows.getString(1);
    }
  }

  private static Map<String, String> install() throws SQLException {
    try (Connection connection = MariaDbServer.writer("live")) {
      return watched(connection).install(POLICY, RequiredFrequencies.of(POLICY), connection);
    }
  }

  private static TrackedTables watched(Connection connection) throws SQLException {
    Connector connector = Connectors.of(connection);
    PhysicalCatalog catalog = PhysicalCatalog.of(POLICY, connector, connector.tables(connection));
    return new TrackedTables(connector, catalog, connector.changeLog().orElseThrow());
  }

  private Asker measured() throws Exception {
    Path file = folder.resolve("t.metrics.json");
    try (Connection connection = MariaDbServer.writer("live")) {
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
        JdbcDatabase.over(
            MariaDbServer.writer("live"), POLICY, Duration.ofMinutes(10), ErrorLog.NONE));
  }

  private static void write(String... statements) throws SQLException {
    try (Connection connection = MariaDbServer.writer("live");
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }
}
