package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.budget.Allowances;
import flexdp.failure.Failure;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.engine.QueryEngine;
import flexdp.gateway.engine.SeededGateways;
import flexdp.gateway.ledger.Ledger;
import flexdp.gateway.ledger.LedgerOpening;
import flexdp.gateway.livedata.LiveMetrics;
import flexdp.metrics.Metrics;
import flexdp.policy.Policy;
import flexdp.query.LabelSource;
import flexdp.query.Labels;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Who protects rows gets the same bytes whether people are protected elsewhere or not: the golden
 * corpus is asked under its policy, and under the same with a kind of people who own another table,
 * all tables of the question being {@code unit: row}. Bounds, predicted errors, mechanisms and, of
 * one seed, the answers are equal (but for labels of public tables, which come in any order).
 */
class RowsBesidePeopleTest {
  private static final int EVERY = 3;
  private static final String PEOPLE =
      """
      people:
        member: {key: club.id}
      tables:
        club:
          owners: {member: id}
          columns:
            id: {type: integer, unique: true, nullable: false}
      """;

  @TempDir Path folder;

  @Test
  void peopleOfAnotherTableChangeNothing() throws Exception {
    int answered = 0;
    for (CorpusQueries queries : CorpusQueries.all()) {
      boolean adds = queries.policy().contains("neighbors: add-remove-one");
      if (!adds || !queries.metrics().map(Path::toString).orElse("").contains("corpus")) {
        continue;
      }
      List<String> some =
          IntStream.range(0, queries.sql().size())
              .filter(i -> i % EVERY == 0)
              .mapToObj(queries.sql()::get)
              .toList();
      CorpusQueries other =
          new CorpusQueries(beside(queries.policy()), queries.metrics(), queries.sql());
      assertTrue(other.policy(true).people().containsKey("member"), "people there are");
      List<String> alone = told(queries, some);
      List<String> besidePeople = told(other, some);
      for (int i = 0; i < some.size(); i++) {
        assertEquals(alone.get(i), besidePeople.get(i), some.get(i));
        answered += alone.get(i).startsWith("Explanation") ? 1 : 0;
      }
    }
    assertTrue(answered > 100, "only " + answered + " were answered");
  }

  /** The policy with people who own none of its tables. */
  private static String beside(String policy) {
    return policy
        .replaceAll("(?m)^  (\\w+):\\s*\\n(?=    (columns|unique|static):)", "$0    unit: row\n")
        .replaceFirst("(?m)^tables:\\s*\\n", PEOPLE);
  }

  private List<String> told(CorpusQueries queries, List<String> asked) throws Exception {
    Policy policy = queries.policy(true);
    List<String> told = new ArrayList<>();
    TestDatabase test = new DuckDbSuiteTest.File();
    test.start();
    try (test) {
      Metrics metrics;
      try (Connection connection = test.writer()) {
        AskedAlike.create(connection, test, policy);
        metrics = queries.metrics(policy, connection);
      }
      ErrorLog log = (what, cause) -> told.add(what);
      Path file = folder.resolve("rows" + System.nanoTime() + ".ledger");
      try (JdbcDatabase database =
              JdbcDatabase.open(test.url(), policy, Duration.ofMinutes(10), log);
          Ledger ledger = LedgerOpening.file(file, Allowances.of(policy), false)) {
        QueryEngine engine =
            SeededGateways.gateway(
                policy,
                LiveMetrics.vouched(policy, metrics),
                "test",
                database,
                ledger,
                log,
                Clock.fixed(Instant.parse("2024-07-01T12:00:00Z"), ZoneOffset.UTC),
                () -> new SmallRides.Replayed(7));
        for (String sql : asked) {
          told.add(
              told(engine, QueryRequest.of(sql, "ann"), hasPublicLabels(policy, metrics, sql)));
        }
      }
    }
    return told;
  }

  /** The database gives labels of a public table in any order, and noise is drawn in that order. */
  private static boolean hasPublicLabels(Policy policy, Metrics metrics, String sql) {
    try {
      return new Analyzer(policy, metrics, LocalDateTime.of(2024, 7, 1, 12, 0))
          .plan(sql, AnalysisOptions.DEFAULT).query().releases().stream()
              .anyMatch(
                  point ->
                      point.labels() instanceof Labels.Enumerated labels
                          && labels.sources().stream()
                              .anyMatch(LabelSource.FromPublic.class::isInstance));
    } catch (Failure e) {
      return false;
    }
  }

  private static String told(QueryEngine engine, QueryRequest request, boolean inAnyOrder) {
    try {
      String explained = engine.explain(request).toString();
      AnalystView view = engine.ask(request);
      String numbers = inAnyOrder ? "" : "" + view.rows() + view.intervals();
      return explained + numbers + view.mechanism() + view.epsilon();
    } catch (RuntimeException e) {
      return e instanceof Failure failure
          ? failure.codeName() + failure.getMessage()
          : e.toString();
    }
  }
}
