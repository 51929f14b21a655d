package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Allowances;
import flexdp.failure.DatabaseError;
import flexdp.failure.Failure;
import flexdp.gateway.answer.Gateway;
import flexdp.gateway.ask.Ask;
import flexdp.gateway.ask.Explanation;
import flexdp.gateway.catalog.Vendor;
import flexdp.gateway.collect.MetricsFile;
import flexdp.gateway.database.Databases;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.database.OwnerLog;
import flexdp.gateway.database.Vendors;
import flexdp.gateway.ledger.Ledger;
import flexdp.gateway.ledger.Opening;
import flexdp.gateway.live.LiveMetrics;
import flexdp.metrics.Metrics;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import flexdp.policy.Type;
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
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever {@code explain} accepts {@code ask} answers, and what it refuses is refused alike: over
 * the golden corpus, on tables that may change and on tables that the owner vouches for.
 */
class ExplainAgreesTest {
  private static final int ROWS = 3;

  @TempDir Path folder;

  @TestFactory
  Stream<DynamicTest> whatIsExplainedIsAnswered() {
    return Stream.of(
            new DuckDbSuiteTest.File(),
            new SqliteSuiteTest.File(),
            new PostgreSqlSuiteTest.Server())
        .map(database -> DynamicTest.dynamicTest(database.word(), () -> check(database)));
  }

  private void check(TestDatabase test) throws Exception {
    List<String> faults = new ArrayList<>();
    int answered = 0;
    test.start();
    try (test) {
      Map<String, List<CorpusQueries>> byTables =
          CorpusQueries.all().stream().collect(Collectors.groupingBy(q -> q.metrics().toString()));
      for (List<CorpusQueries> same : byTables.values()) {
        try (Connection connection = test.writer()) {
          create(connection, test, same.getFirst().policy(false));
        }
        for (CorpusQueries queries : same) {
          for (boolean still : new boolean[] {true, false}) {
            answered += check(test, queries, still, faults);
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
    assertTrue(answered > 900, "only " + answered + " were answered");
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
        String explained = explained(gateway, ask);
        String ended = answered(gateway, ask);
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

  private static String explained(Gateway gateway, Ask ask) {
    try {
      Explanation explanation = gateway.explain(ask);
      boolean usable = explanation.noise().stream().allMatch(n -> n.mechanism().isPresent());
      return usable ? "answered" : "MECHANISM_UNSUITABLE";
    } catch (RuntimeException e) {
      return ending(e);
    }
  }

  private static String answered(Gateway gateway, Ask ask) {
    try {
      gateway.ask(ask);
      return "answered";
    } catch (RuntimeException e) {
      return ending(e);
    }
  }

  private static String ending(RuntimeException e) {
    return e instanceof Failure failure && !(e instanceof DatabaseError)
        ? failure.codeName()
        : "failed: " + e;
  }

  private static void create(Connection connection, TestDatabase test, Policy policy)
      throws Exception {
    Vendor vendor = Vendors.of(connection);
    try (Statement statement = connection.createStatement()) {
      for (Table table : policy.tables().values()) {
        String columns =
            table.columns().stream()
                .map(
                    c ->
                        vendor.quote(c.name())
                            + " "
                            + test.columnType(c.type())
                            + (c.nullable() ? "" : " NOT NULL"))
                .collect(Collectors.joining(", "));
        String keys =
            table.uniqueKeys().stream()
                .map(
                    key ->
                        key.stream()
                            .map(vendor::quote)
                            .collect(Collectors.joining(", ", ", UNIQUE (", ")")))
                .collect(Collectors.joining());
        String name = vendor.quote(table.name());
        statement.execute("CREATE TABLE " + name + " (" + columns + keys + ")");
        for (int row = 1; row <= ROWS; row++) {
          int number = row;
          statement.execute(
              table.columns().stream()
                  .map(c -> literal(c, number))
                  .collect(Collectors.joining(", ", "INSERT INTO " + name + " VALUES (", ")")));
        }
      }
    }
  }

  private static String literal(ColumnSpec column, int row) {
    Type type = column.type();
    return switch (type.kind()) {
      case BOOLEAN -> row % 2 == 0 ? "TRUE" : "FALSE";
      case SMALLINT, INTEGER, BIGINT, DECIMAL, DOUBLE -> String.valueOf(row);
      case DATE -> "'2024-01-0" + row + "'";
      case TIMESTAMP -> "'2024-01-0" + row + " 12:00:00'";
      case TIME -> "'12:00:0" + row + "'";
      case UUID -> "'00000000-0000-0000-0000-00000000000" + row + "'";
      case VARCHAR -> "'v" + row + "'";
      case OPAQUE, NULL, INTERVAL_MONTHS, INTERVAL_MICROS -> "NULL";
    };
  }
}
