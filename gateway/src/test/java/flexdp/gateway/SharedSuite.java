package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.failure.ConfigurationError;
import flexdp.failure.Rejection;
import flexdp.gateway.catalog.Connector;
import flexdp.gateway.collect.Collector;
import flexdp.gateway.collect.ColumnNames;
import flexdp.gateway.collect.Progress;
import flexdp.gateway.collect.RequiredFrequencies;
import flexdp.gateway.database.Connectors;
import flexdp.gateway.database.Databases;
import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.render.ReleaseStatement;
import flexdp.gateway.render.SqlRenderer;
import flexdp.metrics.Metrics;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.policy.Table;
import flexdp.release.RowTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/**
 * One suite of queries for every database: analysed, rendered and executed, with the exact values
 * before noise compared with what the data file says.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SharedSuite {
  private static final int LEAST_QUERIES = 150;
  private static final LocalDateTime NOW = LocalDateTime.of(2024, 7, 1, 12, 0);

  private final TestDatabase test;
  private final List<String> log = new ArrayList<>();
  private Policy policy;
  private Metrics metrics;
  private JdbcDatabase database;

  SharedSuite(TestDatabase test) {
    this.test = test;
  }

  @BeforeAll
  void start() throws Exception {
    test.start();
    try (Connection connection = test.writer()) {
      policy = prepare(test, connection);
    }
    metrics = measured(test, policy);
    ErrorLog owner = (what, cause) -> log.add(what + ": " + cause);
    database = JdbcDatabase.open(test.url(), policy, Duration.ofMinutes(10), owner);
  }

  @AfterAll
  void stop() throws Exception {
    if (database != null) {
      database.close();
    }
    test.close();
  }

  static Metrics measured(TestDatabase test, Policy policy) throws SQLException {
    RequiredFrequencies wanted =
        RequiredFrequencies.of(policy).and(ColumnNames.parse("people.name, teams.name", policy));
    try (Connection connection = Databases.readOnly(test.url())) {
      return new Collector(policy, wanted, Progress.NONE, Clock.systemUTC())
          .collect(connection)
          .metrics();
    }
  }

  /** Makes the tables of the suite, and fills them. */
  static Policy prepare(TestDatabase test, Connection connection) throws Exception {
    Policy policy =
        PolicyReader.read(
            YamlText.tree(
                SuiteCase.text("/suite/policy.yaml"), ConfigurationError.Code.BAD_POLICY));
    Connector connector = Connectors.of(connection);
    try (Statement statement = connection.createStatement()) {
      for (Table table : policy.tables().values()) {
        statement.execute(
            table.columns().stream()
                .map(c -> connector.quote(c.name()) + " " + column(test, table, c))
                .collect(
                    Collectors.joining(
                        ", ", "CREATE TABLE " + connector.quote(table.name()) + " (", ")")));
      }
      for (String insert : SuiteCase.text("/suite/fixture.sql").split(";\\s*")) {
        Table table = policy.table(insert.split("\\s+")[2]).orElseThrow();
        statement.execute(test.insert(table, insert));
      }
    }
    return policy;
  }

  private static String column(TestDatabase test, Table table, ColumnSpec column) {
    boolean key = table.uniqueKeys().contains(java.util.Set.of(column.name()));
    return test.columnType(column.type())
        + (column.nullable() ? "" : " NOT NULL")
        + (key && test.hasKeys() ? " UNIQUE" : "");
  }

  @TestFactory
  Stream<DynamicTest> theValuesBeforeNoiseAreThoseOfTheText() throws Exception {
    List<SuiteCase> cases = SuiteCase.read("/suite/queries.test");
    assertTrue(cases.size() >= LEAST_QUERIES, "only " + cases.size() + " queries");
    return cases.stream().map(c -> DynamicTest.dynamicTest(c.name(), () -> check(c)));
  }

  private void check(SuiteCase asked) {
    log.clear();
    if (asked.rejected().containsKey(test.word())) {
      Rejection rejection = assertThrows(Rejection.class, () -> exact(asked));
      assertEquals(asked.rejected().get(test.word()), rejection.code(), rejection.message());
      return;
    }
    List<String> got;
    try {
      got = exact(asked);
    } catch (RuntimeException e) {
      throw new AssertionError(e.getMessage() + "\n" + log, e);
    }
    if (asked.zeros()) {
      got.removeIf(row -> !asked.rows().contains(row) && SuiteText.isZero(row));
    }
    assertEquals(
        asked.rows().stream().sorted().collect(Collectors.joining("\n")),
        got.stream().sorted().collect(Collectors.joining("\n")),
        () -> String.join("\n", rendered(asked)));
  }

  private List<String> exact(SuiteCase asked) {
    RowTable rows = ExactAnswer.of(new Analyzer(policy, metrics, NOW), database, asked.sql());
    return new ArrayList<>(rows.rows().stream().map(SuiteText::row).toList());
  }

  private List<String> rendered(SuiteCase asked) {
    SqlRenderer renderer = new SqlRenderer(database.dialect(), database.catalog());
    return new Analyzer(policy, metrics, NOW)
        .plan(asked.sql(), AnalysisOptions.DEFAULT).query().releases().stream()
            .flatMap(p -> renderer.statements(p).stream())
            .map(ReleaseStatement::sql)
            .toList();
  }
}
