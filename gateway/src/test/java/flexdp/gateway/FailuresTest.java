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
import flexdp.gateway.engine.QueryEngine;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.ledger.Audit;
import flexdp.gateway.ledger.Ledger;
import flexdp.gateway.ledger.LedgerOpening;
import flexdp.gateway.ledger.TooManyFailures;
import flexdp.gateway.ledger.entry.ChargeOutcome;
import flexdp.gateway.livedata.LiveMetrics;
import flexdp.metrics.Metrics;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A question that fails in a real database fails for everybody, and only so often. */
class FailuresTest {
  private static final String POLICY =
      """
      flexdp: 1
      privacy: {epsilon: 1, budget: {epsilon: 100}}
      failures: {atMost: 2, window: 1h}
      tables:
        people:
          static: true
          columns:
            id: {type: bigint, nullable: false, unique: true}
            name: {type: varchar}
            home: {type: varchar}
        many:
          public: true
          static: true
          columns: {n: {type: integer}}
      """;
  private static final String SLOW =
      "SELECT COUNT(*) FROM people p CROSS JOIN many a CROSS JOIN many b CROSS JOIN many c";

  private static FreshPostgres server;
  private static Connection owner;
  @TempDir Path folder;
  private final List<String> log = Collections.synchronizedList(new ArrayList<>());

  @BeforeAll
  static void start() throws Exception {
    server = FreshPostgres.create();
    owner = server.connect();
  }

  @AfterAll
  static void stop() throws Exception {
    owner.close();
    server.close();
  }

  @BeforeEach
  void tables() throws SQLException {
    execute(
        "DROP TABLE IF EXISTS people, many",
        "CREATE TABLE people(id BIGINT PRIMARY KEY, name TEXT, home TEXT)",
        "INSERT INTO people VALUES (1, 'Ann', 'x'), (2, NULL, 'y')",
        "CREATE TABLE many AS SELECT n FROM generate_series(1, 2000) n");
  }

  private static void execute(String... statements) throws SQLException {
    try (Statement statement = owner.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private final class Asking implements AutoCloseable {
    final JdbcDatabase database;
    final Ledger ledger;
    final QueryEngine gateway;

    Asking(Duration timeout) throws SQLException {
      Policy policy = PolicyReader.read(YamlText.tree(POLICY, ConfigurationError.Code.BAD_POLICY));
      ErrorLog told = (what, cause) -> log.add(what + ": " + cause);
      String url = server.url();
      database = JdbcDatabase.open(url, policy, timeout, told);
      Metrics metrics;
      try (Connection connection = Databases.readOnly(url)) {
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
              told,
              Clock.systemUTC());
    }

    AnalystView ask(String analyst, String sql) {
      return gateway.ask(new QueryRequest(sql, QueryOptions.DEFAULT, analyst, Set.of(), false));
    }

    DatabaseError fails(String analyst, String sql) {
      return assertThrows(DatabaseError.class, () -> ask(analyst, sql));
    }

    BigDecimal spent() {
      return ledger.standing(new Account.Table("people")).spent().epsilon();
    }

    @Override
    public void close() {
      ledger.close();
      database.close();
    }
  }

  @Test
  void otherWordsOtherPeopleTheSameFailure() throws Exception {
    try (Asking asking = new Asking(Await.LIMIT)) {
      execute("ALTER TABLE people ALTER COLUMN name TYPE INT USING 1");
      DatabaseError first =
          asking.fails("ann", "SELECT COUNT(*) FROM people WHERE name = 'Ann' AND home <> 'z'");
      assertEquals(BigDecimal.ONE, asking.spent());
      long told = log.size();
      for (String same :
          List.of(
              "SELECT COUNT(*) FROM people WHERE name = 'Ann' AND home <> 'z'",
              "SELECT COUNT(*) AS n FROM people p WHERE p.home <> 'z' AND 'Ann' = p.name",
              "SELECT 2 * COUNT(*) FROM people WHERE home <> 'z' AND name IN ('Ann')")) {
        for (String analyst : List.of("ann", "bob")) {
          DatabaseError again = asking.fails(analyst, same);
          assertEquals(first.message(), again.message());
          assertEquals(first.codeName(), again.codeName());
          assertTrue(again.hint().contains("clear-failures"), again::hint);
        }
      }
      assertEquals(told, log.size(), "nothing was run");
      assertEquals(BigDecimal.ONE, asking.spent(), "nothing was charged");
      execute("ALTER TABLE people ALTER COLUMN name TYPE TEXT");
      asking.fails("ann", "SELECT COUNT(*) FROM people WHERE name = 'Ann' AND home <> 'z'");
      asking.ledger.clearFailures(Optional.empty(), "owner", "the column is back");
      asking.ask("ann", "SELECT COUNT(*) FROM people WHERE name = 'Ann' AND home <> 'z'");
    }
  }

  @Test
  void afterSeveralFailuresTheAnalystIsStopped() throws Exception {
    try (Asking asking = new Asking(Await.LIMIT)) {
      asking.ask("ann", "SELECT COUNT(*) FROM people");
      execute("ALTER TABLE people ALTER COLUMN name TYPE INT USING 1");
      asking.fails("ann", "SELECT COUNT(*) FROM people WHERE name = 'a'");
      asking.fails("ann", "SELECT COUNT(*) FROM people WHERE name = 'b'");
      TooManyFailures stopped =
          assertThrows(
              TooManyFailures.class,
              () -> asking.ask("ann", "SELECT COUNT(*) FROM people WHERE home = 'y'"));
      assertTrue(stopped.message().contains("2 in 1 hours"), stopped::message);
      assertTrue(
          asking.ask("ann", "SELECT COUNT(*) FROM people").repeat(), "what is known is free");
      asking.ask("bob", "SELECT COUNT(*) FROM people WHERE home = 'x'");
      execute("ALTER TABLE people ALTER COLUMN name TYPE TEXT");
    }
    try (Asking asking = new Asking(Await.LIMIT)) {
      assertThrows(
          TooManyFailures.class,
          () -> asking.ask("ann", "SELECT COUNT(*) FROM people WHERE home = 'y'"));
      asking.ledger.clearFailures(Optional.of("ann"), "owner", "");
      asking.ask("ann", "SELECT COUNT(*) FROM people WHERE home = 'y'");
    }
  }

  @Test
  void aTimeoutIsAFailure() throws SQLException {
    try (Asking asking = new Asking(Duration.ofSeconds(2))) {
      DatabaseError late = asking.fails("ann", SLOW);
      int told = log.size();
      assertTrue(told > 0, "the owner is told of what ran");
      assertEquals(late.message(), asking.fails("bob", SLOW).message());
      assertEquals(told, log.size(), "it was not run");
      assertEquals(1, asking.ledger.failures().get("ann").recent());
      assertFalse(asking.ledger.failures().containsKey("bob"));
      assertEquals(1, Audit.of(asking.ledger).outcomes().get(ChargeOutcome.TIMED_OUT));
    }
  }

  @Test
  void aLostConnectionIsNone() throws Exception {
    try (Asking asking = new Asking(Await.LIMIT)) {
      CompletableFuture<AnalystView> answer =
          CompletableFuture.supplyAsync(() -> asking.ask("ann", SLOW));
      String slow =
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%many%'"
              + " AND state = 'active' AND pid <> pg_backend_pid()";
      Await.until(
          () -> {
            execute(slow);
            return answer.isDone();
          },
          "the question lost its connection");
      ExecutionException error = assertThrows(ExecutionException.class, answer::get);
      DatabaseError lost = (DatabaseError) error.getCause();
      assertTrue(lost.isLost(), lost::message);
      assertEquals(1, Audit.of(asking.ledger).outcomes().get(ChargeOutcome.LOST));
      assertTrue(asking.ledger.failures().isEmpty());
      assertEquals(BigDecimal.ONE, asking.spent());
    }
  }
}
