package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Allowances;
import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.catalog.Connector;
import flexdp.gateway.catalog.PhysicalCatalog;
import flexdp.gateway.catalog.TableIdentities;
import flexdp.gateway.collect.MetricsFile;
import flexdp.gateway.database.Database;
import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.database.Session;
import flexdp.gateway.engine.QueryEngine;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.ledger.Ledger;
import flexdp.gateway.ledger.LedgerOpening;
import flexdp.gateway.livedata.LiveMetrics;
import flexdp.gateway.render.TargetDialect;
import flexdp.gateway.trino.TrinoConnector;
import flexdp.metrics.Metrics;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.release.ContributionCap;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.duckdb.DuckDBConnection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On tables that change, a free answer is of one state of the data. */
class LiveCacheHitsTest {
  private static final String COUNT = "SELECT COUNT(*) FROM t";
  private static final String BOTH = "SELECT COUNT(*), SUM(x) FROM t";
  private static final String TWO_TABLES =
      "SELECT a.n, b.n FROM (SELECT COUNT(*) AS n FROM t) a CROSS JOIN (SELECT COUNT(*) AS n FROM"
          + " u) b";

  /** The noise of ε = 1000 is nothing. */
  private static final String POLICY =
      """
      privacy: {epsilon: 1000, delta: 1e-9, budget: {epsilon: 1000000, delta: 1e-6}}
      tables:
        t: {columns: {x: {type: integer, range: [0, 9]}, b: {type: boolean}}}
        u: {columns: {a: {type: integer}}}
        p: {public: true, columns: {a: {type: integer, unique: true, nullable: false}}}
      """;

  @TempDir Path folder;
  private Connection connection;
  private JdbcDatabase database;
  private Ledger ledger;
  private QueryEngine engine;

  private void open(UnaryOperator<String> declared) throws Exception {
    open(declared, Optional.empty());
  }

  private void open(UnaryOperator<String> declared, Optional<Connector> other) throws Exception {
    Policy policy = PolicyReader.read(YamlText.tree(declared.apply(POLICY), Code.BAD_POLICY));
    Connection asked = DriverManager.getConnection("jdbc:duckdb:");
    connection = ((DuckDBConnection) asked).duplicate();
    execute("CREATE TABLE t AS SELECT 2 AS x, true AS b FROM range(10)");
    execute("CREATE TABLE u AS SELECT 1 AS a FROM range(5)");
    execute("CREATE TABLE p(a INTEGER PRIMARY KEY)");
    execute("INSERT INTO p VALUES (1), (2)");
    database = JdbcDatabase.over(asked, policy, Duration.ofMinutes(10), ErrorLog.NONE);
    ledger = LedgerOpening.file(folder.resolve("live.ledger"), Allowances.of(policy), false);
    MetricsFile.Content content = new MetricsFile.Content(Metrics.NONE, Map.of(), Map.of());
    engine =
        new QueryEngine(
            policy,
            LiveMetrics.of(
                policy, content, database.vendor(), database.catalog(), database.version()),
            "test",
            other.<Database>map(connector -> new Called(database, connector)).orElse(database),
            ledger,
            ErrorLog.NONE,
            Clock.systemUTC());
  }

  private static String allStatic(String policy) {
    return policy
        .replace("columns: {x", "static: true, columns: {x")
        .replace("columns: {a", "static: true, columns: {a");
  }

  /** A database that goes by the rules of another kind. */
  private record Called(Database database, Connector vendor) implements Database {
    @Override
    public TargetDialect dialect() {
      return database.dialect();
    }

    @Override
    public PhysicalCatalog catalog() {
      return database.catalog();
    }

    @Override
    public TableIdentities identities() {
      return database.identities();
    }

    @Override
    public Duration timeout() {
      return database.timeout();
    }

    @Override
    public Optional<String> version() {
      return database.version();
    }

    @Override
    public Session session(java.util.Collection<flexdp.gateway.catalog.PhysicalTable> held) {
      return database.session(held);
    }

    @Override
    public void close() {
      database.close();
    }
  }

  @Test
  void whereLabelsAndRowsAreOfSeveralStatesNothingIsDerived() throws Exception {
    open(p -> p, Optional.of(new TrinoConnector()));
    String bins = "SELECT b, COUNT(*) FROM t GROUP BY b";
    ask(bins);
    assertFalse(ask(COUNT).repeat());
    assertTrue(ask(bins).repeat(), "as a whole it is what was answered");
  }

  @Test
  void elsewhereItIs() throws Exception {
    open(p -> p);
    ask("SELECT b, COUNT(*) FROM t GROUP BY b");
    AnalystView total = ask(COUNT);
    assertTrue(total.repeat());
    assertRow(total, 10);
  }

  @AfterEach
  void close() {
    ledger.close();
    database.close();
  }

  private void execute(String sql) throws Exception {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private AnalystView ask(String analyst, String sql, boolean fresh) {
    return engine.ask(new QueryRequest(sql, QueryOptions.DEFAULT, analyst, Set.of(), fresh));
  }

  private AnalystView ask(String sql) {
    return ask("ann", sql, false);
  }

  private static void assertRow(AnalystView view, int... values) {
    List<Object> row = view.rows().getFirst();
    for (int i = 0; i < values.length; i++) {
      assertEquals(0, BigDecimal.valueOf(values[i]).compareTo((BigDecimal) row.get(i)), "" + row);
    }
  }

  @Test
  void measurementsOfSeveralStatesAreNotPutTogether() throws Exception {
    open(p -> p);
    ask(COUNT);
    execute("INSERT INTO t SELECT 3, false FROM range(90)");
    assertRow(ask("SELECT SUM(x) FROM t"), 290);
    AnalystView both = ask("SELECT SUM(x), COUNT(*) FROM t");
    assertFalse(both.repeat(), "10 rows do not add up to 290");
    assertRow(both, 290, 100);
    assertTrue(ask(BOTH).repeat());
  }

  @Test
  void norAreReleasePoints() throws Exception {
    open(p -> p);
    ask(COUNT);
    execute("DELETE FROM t");
    execute("DELETE FROM u");
    ask("SELECT COUNT(*) FROM u");
    AnalystView two = ask(TWO_TABLES);
    assertFalse(two.repeat());
    assertRow(two, 0, 0);
    assertTrue(ask(TWO_TABLES).repeat());
  }

  @Test
  void norByWayOfAnotherAnalyst() throws Exception {
    open(p -> p);
    ask(COUNT);
    execute("INSERT INTO t SELECT 3, false FROM range(90)");
    ask("SELECT SUM(x) FROM t");
    assertTrue(ask("bob", COUNT, false).repeat());
    assertTrue(ask("bob", "SELECT SUM(x) FROM t", false).repeat());
    assertFalse(ask("bob", BOTH, false).repeat());
  }

  @Test
  void theNewestAnswerIsGivenAgain() throws Exception {
    open(p -> p);
    assertRow(ask(COUNT), 10);
    execute("INSERT INTO t SELECT 3, false FROM range(90)");
    assertRow(ask(COUNT), 10);
    assertRow(ask("ann", COUNT, true), 100);
    AnalystView again = ask(COUNT);
    assertTrue(again.repeat());
    assertRow(again, 100);
  }

  @Test
  void aRepeatSaysOfWhenTheDataAre() throws Exception {
    open(p -> p);
    assertEquals(Optional.empty(), ask(COUNT).derived());
    String said = ask(COUNT).derived().orElseThrow();
    assertTrue(
        said.matches("of the data as they were at \\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:00Z"), said);
    assertEquals(Optional.of(said), ask("bob", COUNT, false).derived());
    assertEquals(Optional.of(said), ask("bob", COUNT, false).derived(), "bought");
  }

  @Test
  void whatIsVouchedForIsOfNoDay() throws Exception {
    open(LiveCacheHitsTest::allStatic);
    ask(COUNT);
    assertEquals(Optional.empty(), ask(COUNT).derived());
  }

  @Test
  void whatWasSaidOfItsNoiseIsSaidAgain() throws Exception {
    open(
        p ->
            p.replace("tables:", "people: {who: {}}\ntables:")
                .replace("t: {col", "t: {owners: {who: x}, col")
                .replace("u: {col", "u: {unit: row, col"));
    AnalystView answer = ask(COUNT);
    String first = answer.derived().orElseThrow();
    ContributionCap cap = answer.caps().getFirst();
    String most = cap.most().toPlainString();
    assertTrue(first.startsWith("each person counts for at most " + most + "; "), first);
    String atMost = cap.beyondAtMost().orElseThrow().toPlainString();
    assertTrue(first.endsWith(", cut off at most about " + atMost), first);
    AnalystView repeat = ask(COUNT);
    String again = repeat.derived().orElseThrow();
    assertTrue(again.startsWith(first + "; of the data as they were at "), again);
    assertEquals(List.of(cap), repeat.caps());
    assertEquals(List.of(cap), ask("bob", COUNT, false).caps(), "bought");
  }

  @Test
  void oneTableThatMayChangeIsEnough() throws Exception {
    open(p -> p.replace("t: {col", "t: {static: true, col"));
    ask(COUNT);
    ask("SELECT COUNT(*) FROM u");
    assertFalse(ask(TWO_TABLES).repeat());
    ask("SELECT SUM(x) FROM t");
    assertTrue(ask(BOTH).repeat(), "t is vouched for");
  }

  @Test
  void whatIsVouchedForIsPutTogether() throws Exception {
    open(LiveCacheHitsTest::allStatic);
    ask(COUNT);
    ask("SELECT SUM(x) FROM t");
    ask("SELECT COUNT(*) FROM u");
    assertTrue(ask(BOTH).repeat());
    assertTrue(ask(TWO_TABLES).repeat());
  }

  @Test
  void declaredInsertsAreChanges() throws Exception {
    open(p -> p.replace("t: {col", "t: {insertsAtMost: 5, col"));
    ask(COUNT);
    ask("SELECT SUM(x) FROM t");
    assertFalse(ask(BOTH).repeat());
  }
}
