package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Account;
import flexdp.budget.Allowances;
import flexdp.failure.ConfigurationError;
import flexdp.failure.DatabaseError;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.collect.CollectedMetrics;
import flexdp.gateway.collect.Collector;
import flexdp.gateway.collect.Collector.MeasuredParts;
import flexdp.gateway.collect.PartFile;
import flexdp.gateway.collect.Progress;
import flexdp.gateway.collect.RequiredFrequencies;
import flexdp.gateway.database.Databases;
import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.engine.QueryEngine;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.ledger.Ledger;
import flexdp.gateway.ledger.LedgerOpening;
import flexdp.gateway.livedata.LiveMetrics;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that is killed outright, with all its processes, and comes back. */
class ServerDeathTest {
  private static final String SLOW =
      "SELECT COUNT(*) FROM a JOIN many m ON a.k = m.k CROSS JOIN many b CROSS JOIN many c";
  private static final Policy POLICY =
      PolicyReader.read(
          YamlText.tree(
              """
              privacy: {epsilon: 1, budget: {epsilon: 100}}
              tables:
                a: {columns: {k: {type: integer, references: many.k}}}
                z: {columns: {k: {type: varchar, references: texts.k}}}
                many: {public: true, columns: {k: {type: integer}}}
                texts: {public: true, columns: {k: {type: varchar}}}
              """,
              ConfigurationError.Code.BAD_POLICY));

  @TempDir Path folder;

  @Test
  void postgresql() throws Exception {
    try (MortalServer server = new MortalPostgres(folder.resolve("data"))) {
      server.execute(
          "CREATE TABLE a AS SELECT n % 10 AS k FROM generate_series(1, 100) n",
          "CREATE TABLE z AS SELECT md5(n::text) AS k FROM generate_series(1, 1000) n",
          "CREATE TABLE texts(k varchar)",
          "CREATE TABLE many AS SELECT n AS k FROM generate_series(1, 2000) n",
          "CHECKPOINT");
      inTheMiddleOfCollectAndOfAQuestion(server);
    }
  }

  @Tag("slow")
  @Test
  void mariadb() throws Exception {
    try (MortalServer server = new MortalMariaDb()) {
      server.execute(
          "CREATE TABLE a AS SELECT seq % 10 AS k FROM seq_1_to_100",
          "CREATE TABLE z AS SELECT CAST(md5(seq) AS CHAR(32)) AS k FROM seq_1_to_1000",
          "CREATE TABLE texts(k varchar(32))",
          "CREATE TABLE many AS SELECT seq AS k FROM seq_1_to_2000");
      inTheMiddleOfCollectAndOfAQuestion(server);
    }
  }

  private void inTheMiddleOfCollectAndOfAQuestion(MortalServer server) throws Exception {
    Path metrics = folder.resolve("x.metrics.json");
    interrupted(server, metrics);
    server.restart();
    List<String> notes = new CopyOnWriteArrayList<>();
    CollectedMetrics resumed = collect(server, metrics, noting(notes));
    assertTrue(notes.contains("a was measured before the interruption"), notes.toString());
    assertFalse(notes.stream().anyMatch(n -> n.startsWith("z ")), notes.toString());
    assertEquals(Set.of("a", "many", "texts", "z"), resumed.metrics().tables().keySet());
    asked(server, resumed);
  }

  /** The first table is measured and kept; the server dies while the second is read. */
  private static void interrupted(MortalServer server, Path metrics) throws Exception {
    CompletableFuture<List<ProcessHandle>> frozen = new CompletableFuture<>();
    CompletableFuture<CollectedMetrics> work =
        CompletableFuture.supplyAsync(() -> collect(server, metrics, freezing(server, frozen)));
    Await.until(() -> frozen.isDone() || work.isDone(), "the second table is read");
    MortalServer.kill(frozen.getNow(List.of()));
    DatabaseError error = failure(work);
    assertTrue(
        error.message().startsWith("The database failed while it was being measured"),
        error.message());
    assertTrue(error.hint().toLowerCase(Locale.ROOT).contains("try again"), error.hint());
  }

  private void asked(MortalServer server, CollectedMetrics collected) throws Exception {
    List<String> log = new CopyOnWriteArrayList<>();
    ErrorLog owner = (what, cause) -> log.add(what + ": " + cause);
    Duration timeout = Await.LIMIT;
    try (JdbcDatabase database = JdbcDatabase.open(server.url(), POLICY, timeout, owner);
        Ledger ledger =
            LedgerOpening.file(folder.resolve("x.ledger"), Allowances.of(POLICY), false)) {
      QueryEngine engine =
          new QueryEngine(
              POLICY,
              LiveMetrics.vouched(POLICY, collected.metrics()),
              "test",
              database,
              ledger,
              owner,
              Clock.systemUTC());
      CompletableFuture<AnalystView> answer =
          CompletableFuture.supplyAsync(() -> engine.ask(ask(SLOW)));
      server.awaitRunning("%CROSS JOIN%", answer);
      server.kill();
      DatabaseError error = failure(answer);
      assertEquals("The database could not answer the question.", error.message());
      assertFalse((error.message() + error.hint()).contains("localhost"), error.hint());
      assertEquals("1", spent(ledger), "the charge is kept");
      assertFalse(log.isEmpty(), "the owner can read why");
      server.restart();
      engine.ask(ask("SELECT COUNT(*) FROM a"));
      assertEquals("2", spent(ledger));
    }
  }

  private static QueryRequest ask(String sql) {
    return new QueryRequest(sql, QueryOptions.DEFAULT, "ann", Set.of(), true);
  }

  private static String spent(Ledger ledger) {
    return ledger.standing(new Account.Table("a")).spent().epsilon().toPlainString();
  }

  private static DatabaseError failure(CompletableFuture<?> work) {
    CompletionException thrown = assertThrows(CompletionException.class, work::join);
    return assertInstanceOf(DatabaseError.class, thrown.getCause());
  }

  private static CollectedMetrics collect(MortalServer server, Path metrics, Progress progress) {
    MeasuredParts parts = new PartFile(metrics, POLICY);
    RequiredFrequencies wanted = RequiredFrequencies.of(POLICY);
    try (Connection connection = Databases.readOnly(server.url())) {
      return new Collector(POLICY, wanted, progress, parts, Clock.systemUTC()).collect(connection);
    } catch (java.sql.SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** Stops the server when the second table is about to be read. */
  private static Progress freezing(
      MortalServer server, CompletableFuture<List<ProcessHandle>> frozen) {
    return new Progress() {
      @Override
      public void begin(long rows) {}

      @Override
      public void reading(String table, long rows) {
        if (table.equals("z")) {
          frozen.complete(server.freeze());
        }
      }

      @Override
      public void read(String table, long rows) {}
    };
  }

  private static Progress noting(List<String> notes) {
    return new Progress() {
      @Override
      public void begin(long rows) {}

      @Override
      public void read(String table, long rows) {}

      @Override
      public void note(String text) {
        notes.add(text);
      }
    };
  }
}
