package flexdp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.ConfigurationError;
import flexdp.failure.DatabaseError;
import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.files.TextFiles;
import flexdp.gateway.pause.Pause;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** PostgreSQL stops, is silent and comes back, under its data and under the ledger. */
class DatabaseAwayTest {
  private static final String QUESTION = "SELECT count(*) FROM people WHERE id > ";

  @TempDir static Path base;
  @TempDir Path folder;
  private final List<String> said = new CopyOnWriteArrayList<>();
  private static MortalPostgres postgres;
  private static int asked;

  @BeforeAll
  static void begin() throws Exception {
    postgres = new MortalPostgres(base.resolve("data"));
  }

  @AfterAll
  static void end() throws Exception {
    postgres.close();
  }

  private Service serve(Duration patience, Optional<String> ledger) throws Exception {
    Path policy = postgres.policy(folder, "0.01", "1000");
    return Service.start(
        new ServiceOptions(
            List.of(policy),
            ServiceOptions.usersBeside(policy),
            ledger,
            "127.0.0.1",
            0,
            Optional.empty(),
            Duration.ofMinutes(5),
            new ServiceOptions.Web(Optional.of(0), false, Map.of()),
            patience),
        said::add);
  }

  private boolean isSaid(String beginning) {
    return said.stream().anyMatch(line -> line.startsWith(beginning));
  }

  private static Connection connect(Service service) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", "ann");
    properties.setProperty("password", Demo.PASSWORD);
    return DriverManager.getConnection(
        "jdbc:postgresql://127.0.0.1:" + service.port() + "/people", properties);
  }

  /** A question that nobody has asked yet. */
  private static void ask(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(QUESTION + asked++)) {
      assertTrue(rows.next());
    }
  }

  private static void assertAway(Connection connection) {
    SQLException away = assertThrows(SQLException.class, () -> ask(connection));
    assertEquals("57P03", away.getSQLState(), away.getMessage());
  }

  private static void untilAnswered(Connection connection) throws Exception {
    Await.until(
        () -> {
          try {
            ask(connection);
            return true;
          } catch (SQLException e) {
            return false;
          }
        },
        "answered again");
  }

  private static WebClient.Reply ready(Service service) throws Exception {
    return new WebClient(service.page().orElseThrow()).get("/readyz");
  }

  @Test
  void questionsEndAndConnectionsStayWhileTheDatabaseIsStopped() throws Exception {
    try (Service service = serve(Duration.ZERO, Optional.of(postgres.ledger()));
        Connection connection = connect(service)) {
      untilAnswered(connection); // without patience a slow machine is away, too
      Await.until(() -> ready(service).body().equals("ready\n"), "ready");
      postgres.stop();
      try {
        assertAway(connection);
        assertAway(connection);
        WebClient ann = new WebClient(service.page().orElseThrow()).signIn("ann");
        WebClient.Reply reply = ann.post("/v1/ask", "{\"sql\": \"" + QUESTION + "7\"}");
        assertEquals(503, reply.status(), reply.body());
        Await.until(
            () -> ready(service).body().contains("ledger of people: LEDGER_UNAVAILABLE"), "told");
        assertEquals(503, ready(service).status());
        assertTrue(ready(service).body().contains("database of people: away\n"));
        assertTrue(isSaid("the database of people is away; "), said::toString);
        assertTrue(isSaid("the ledger of people takes no charges: LEDGER_UNAVAILABLE: "));
        String metrics = new WebClient(service.page().orElseThrow()).get("/metrics").body();
        assertTrue(metrics.contains("flexdp_database_up{database=\"people\"} 0\n"), metrics);
      } finally {
        postgres.start();
      }
      untilAnswered(connection);
      Await.until(() -> ready(service).status() == 200, "ready again");
      assertTrue(isSaid("the database of people is back"), said::toString);
      assertTrue(isSaid("the ledger of people takes charges again"), said::toString);
    }
  }

  @Test
  void aLedgerThatIsAwayIsNotTakenForTheData() throws Exception {
    try (Service service = serve(Duration.ZERO, Optional.of(postgres.ledger()));
        Connection connection = connect(service)) {
      untilAnswered(connection);
      Await.until(() -> ready(service).body().equals("ready\n"), "ready");
      postgres.admit(false);
      try {
        Await.until(
            () -> {
              String body = ready(service).body();
              assertTrue(!body.contains("database of people"), body);
              return body.contains("ledger of people: LEDGER_UNAVAILABLE");
            },
            "told");
        assertAway(connection);
        assertTrue(!ready(service).body().contains("database of people"));
      } finally {
        postgres.admit(true);
      }
      untilAnswered(connection);
    }
  }

  @Test
  void questionsWaitForADatabaseThatRestarts() throws Exception {
    try (Service service = serve(Duration.ofMinutes(10), Optional.of(postgres.ledger()));
        Connection connection = connect(service)) {
      ask(connection);
      postgres.stop();
      CompletableFuture<Void> answered =
          CompletableFuture.runAsync(
              () -> {
                try {
                  ask(connection);
                } catch (SQLException e) {
                  throw new AssertionError(e);
                }
              });
      Path log = folder.resolve("people.log");
      Await.until(() -> Files.exists(log) && Files.readString(log).contains(" connect\n"), "away");
      postgres.start();
      answered.get();
    }
  }

  @Test
  void aServerThatTakesConnectionsAndSaysNothingIsAwayToo() throws Exception {
    try (Service service = serve(Duration.ZERO, Optional.empty());
        Connection connection = connect(service)) {
      untilAnswered(connection);
      postgres.freeze(true);
      try {
        Await.until(() -> ready(service).status() == 503, "not ready");
        assertAway(connection);
      } finally {
        postgres.freeze(false);
      }
      untilAnswered(connection);
    }
  }

  @Test
  void aSilentServerIsWaitedForNoLongerThanOneThatIsStopped() throws Exception {
    Duration patience = Duration.ofSeconds(10);
    Path file = postgres.policy(folder, "0.01", "1000");
    Policy policy = PolicyReader.read(TextFiles.tree(file, ConfigurationError.Code.BAD_POLICY));
    try (JdbcDatabase database =
        JdbcDatabase.open(
            postgres.data(), policy, Duration.ofMinutes(5), patience, ErrorLog.NONE)) {
      database.session().close();
      Pause.of(Duration.ofSeconds(1)); // what was used just now is believed to work
      postgres.freeze(true);
      try {
        long began = System.nanoTime();
        assertThrows(DatabaseError.class, database::session);
        // Twice as long where the wait begins after the look.
        Duration taken = Duration.ofNanos(System.nanoTime() - began);
        assertTrue(taken.compareTo(patience.plusSeconds(8)) < 0, taken.toString());
      } finally {
        postgres.freeze(false);
      }
      Await.until(database::isReachable, "back");
      database.session().close();
    }
  }
}
