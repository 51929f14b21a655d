package flexdp.gateway;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.failure.ConfigurationError;
import flexdp.failure.Rejection;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.render.NameCatalog;
import flexdp.gateway.render.ReleaseStatement;
import flexdp.gateway.render.SqlRenderer;
import flexdp.gateway.trino.Trino;
import flexdp.metrics.Metrics;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.query.NoisyAggregate;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.duckdb.DuckDBConnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every statement that the shared suite and the questions about people send to each database, and
 * every answer, drawn with the same bits in every run.
 */
class GoldenSuiteTest {
  private static final int AS_LONG_AS_IT_IS = Integer.MAX_VALUE;
  private static final int BRIEF = 300;

  /** Each is closed with the test that had it. */
  static Stream<TestDatabase> databases() {
    return Stream.of(
        new DuckDbSuiteTest.File(),
        new SqliteSuiteTest.File(),
        new PostgreSqlSuiteTest.Server(),
        new MariaDbSuiteTest.Server());
  }

  @ParameterizedTest
  @MethodSource("databases")
  void theSuite(TestDatabase test) throws Exception {
    test.start();
    Policy policy;
    try (Connection connection = test.writer()) {
      policy = SharedSuite.prepare(test, connection);
    }
    Metrics metrics = SharedSuite.measured(test, policy);
    GoldenGateway.Asked asked = new GoldenGateway.Asked();
    try (JdbcDatabase database = open(test, policy);
        GoldenGateway gateway = new GoldenGateway(policy, metrics, database, AS_LONG_AS_IT_IS)) {
      for (SuiteCase one : SuiteCase.read("/suite/queries.test")) {
        gateway.ask(one.name(), one.sql(), asked);
      }
    }
    asked.check("suite", test.word());
  }

  @ParameterizedTest
  @MethodSource("databases")
  void people(TestDatabase test) throws Exception {
    test.start();
    try (Connection connection = test.writer()) {
      PeopleSuite.prepare(test, connection);
      VisitQuestions.owners(test, connection);
    }
    int longest = test.word().equals("duckdb") ? AS_LONG_AS_IT_IS : BRIEF;
    GoldenGateway.Asked asked = new GoldenGateway.Asked();
    for (Map.Entry<String, Policy> way : VisitQuestions.WAYS.entrySet()) {
      try (JdbcDatabase database = open(test, way.getValue());
          GoldenGateway gateway =
              new GoldenGateway(
                  way.getValue(), new Metrics(Map.of(), Map.of()), database, longest)) {
        for (String sql : VisitQuestions.CUBES) {
          gateway.ask(way.getKey() + ": " + sql, sql, asked);
        }
        for (String sql : VisitQuestions.QUESTIONS) {
          gateway.ask(way.getKey() + ": " + sql, sql, asked);
        }
      }
    }
    asked.check("people", test.word());
  }

  /** Every other way to protect people: few rows, labels that they have, three owners, caps. */
  @Test
  void otherWaysOfPeople() throws Exception {
    GoldenGateway.Asked asked = new GoldenGateway.Asked();
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:")) {
      OwnerQuestions.create(connection);
      try (JdbcDatabase database =
              JdbcDatabase.over(
                  ((DuckDBConnection) connection).duplicate(),
                  OwnerQuestions.POLICY,
                  Duration.ofSeconds(60),
                  (what, cause) -> {});
          GoldenGateway gateway =
              new GoldenGateway(
                  OwnerQuestions.POLICY,
                  new Metrics(Map.of(), Map.of()),
                  database,
                  AS_LONG_AS_IT_IS)) {
        for (String sql : OwnerQuestions.QUESTIONS) {
          gateway.ask(sql, sql, asked);
        }
      }
    }
    asked.check("owners", "duckdb");
  }

  /** What would be sent to Trino, for which there is no cluster here. */
  @Test
  void theSuiteAsTrinoSpellsIt() throws IOException {
    Policy policy =
        PolicyReader.read(
            YamlText.tree(
                SuiteCase.text("/suite/policy.yaml"), ConfigurationError.Code.BAD_POLICY));
    Analyzer analyzer =
        new Analyzer(policy, new Metrics(Map.of(), Map.of()), LocalDateTime.of(2024, 7, 1, 12, 0));
    Trino trino = new Trino();
    SqlRenderer renderer = new SqlRenderer(trino, NameCatalog.plain(trino));
    List<String> lines = new ArrayList<>();
    for (SuiteCase one : SuiteCase.read("/suite/queries.test")) {
      lines.add("# " + one.name());
      try {
        for (NoisyAggregate point :
            analyzer.plan(one.sql(), AnalysisOptions.DEFAULT).query().releases()) {
          renderer.statements(point).stream()
              .map(ReleaseStatement::sql)
              .map(sql -> sql.replace("\n", "\\n"))
              .forEach(lines::add);
        }
      } catch (Rejection e) {
        lines.add("refused " + e.code());
      }
    }
    Golden.check("golden/suite-trino", lines);
  }

  private static JdbcDatabase open(TestDatabase test, Policy policy) {
    return JdbcDatabase.open(test.url(), policy, Duration.ofMinutes(10), (what, cause) -> {});
  }
}
