package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Allowances;
import flexdp.gateway.answer.Gateway;
import flexdp.gateway.ask.Ask;
import flexdp.gateway.collect.MetricsFile;
import flexdp.gateway.database.Databases;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.database.OwnerLog;
import flexdp.gateway.database.Vendors;
import flexdp.gateway.ledger.Ledger;
import flexdp.gateway.ledger.Opening;
import flexdp.gateway.live.LiveMetrics;
import flexdp.metrics.Metrics;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever {@code explain} accepts {@code ask} answers, and what it refuses is refused alike: over
 * the golden corpus, on tables that may change and on tables that the owner vouches for.
 */
class ExplainAgreesTest {
  /** One in so many. */
  private static final int SOME = 7;

  @TempDir Path folder;

  @TestFactory
  Stream<DynamicTest> whatIsExplainedIsAnswered() {
    return Stream.of(
        checked(new DuckDbSuiteTest.File(), 1),
        checked(new SqliteSuiteTest.File(), SOME),
        checked(new PostgreSqlSuiteTest.Server(), SOME));
  }

  @TestFactory
  @Tag("nightly")
  Stream<DynamicTest> allOfItElsewhereToo() {
    return Stream.of(
        checked(new SqliteSuiteTest.File(), 1), checked(new PostgreSqlSuiteTest.Server(), 1));
  }

  private DynamicTest checked(TestDatabase database, int every) {
    return DynamicTest.dynamicTest(database.word(), () -> check(database, every));
  }

  private void check(TestDatabase test, int every) throws Exception {
    List<String> faults = new ArrayList<>();
    int answered = 0;
    test.start();
    try (test) {
      Map<String, List<CorpusQueries>> byTables =
          CorpusQueries.all().stream().collect(Collectors.groupingBy(q -> q.metrics().toString()));
      for (List<CorpusQueries> same : byTables.values()) {
        try (Connection connection = test.writer()) {
          AskedAlike.create(connection, test, same.getFirst().policy(false));
        }
        for (CorpusQueries queries : same) {
          for (boolean still : new boolean[] {true, false}) {
            answered += check(test, queries.each(every), still, faults);
          }
        }
        try (Connection connection = test.writer();
            Statement statement = connection.createStatement()) {
          for (Table table : same.getFirst().policy(false).tables().values()) {
            statement.execute("DROP TABLE " + Vendors.of(connection).quote(table.name()));
          }
        }
      }
    }
    assertEquals("", String.join("\n", faults));
    assertTrue(answered > (every == 1 ? 900 : 60), "only " + answered + " were answered");
  }

  private int check(TestDatabase test, CorpusQueries queries, boolean still, List<String> faults)
      throws Exception {
    Policy policy = queries.policy(still);
    List<String> log = new ArrayList<>();
    OwnerLog owner = (what, cause) -> log.add(what + ": " + cause);
    Path file = Files.createTempFile(folder, "corpus", ".ledger");
    Files.delete(file);
    int answered = 0;
    Metrics metrics = metrics(test, queries, policy);
    try (JdbcDatabase database =
            JdbcDatabase.open(test.url(), policy, Duration.ofSeconds(60), owner);
        Ledger ledger = Opening.file(file, Allowances.of(policy), false)) {
      MetricsFile.Content content = new MetricsFile.Content(metrics, Map.of(), Map.of());
      LiveMetrics live =
          LiveMetrics.of(
              policy, content, database.vendor(), database.catalog(), database.version());
      Clock clock = Clock.fixed(Instant.parse("2024-07-01T12:00:00Z"), ZoneOffset.UTC);
      Gateway gateway = new Gateway(policy, live, "test", database, ledger, owner, clock);
      for (String sql : queries.sql()) {
        log.clear();
        Ask ask = Ask.of(sql, "ann");
        String explained = AskedAlike.explained(gateway, ask);
        String ended = AskedAlike.answered(gateway, ask);
        answered += ended.equals("answered") ? 1 : 0;
        if (!explained.equals(ended)) {
          faults.add(
              (still ? "static " : "live ") + explained + " but " + ended + ": " + sql + " " + log);
        }
      }
    }
    return answered;
  }

  private static Metrics metrics(TestDatabase test, CorpusQueries queries, Policy policy)
      throws SQLException {
    try (Connection connection = Databases.readOnly(test.url())) {
      return queries.metrics(policy, connection);
    }
  }
}
