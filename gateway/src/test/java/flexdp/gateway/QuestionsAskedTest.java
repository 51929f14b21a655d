package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Allowances;
import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.collect.Collector;
import flexdp.gateway.collect.Progress;
import flexdp.gateway.collect.RequiredFrequencies;
import flexdp.gateway.database.Connectors;
import flexdp.gateway.database.Databases;
import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.engine.QueryEngine;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.ledger.Ledger;
import flexdp.gateway.ledger.LedgerOpening;
import flexdp.gateway.livedata.LiveMetrics;
import flexdp.metrics.Metrics;
import flexdp.policy.InputDialect;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.policy.Table;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/**
 * Analysts' questions in six spellings are not only explained but asked: a third of them on DuckDB,
 * all at night, a tenth on PostgreSQL, of made-up rows. Whatever is explained is answered.
 */
class QuestionsAskedTest {
  private static final Path PLACE = Path.of("..", "core", "src", "test", "resources", "questions");
  private static final List<String> SPELLINGS =
      List.of("postgresql", "mysql", "sqlite", "snowflake", "tsql", "bigquery");

  @TempDir Path folder;

  private final List<String> faults = new ArrayList<>();
  private int asked;
  private int answered;

  @Test
  void onDuckDbWhatIsExplainedIsAnswered(TestReporter reporter) throws Exception {
    onDuckDb(3, reporter);
  }

  @Test
  @Tag("nightly")
  void onDuckDbAllThatIsExplainedIsAnswered(TestReporter reporter) throws Exception {
    onDuckDb(1, reporter);
  }

  private void onDuckDb(int every, TestReporter reporter) throws Exception {
    ask(new DuckDbSuiteTest.File(), every);
    reporter.publishEntry("asked", answered + " of " + asked);
    assertEquals("", String.join("\n", faults));
    assertTrue(answered > 700 / every, answered + " of " + asked);
  }

  @Test
  void onPostgreSqlATenthIsAnsweredAlike(TestReporter reporter) throws Exception {
    ask(new PostgreSqlSuiteTest.Server(), 10);
    reporter.publishEntry("asked", answered + " of " + asked);
    assertEquals("", String.join("\n", faults));
    assertTrue(answered > 70, answered + " of " + asked);
  }

  private void ask(TestDatabase test, int every) throws Exception {
    test.start();
    try (test) {
      for (String spelling : SPELLINGS) {
        for (String set : List.of("", "-second")) {
          ask(test, every, spelling, Files.readString(PLACE.resolve(spelling + set + ".sql")));
        }
      }
    }
  }

  private void ask(TestDatabase test, int every, String spelling, String text) throws Exception {
    String[] blocks = text.strip().split("\\n\\s*\\n");
    Policy policy =
        policy(blocks[0].substring("setting ".length()).strip())
            .in(InputDialect.of(spelling).orElseThrow());
    try (Connection connection = test.writer()) {
      AskedAlike.create(connection, test, policy);
    }
    List<String> log = new ArrayList<>();
    ErrorLog owner = (what, cause) -> log.add(what + ": " + cause);
    Path file = Files.createTempFile(folder, "questions", ".ledger");
    Files.delete(file);
    Metrics metrics;
    try (Connection connection = Databases.readOnly(test.url())) {
      Collector collector =
          new Collector(policy, RequiredFrequencies.of(policy), Progress.NONE, Clock.systemUTC());
      metrics = collector.collect(connection).metrics();
    }
    try (JdbcDatabase database =
            JdbcDatabase.open(test.url(), policy, Duration.ofMinutes(10), owner);
        Ledger ledger = LedgerOpening.file(file, Allowances.of(policy), false)) {
      Clock clock = Clock.fixed(Instant.parse("2025-07-01T12:00:00Z"), ZoneOffset.UTC);
      LiveMetrics live = LiveMetrics.vouched(policy, metrics);
      QueryEngine engine = new QueryEngine(policy, live, "test", database, ledger, owner, clock);
      for (int i = 1; i < blocks.length; i += every) {
        log.clear();
        QueryRequest request = QueryRequest.of(blocks[i].replaceAll(";\\s*(-- rows)?$", ""), "ann");
        String explained = AskedAlike.explained(engine, request);
        // That no range is found is an answer, and a noisy one.
        String ended = AskedAlike.answered(engine, request).replace("RANGE_NOT_FOUND", "answered");
        asked++;
        answered += ended.equals("answered") ? 1 : 0;
        if (!explained.equals(ended)) {
          faults.add(
              spelling + ": " + explained + " but " + ended + ": " + request.sql() + " " + log);
        }
      }
    }
    try (Connection connection = test.writer();
        Statement statement = connection.createStatement()) {
      for (Table table : policy.tables().values()) {
        statement.execute("DROP TABLE " + Connectors.of(connection).quote(table.name()));
      }
    }
  }

  private static Policy policy(String name) throws Exception {
    String text =
        Files.readString(PLACE.resolve(name + ".policy.yaml"))
            .replaceFirst("(?m)^privacy: \\{", "privacy: {budget: {epsilon: 1000000, delta: 0.1}, ")
            .replaceAll("(?m)^    columns:", "    static: true\n    columns:");
    return PolicyReader.read(YamlText.tree(text, Code.BAD_POLICY));
  }
}
