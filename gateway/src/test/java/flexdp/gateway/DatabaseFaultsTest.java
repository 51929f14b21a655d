package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Account;
import flexdp.budget.Allowances;
import flexdp.failure.ConfigurationError;
import flexdp.failure.DatabaseError;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.collect.Collector;
import flexdp.gateway.collect.Progress;
import flexdp.gateway.collect.RequiredFrequencies;
import flexdp.gateway.database.Databases;
import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.database.Session;
import flexdp.gateway.engine.QueryEngine;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.ledger.Ledger;
import flexdp.gateway.ledger.LedgerOpening;
import flexdp.gateway.livedata.LiveMetrics;
import flexdp.gateway.pause.Breaker;
import flexdp.metrics.Metrics;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What goes wrong on a real PostgreSQL: said clearly, opaque to the analyst, charges kept. */
class DatabaseFaultsTest {
  private static final String SLOW =
      "SELECT COUNT(*) FROM people p CROSS JOIN many a CROSS JOIN many b CROSS JOIN many c";
  private static final String POLICY =
      """
      flexdp: 1
      privacy: {epsilon: 1, budget: {epsilon: 100}}
      tables:
        people:
          static: true
          columns: {id: {type: bigint, nullable: false, unique: true}, name: {type: varchar}}
        many:
          public: true
          static: true
          columns: {n: {type: integer}}
      """;

  private static EmbeddedPostgres server;
  private static Connection owner;
  @TempDir Path folder;
  private final List<String> log = new ArrayList<>();

  @BeforeAll
  static void start() throws Exception {
    server = FreshPostgres.own().start();
    owner = server.getPostgresDatabase().getConnection();
    execute(
        "CREATE TABLE people(id BIGINT PRIMARY KEY, name TEXT)",
        "INSERT INTO people VALUES (1, 'Ann'), (2, NULL), (3, 'bob')",
        "CREATE TABLE many AS SELECT n FROM generate_series(1, 2000) n");
  }

  @AfterAll
  static void stop() throws Exception {
    owner.close();
    server.close();
  }

  private static void execute(String... statements) throws SQLException {
    try (Statement statement = owner.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private static Policy policy(String text) {
    return PolicyReader.read(YamlText.tree(text, ConfigurationError.Code.BAD_POLICY));
  }

  private static String url() {
    return server.getJdbcUrl("postgres", "postgres");
  }

  /** Asks through everything there is, and tells what was spent on a table. */
  private final class Asking implements AutoCloseable {
    final JdbcDatabase database;
    final Ledger ledger;
    final QueryEngine gateway;

    Asking(String text, Duration timeout) throws SQLException {
      Policy policy = policy(text);
      ErrorLog owner = (what, cause) -> log.add(what + ": " + cause);
      database = JdbcDatabase.open(url(), policy, timeout, owner);
      Metrics metrics;
      try (Connection connection = Databases.readOnly(url())) {
        metrics =
            new Collector(policy, RequiredFrequencies.of(policy), Progress.NONE, Clock.systemUTC())
                .collect(connection)
                .metrics();
      }
      ledger = LedgerOpening.file(folder.resolve("a.ledger"), Allowances.of(policy), false);
      gateway =
          new QueryEngine(
              policy,
              LiveMetrics.vouched(policy, metrics),
              "test",
              database,
              ledger,
              owner,
              Clock.systemUTC());
    }

    AnalystView ask(String sql) {
      return gateway.ask(new QueryRequest(sql, QueryOptions.DEFAULT, "ann", Set.of()));
    }

    String spent(String table) {
      return ledger.standing(new Account.Table(table)).spent().epsilon().toPlainString();
    }

    @Override
    public void close() {
      ledger.close();
      database.close();
    }
  }

  @Test
  void aServerThatGoesAwayInTheMiddleKeepsTheCharge() throws Exception {
    try (Asking asking = new Asking(POLICY, Await.LIMIT)) {
      CompletableFuture<AnalystView> answer = CompletableFuture.supplyAsync(() -> asking.ask(SLOW));
      Await.until(
          () -> {
            assertFalse(answer.isDone());
            return terminated() > 0;
          },
          "the question's connection was ended");
      Throwable cause = assertThrows(Exception.class, answer::join).getCause();
      DatabaseError error = (DatabaseError) cause;
      assertEquals("The database could not answer the question.", error.message());
      assertEquals("1", asking.spent("people"));
      assertTrue(log.stream().anyMatch(l -> l.contains("terminating connection")), log.toString());
      asking.ask("SELECT COUNT(*) FROM people"); // on a new connection
      assertEquals("2", asking.spent("people"));
    }
  }

  private static int terminated() throws SQLException {
    try (Statement statement = owner.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT COUNT(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE state ="
                    + " 'active' AND query LIKE '%CROSS JOIN%' AND pid <> pg_backend_pid()")) {
      row.next();
      return row.getInt(1);
    }
  }

  /** A user of one test's own, and what the pool says of connections. */
  private JdbcDatabase openAs(String role, Duration patience, List<String> said)
      throws SQLException {
    execute("CREATE ROLE " + role + " LOGIN", "GRANT SELECT ON people, many TO " + role);
    return JdbcDatabase.open(
        server.getJdbcUrl(role, "postgres"),
        policy(POLICY),
        Await.LIMIT,
        patience,
        (what, cause) -> said.add(what));
  }

  private static long people(Session session) {
    long[] count = new long[1];
    session.run("SELECT COUNT(*) FROM public.people", row -> count[0] = row.getLong(1));
    return count[0];
  }

  @Test
  void aFullServerIsWaitedForAsLongAsOneThatIsAwayAndToldOnce() throws Exception {
    List<String> said = new CopyOnWriteArrayList<>();
    try (JdbcDatabase database = openAs("few", Duration.ofSeconds(3), said)) {
      execute(
          "ALTER ROLE few CONNECTION LIMIT 0",
          "SELECT pg_terminate_backend(pid, 600000) FROM pg_stat_activity WHERE usename = 'few'");
      DatabaseError away = assertThrows(DatabaseError.class, database::session);
      assertEquals(DatabaseError.away().message(), away.message());
      assertEquals(1, said.stream().filter("connect"::equals).count(), said::toString);
      execute("ALTER ROLE few CONNECTION LIMIT -1");
      try (Session session = database.session()) {
        assertEquals(3, people(session));
      }
    }
  }

  /** However many connections of the pool broke with it, and however lately they were used. */
  @Test
  void aServerThatWentWhileNobodyAskedIsAway() throws Exception {
    List<String> said = new CopyOnWriteArrayList<>();
    try (JdbcDatabase database = openAs("cut", Duration.ofSeconds(1), said)) {
      try (Session one = database.session();
          Session two = database.session();
          Session three = database.session()) {
        assertEquals(9, people(one) + people(two) + people(three));
      }
      execute(
          "ALTER ROLE cut NOLOGIN",
          "SELECT pg_terminate_backend(pid, 600000) FROM pg_stat_activity WHERE usename = 'cut'");
      DatabaseError away = assertThrows(DatabaseError.class, database::session);
      assertTrue(away.isAway(), away.message());
      execute("ALTER ROLE cut LOGIN");
      Await.until(database::isReachable, "found again");
      try (Session session = database.session()) {
        assertEquals(3, people(session));
      }
    }
  }

  @Test
  void whoIsLetInNoMoreGoesOnWithTheConnectionsThereAre() throws Exception {
    List<String> said = new CopyOnWriteArrayList<>();
    try (JdbcDatabase database = openAs("inside", Breaker.PATIENCE, said)) {
      CompletableFuture<Long> other;
      try (Session held = database.session()) {
        execute("ALTER ROLE inside NOLOGIN");
        other =
            CompletableFuture.supplyAsync(
                () -> {
                  try (Session session = database.session()) {
                    return people(session);
                  }
                });
        Await.until(() -> said.contains("connect"), "refused");
        assertTrue(database.isReachable());
        assertEquals(3, people(held));
      }
      assertEquals(3, other.get());
    }
  }

  @Test
  void aSlowStatementIsCancelledAndStaysCharged() throws Exception {
    try (Asking asking = new Asking(POLICY, Duration.ofSeconds(2))) {
      DatabaseError error = assertThrows(DatabaseError.class, () -> asking.ask(SLOW));
      assertEquals(DatabaseError.TOO_LATE, error.message());
      assertEquals("1", asking.spent("people"));
    }
    Await.until(() -> running() == 0, "the server has stopped it");
  }

  private static int running() throws SQLException {
    try (Statement statement = owner.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT COUNT(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE"
                    + " '%CROSS JOIN%' AND pid <> pg_backend_pid()")) {
      row.next();
      return row.getInt(1);
    }
  }

  @Test
  void aTableDroppedAfterwardsIsAnOpaqueFailureAndThenAClearOne() throws Exception {
    execute("CREATE TABLE gone(id BIGINT PRIMARY KEY)");
    String text = POLICY + "  gone: {static: true, columns: {id: {type: bigint}}}\n";
    try (Asking asking = new Asking(text, Await.LIMIT)) {
      execute("DROP TABLE gone");
      DatabaseError error =
          assertThrows(DatabaseError.class, () -> asking.ask("SELECT COUNT(*) FROM gone"));
      assertEquals("The database could not answer the question.", error.message());
      assertFalse(error.message().contains("gone"));
      assertEquals("0", asking.spent("gone"), "noticed before anything is charged");
      asking.ask("SELECT COUNT(*) FROM people");
    }
    ConfigurationError error =
        assertThrows(ConfigurationError.class, () -> new Asking(text, Await.LIMIT));
    assertTrue(error.message().contains("has no table 'gone'"), error.message());
  }

  @Test
  void whatIsNoTableIsRefused() throws Exception {
    execute(
        "CREATE VIEW everybody AS SELECT * FROM people",
        "CREATE TABLE parent(id BIGINT)",
        "CREATE TABLE child() INHERITS (parent)");
    for (String name : List.of("everybody", "parent")) {
      String text = "tables: {" + name + ": {columns: {id: {type: bigint}}}}";
      ConfigurationError error =
          assertThrows(ConfigurationError.class, () -> new Asking(text, Await.LIMIT));
      assertTrue(error.message().contains("not a table"), error.message());
    }
  }

  @Test
  void namesOfAnyKindAndTypesWeDoNotKnow() throws Exception {
    execute(
        "CREATE SCHEMA \"My Schema\"",
        "CREATE TABLE \"My Schema\".\"Odd \"\"Näme\"(\"sp ace\" INT, \"UPPER\" INT, \"ünï\" TEXT,"
            + " \"quo\"\"te\" JSON, addr INET, span INT4RANGE, many INT[])",
        "INSERT INTO \"My Schema\".\"Odd \"\"Näme\" VALUES (1, 2, 'x', '{}', '::1', '[1,2)',"
            + " '{1}'), (3, NULL, NULL, NULL, NULL, NULL, NULL)");
    String text =
        """
        privacy: {epsilon: 20000, budget: {epsilon: 100000000}}
        tables:
          'My Schema.Odd "Näme':
            static: true
            columns:
              sp ace: {type: integer, range: [0, 10]}
              UPPER: {type: integer}
              ünï: {type: varchar, domain: [x]}
              'quo"te': {type: opaque}
              addr: {type: opaque}
              span: {type: opaque}
              many: {type: opaque}
        """;
    try (Asking asking = new Asking(text, Await.LIMIT)) {
      AnalystView view =
          asking.ask(
              "SELECT COUNT(\"UPPER\"), SUM(\"sp ace\"), COUNT(\"quo\"\"te\"), COUNT(addr),"
                  + " COUNT(DISTINCT span), COUNT(many) FROM \"My Schema\".\"Odd \"\"Näme\" WHERE"
                  + " \"ünï\" = 'x' OR \"ünï\" IS NULL");
      assertEquals("[1, 4, 1, 1, 1, 1]", view.rows().getFirst().toString(), log.toString());
    }
  }

  @Test
  void aThousandColumns() throws Exception {
    execute(
        IntStream.rangeClosed(1, 1000)
            .mapToObj(i -> "c" + i + " INT")
            .collect(Collectors.joining(", ", "CREATE TABLE wide(", ")")),
        "INSERT INTO wide(c1, c1000) VALUES (1, 2), (3, 4)");
    String text =
        IntStream.rangeClosed(1, 1000)
            .mapToObj(i -> "c" + i + ": {type: integer, range: [0, 10]}")
            .collect(
                Collectors.joining(
                    ", ",
                    "privacy: {epsilon: 20000, budget: {epsilon: 100000000}}\n"
                        + "tables: {wide: {static: true, columns: {",
                    "}}}"));
    try (Asking asking = new Asking(text, Await.LIMIT)) {
      AnalystView view = asking.ask("SELECT SUM(c1000), COUNT(c500) FROM wide WHERE c1 > 0");
      assertEquals("[6, 0]", view.rows().getFirst().toString(), log.toString());
    }
  }

  @Test
  void theSearchPathCannotPutAnotherOperatorInPlace() throws Exception {
    execute(
        "CREATE SCHEMA trap",
        "CREATE FUNCTION trap.never(text, text) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT"
            + " FALSE'",
        "CREATE OPERATOR trap.= (FUNCTION = trap.never, LEFTARG = text, RIGHTARG = text)",
        "CREATE FUNCTION trap.lower(text) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT NULL'",
        "CREATE TABLE trap.people(id BIGINT, name TEXT)",
        "ALTER ROLE postgres SET search_path = public, trap, pg_catalog");
    String text = POLICY.replace("epsilon: 1,", "epsilon: 10000,").replace("100}", "100000000}");
    try (Asking asking = new Asking(text, Await.LIMIT)) {
      AnalystView view =
          asking.ask("SELECT COUNT(*) FROM people WHERE name = 'Ann' OR LOWER(name) = 'bob'");
      assertEquals("[2]", view.rows().getFirst().toString(), log.toString());
    } finally {
      execute("ALTER ROLE postgres RESET search_path");
    }
  }

  @Test
  void wrongAddressesPasswordsAndDriversAreSaidClearly() throws Exception {
    execute("CREATE ROLE someone LOGIN PASSWORD 'right'");
    Path hba = Path.of(shown("hba_file"));
    Files.writeString(hba, "host all someone all scram-sha-256\n" + Files.readString(hba));
    execute("SELECT pg_reload_conf()");
    String someone = "jdbc:postgresql://localhost:" + server.getPort() + "/postgres?user=someone";
    Await.until(() -> !opens(someone + "&password=wrong"), "the server has read its rules again");
    assertTrue(refused(someone + "&password=wrong").startsWith("The server refuses the user"));
    try (Connection connection = Databases.readOnly(someone + "&password=right")) {
      assertTrue(connection.isReadOnly());
    }
    assertEquals("Nothing listens at localhost:1.", refused("jdbc:postgresql://localhost:1/x"));
    assertEquals("There is no driver for jdbc:nothing: databases.", refused("jdbc:nothing:x"));
  }

  private static String shown(String setting) throws SQLException {
    try (Statement statement = owner.createStatement();
        ResultSet row = statement.executeQuery("SHOW " + setting)) {
      row.next();
      return row.getString(1);
    }
  }

  private static boolean opens(String url) throws SQLException {
    try (Connection connection = Databases.readOnly(url)) {
      return connection.isValid(0);
    } catch (DatabaseError e) {
      return false;
    }
  }

  private static String refused(String url) {
    return assertThrows(DatabaseError.class, () -> Databases.readOnly(url)).message();
  }
}
