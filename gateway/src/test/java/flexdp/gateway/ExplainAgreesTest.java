package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Allowances;
import flexdp.gateway.api.ErrorTarget;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.collect.MetricsFile;
import flexdp.gateway.database.Connectors;
import flexdp.gateway.database.Databases;
import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.engine.QueryEngine;
import flexdp.gateway.ledger.Ledger;
import flexdp.gateway.ledger.LedgerOpening;
import flexdp.gateway.livedata.LiveMetrics;
import flexdp.metrics.Metrics;
import flexdp.plan.MechanismChoice;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import flexdp.query.Bins;
import java.math.BigDecimal;
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
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever {@code explain} accepts {@code ask} answers, and what it refuses is refused alike: over
 * the golden corpus, on tables that the owner vouches for, and, with whatever may be chosen beside
 * the text, on tables that may change.
 */
class ExplainAgreesTest {
  /** One in so many. */
  private static final int SOME = 7;

  /** What may be chosen beside the text, one after the other. */
  private static final List<UnaryOperator<QueryRequest>> WAYS =
      List.of(
          request -> request,
          request -> request.withIntervals(true),
          request -> by(request, MechanismChoice.LAPLACE),
          request -> by(request, MechanismChoice.LOMAX),
          request -> by(request, MechanismChoice.RELEASED),
          request -> by(request, MechanismChoice.FLEX),
          request -> by(request, MechanismChoice.GAUSSIAN),
          request -> request.orRepeat().at(new BigDecimal("1e-9")),
          request -> request.at(new BigDecimal("1e-5")),
          request -> request.withDelta(new BigDecimal("1e-12")),
          request -> request.within(ErrorTarget.parse("1e9")),
          request -> labelled(request, "status", "completed"),
          request -> proposing(request, "trips.driver_id=3"));

  private static QueryRequest with(QueryRequest request, QueryOptions options) {
    return new QueryRequest(request.sql(), options, request.analyst(), Set.of(), true);
  }

  private static QueryRequest by(QueryRequest request, MechanismChoice mechanism) {
    return with(
        request, new QueryOptions(mechanism, Optional.empty(), Optional.empty(), Optional.empty()));
  }

  private static QueryRequest labelled(QueryRequest request, String column, Object label) {
    Bins bins = new Bins(List.of(column), List.of(List.of(label)));
    return with(
        request,
        new QueryOptions(
            MechanismChoice.AUTO, Optional.empty(), Optional.empty(), Optional.of(bins)));
  }

  private static QueryRequest proposing(QueryRequest request, String guess) {
    return with(request, QueryOptions.DEFAULT.proposing(Optional.of(guess)));
  }

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
            statement.execute("DROP TABLE " + Connectors.of(connection).quote(table.name()));
          }
        }
      }
    }
    assertEquals("", String.join("\n", faults));
    assertTrue(answered > (every == 1 ? 600 : 40), "only " + answered + " were answered");
  }

  private int check(TestDatabase test, CorpusQueries queries, boolean still, List<String> faults)
      throws Exception {
    Policy policy = queries.policy(still);
    List<String> log = new ArrayList<>();
    ErrorLog owner = (what, cause) -> log.add(what + ": " + cause);
    Path file = Files.createTempFile(folder, "corpus", ".ledger");
    Files.delete(file);
    int answered = 0;
    Metrics metrics = metrics(test, queries, policy);
    try (JdbcDatabase database =
            JdbcDatabase.open(test.url(), policy, Duration.ofMinutes(10), owner);
        Ledger ledger = LedgerOpening.file(file, Allowances.of(policy), false)) {
      MetricsFile.Content content = new MetricsFile.Content(metrics, Map.of(), Map.of());
      LiveMetrics live =
          LiveMetrics.of(
              policy, content, database.vendor(), database.catalog(), database.version());
      Clock clock = Clock.fixed(Instant.parse("2024-07-01T12:00:00Z"), ZoneOffset.UTC);
      QueryEngine engine = new QueryEngine(policy, live, "test", database, ledger, owner, clock);
      for (int i = 0; i < queries.sql().size(); i++) {
        log.clear();
        String sql = queries.sql().get(i);
        int way = still ? 0 : i % WAYS.size();
        QueryRequest request = WAYS.get(way).apply(QueryRequest.of(sql, "ann"));
        String explained = AskedAlike.explained(engine, request);
        // That a guess is not confirmed, or no range found, is an answer, and a noisy one.
        String ended =
            AskedAlike.answered(engine, request)
                .replace("PROPOSAL_NOT_CONFIRMED", "answered")
                .replace("RANGE_NOT_FOUND", "answered");
        answered += ended.equals("answered") ? 1 : 0;
        if (!explained.equals(ended)) {
          faults.add(
              (still ? "static " : "live, way " + way + " ")
                  + explained
                  + " but "
                  + ended
                  + ": "
                  + sql
                  + " "
                  + log);
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
