package flexdp.gateway.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.ConfigurationError;
import flexdp.failure.DatabaseError;
import flexdp.gateway.Await;
import flexdp.gateway.database.Session.DatabaseTimeout;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.pause.Breaker;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several questions at once, deadlines and closed doors, on the embedded databases. */
class JdbcDatabaseTest {
  private static final Policy POLICY =
      PolicyReader.read(
          YamlText.tree(
              "tables: {t: {columns: {a: {type: integer}}}}", ConfigurationError.Code.BAD_POLICY));

  @TempDir Path folder;
  private final List<String> log = new ArrayList<>();

  private String created(String kind) throws Exception {
    String url = "jdbc:" + kind + ":" + folder.resolve("t." + kind);
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE t(a INTEGER)");
      statement.execute("INSERT INTO t VALUES (1), (2), (3)");
    }
    return url;
  }

  private JdbcDatabase open(String url, Duration timeout) {
    return JdbcDatabase.open(url, POLICY, timeout, (what, cause) -> log.add(what + ": " + cause));
  }

  private static long count(JdbcDatabase database) {
    long[] count = new long[1];
    try (Session session = database.session()) {
      session.run("SELECT COUNT(*) FROM t", row -> count[0] = row.getLong(1));
    }
    return count[0];
  }

  @ParameterizedTest
  @ValueSource(strings = {"duckdb", "sqlite"})
  void sessionsAreIndependentAndReturnTheirConnections(String kind) throws Exception {
    try (JdbcDatabase database = open(created(kind), Await.LIMIT);
        ExecutorService threads = Executors.newFixedThreadPool(12)) {
      try (Session one = database.session();
          Session two = database.session()) {
        one.run("SELECT 1", row -> two.run("SELECT 2", other -> assertEquals(2, other.getInt(1))));
      }
      List<Future<Long>> all = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        all.add(threads.submit(() -> count(database)));
      }
      for (Future<Long> one : all) {
        assertEquals(3, one.get());
      }
    }
    assertEquals(List.of(), log);
  }

  @Test
  void theFirstConnectionLeavesOneToCopy() throws Exception {
    try (Connection first = DriverManager.getConnection(created("duckdb"));
        ConnectionPool pool =
            new ConnectionPool(
                first,
                Connectors.of(first),
                Optional.empty(),
                Await.LIMIT,
                new Breaker(Breaker.PATIENCE),
                (what, cause) -> log.add(what + ": " + cause))) {
      pool.giveBack(pool.take(), true);
      assertTrue(first.isClosed());
      for (int i = 0; i < 2; i++) {
        Connection copy = pool.take();
        try (Statement statement = copy.createStatement()) {
          assertTrue(statement.execute("SELECT a FROM t"));
        }
        pool.giveBack(copy, true);
      }
    }
    assertEquals(List.of(), log);
  }

  /** Nothing, if the machine had other things to do. */
  private static Optional<Long> countInTime(JdbcDatabase database) {
    try {
      return Optional.of(count(database));
    } catch (DatabaseError e) {
      return Optional.empty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"duckdb", "sqlite"})
  void aStatementThatTakesTooLongIsStopped(String kind) throws Exception {
    try (JdbcDatabase database = open(created(kind), Duration.ofSeconds(1))) {
      String endless =
          "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 1000000000000)"
              + " SELECT COUNT(*) FROM r";
      try (Session session = database.session()) {
        assertThrows(DatabaseTimeout.class, () -> session.run(endless, row -> {}));
      }
      assertEquals(3, Await.value(() -> countInTime(database), "a short statement is in time"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"duckdb", "sqlite"})
  void nothingIsWrittenAndNothingOutsideIsReached(String kind) throws Exception {
    String file = folder.resolve("other." + kind).toString();
    List<String> tries =
        kind.equals("duckdb")
            ? List.of(
                "INSERT INTO t VALUES (4) RETURNING a",
                "SELECT * FROM read_text('/etc/hostname')",
                "SET enable_external_access = true",
                "ATTACH '" + file + "'")
            : List.of("INSERT INTO t VALUES (4) RETURNING a", "SELECT load_extension('x')");
    try (JdbcDatabase database = open(created(kind), Await.LIMIT);
        Session first = database.session();
        Session second = database.session()) {
      if (kind.equals("duckdb")) {
        second.run(
            "SELECT current_setting('TimeZone')", row -> assertEquals("UTC", row.getString(1)));
      }
      for (String sql : tries) {
        for (Session session : List.of(first, second)) {
          DatabaseError error =
              assertThrows(DatabaseError.class, () -> session.run(sql, row -> {}), sql);
          assertEquals("The database could not answer the question.", error.message());
          assertTrue(log.getLast().contains(sql.substring(0, 6)), log.getLast());
        }
      }
    }
  }

  @Test
  void copiesOfAConnectionInMemorySeeTheSameData() throws Exception {
    Connection connection = DriverManager.getConnection("jdbc:duckdb:");
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE t(a INTEGER)");
    }
    try (JdbcDatabase database = JdbcDatabase.over(connection, POLICY, Await.LIMIT, ErrorLog.NONE);
        Session held = database.session()) {
      held.run("SELECT 1", row -> {});
      assertEquals(0, count(database));
    }
    assertTrue(connection.isClosed());
  }
}
