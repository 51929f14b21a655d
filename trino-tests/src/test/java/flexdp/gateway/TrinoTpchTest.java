package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.Analyzer;
import flexdp.budget.Allowance;
import flexdp.budget.Allowances;
import flexdp.cells.ExactHistogram;
import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.collect.CollectedMetrics;
import flexdp.gateway.collect.Collector;
import flexdp.gateway.collect.ColumnNames;
import flexdp.gateway.collect.MetricsFile;
import flexdp.gateway.collect.MetricsPublication;
import flexdp.gateway.collect.Progress;
import flexdp.gateway.collect.RequiredFrequencies;
import flexdp.gateway.database.Databases;
import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.database.Session;
import flexdp.gateway.engine.QueryEngine;
import flexdp.gateway.engine.SeededGateways;
import flexdp.gateway.engine.StatementExecution;
import flexdp.gateway.files.TextFiles;
import flexdp.gateway.json.BinsCsv;
import flexdp.gateway.ledger.Ledger;
import flexdp.gateway.ledger.LedgerOpening;
import flexdp.gateway.livedata.LiveMetrics;
import flexdp.gateway.render.SqlRenderer;
import flexdp.metrics.Metrics;
import flexdp.noise.PrivacyParameters;
import flexdp.plan.MechanismChoice;
import flexdp.plan.MetricRelease;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.query.Bins;
import flexdp.query.DpQuery;
import flexdp.query.DpQuery.ResultColumn;
import flexdp.query.NoisyAggregate;
import flexdp.release.ExactRelease;
import flexdp.release.Interpreter;
import flexdp.release.LabelTable;
import flexdp.release.RowTable;
import flexdp.trino.Cluster;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** TPC-H on a coordinator and two workers: measured, and asked with joins and histograms. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class TrinoTpchTest {
  private static final Path TEXTS = Path.of("../core/src/test/resources/tpch");
  private static final String WANTED =
      "partsupp.ps_suppkey, partsupp.ps_partkey, lineitem.l_suppkey, lineitem.l_orderkey,"
          + " orders.o_custkey, supplier.s_nationkey, customer.c_nationkey,"
          + " lineitem.(l_partkey, l_suppkey)";

  @TempDir static Path folder;
  private static Connection exact;
  private static Policy policy;
  private static CollectedMetrics collected;
  private static Metrics metrics;
  private static JdbcDatabase database;
  private static Ledger ledger;
  private static QueryEngine engine;

  @BeforeAll
  static void open() throws Exception {
    String url = Cluster.url("tpch/tiny");
    exact = Cluster.connect("tpch/tiny");
    policy = policy(true);
    RequiredFrequencies wanted =
        RequiredFrequencies.of(policy).and(ColumnNames.parse(WANTED, policy));
    try (Connection connection = Databases.readOnly(url)) {
      collected =
          new Collector(policy, wanted, Progress.NONE, Clock.systemUTC()).collect(connection);
    }
    metrics =
        MetricRelease.release(
            collected.metrics(),
            MetricsPublication.usual(policy, collected.metrics()),
            new PrivacyParameters(BigDecimal.TEN, new BigDecimal("1e-6")),
            new SmallRides.Replayed(3));
    database = JdbcDatabase.open(url, policy, Duration.ofMinutes(10), ErrorLog.NONE);
    ledger =
        LedgerOpening.file(
            folder.resolve("tpch.ledger"),
            Allowances.eachTable(Allowance.basic("1000", "0.1")),
            false);
    engine = gateway(policy, metrics);
  }

  private static Policy policy(boolean isStatic) throws Exception {
    String text = Files.readString(TEXTS.resolve("tpch.policy.yaml"));
    Path file = folder.resolve(isStatic ? "static.yaml" : "live.yaml");
    Files.writeString(
        file, isStatic ? text.replace("\n    columns:", "\n    static: true\n    columns:") : text);
    return PolicyReader.read(TextFiles.tree(file, Code.BAD_POLICY));
  }

  private static QueryEngine gateway(Policy policy, Metrics metrics) {
    MetricsFile.Content content = new MetricsFile.Content(metrics, Map.of(), Map.of());
    return SeededGateways.gateway(
        policy,
        LiveMetrics.of(policy, content, database.vendor(), database.catalog(), database.version()),
        "tpch",
        database,
        ledger,
        ErrorLog.NONE,
        Clock.systemUTC(),
        () -> new SmallRides.Replayed(4));
  }

  @AfterAll
  static void close() throws Exception {
    ledger.close();
    database.close();
    exact.close();
  }

  @Test
  @Order(1)
  void threeNodesAreActive() throws Exception {
    assertEquals(
        List.of(List.of("3", "1")),
        Cluster.rows(
            exact,
            "SELECT COUNT(*), COUNT_IF(coordinator) FROM system.runtime.nodes"
                + " WHERE state = 'active'"));
  }

  @Test
  void metricsAreThoseOfPlainSql() throws Exception {
    for (String name : List.of("supplier.s_nationkey", "orders.o_custkey", "lineitem.l_orderkey")) {
      String table = name.substring(0, name.indexOf('.'));
      String column = name.substring(name.indexOf('.') + 1);
      var frequency = collected.metrics().table(table).frequencies().get(Set.of(column));
      String sql =
          "SELECT MAX(n) FROM (SELECT COUNT(*) AS n FROM " + table + " GROUP BY " + column + ")";
      assertEquals(
          Cluster.rows(exact, sql).getFirst().getFirst(),
          frequency.max().orElseThrow().toString(),
          name);
    }
    var pair = collected.metrics().table("lineitem").frequencies();
    assertEquals(
        Cluster.rows(
                exact,
                "SELECT MAX(n) FROM (SELECT COUNT(*) AS n FROM lineitem"
                    + " GROUP BY l_partkey, l_suppkey)")
            .getFirst()
            .getFirst(),
        pair.get(Set.of("l_partkey", "l_suppkey")).max().orElseThrow().toString());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4, 13, 16, 21})
  void thePapersQueries(int number) throws Exception {
    String name = String.format("q%02d", number);
    String sql = Files.readString(TEXTS.resolve(name + ".sql")).strip().replaceAll(";$", "");
    Path labels = TEXTS.resolve(name + ".bins.csv");
    String plain = sql.replaceAll("(?i)limit \\d+", "").replace("day (3)", "day");
    Optional<Bins> bins =
        Files.exists(labels)
            ? Optional.of(some(BinsCsv.read(Files.readString(labels)), plain))
            : Optional.empty();
    compare(sql, plain, bins, "COUNT", "SUM");
  }

  /** The labels of a file, which suit another scale, and ten that this database has. */
  private static Bins some(Bins file, String sql) throws Exception {
    List<List<Object>> rows = new ArrayList<>(file.rows());
    String columns = String.join(", ", file.columns());
    rows.addAll(
        Cluster.rows(exact, "SELECT " + columns + " FROM (" + sql + ") LIMIT 10").stream()
            .map(row -> List.<Object>copyOf(row))
            .toList());
    return new Bins(file.columns(), rows);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT COUNT(*) FROM orders JOIN customer ON o_custkey = c_custkey",
        "SELECT n_name, COUNT(*) FROM customer JOIN nation ON c_nationkey = n_nationkey GROUP BY"
            + " n_name",
        "SELECT r_name, SUM(o_totalprice) FROM orders JOIN customer ON o_custkey = c_custkey JOIN"
            + " nation ON c_nationkey = n_nationkey JOIN region ON n_regionkey = r_regionkey GROUP"
            + " BY r_name",
        "SELECT c_mktsegment, o_orderpriority, COUNT(*) FROM customer LEFT JOIN orders ON c_custkey"
            + " = o_custkey GROUP BY c_mktsegment, o_orderpriority",
        "SELECT COUNT(DISTINCT o_custkey) FROM orders WHERE o_orderdate >= DATE '1995-01-01' AND"
            + " o_orderdate < DATE '1995-01-01' + INTERVAL '1' YEAR",
        "SELECT EXTRACT(YEAR FROM o_orderdate) AS y, COUNT(*) FROM orders GROUP BY 1",
        "SELECT l_shipmode, SUM(l_quantity), COUNT(*) FROM lineitem WHERE EXISTS (SELECT 1 FROM"
            + " orders WHERE o_orderkey = l_orderkey AND o_orderpriority = '1-URGENT') GROUP BY"
            + " l_shipmode",
        "SELECT COUNT(*) FROM customer WHERE NOT EXISTS (SELECT 1 FROM orders WHERE o_custkey ="
            + " c_custkey)",
        "SELECT COUNT(*) FROM (SELECT o_custkey FROM orders GROUP BY o_custkey HAVING"
            + " SUM(o_totalprice) > 1000000) AS big",
        "SELECT COUNT(*) FROM (SELECT ps_suppkey FROM partsupp WHERE ps_availqty < 100 UNION SELECT"
            + " l_suppkey FROM lineitem WHERE l_quantity > 49) AS u",
        "SELECT o_orderstatus, o_orderpriority, COUNT(*) FROM orders GROUP BY ROLLUP(o_orderstatus,"
            + " o_orderpriority)",
        "SELECT COUNT(*) FROM lineitem l1 JOIN lineitem l2 ON l1.l_orderkey = l2.l_orderkey WHERE"
            + " l1.l_suppkey <> l2.l_suppkey",
        "SELECT SUM(CASE WHEN p_type LIKE 'PROMO%' THEN l_quantity ELSE 0 END) FROM lineitem JOIN"
            + " part ON l_partkey = p_partkey",
        "SELECT COUNT(*) FROM (SELECT c_custkey, ROW_NUMBER() OVER (PARTITION BY c_nationkey ORDER"
            + " BY c_custkey) AS n FROM customer) AS t WHERE n <= 3"
      })
  void joinsAndHistograms(String sql) throws Exception {
    compare(sql, sql, Optional.empty(), "COUNT", "SUM");
  }

  /** The values before noise are those of plain SQL; labels that no row has are zero. */
  private static void compare(String sql, String plain, Optional<Bins> bins, String... aggregates)
      throws Exception {
    DpQuery query =
        new Analyzer(policy, metrics, LocalDateTime.now(Clock.systemUTC()))
            .plan(sql, options("1", bins).analysis())
            .query();
    Map<List<String>, Map<Integer, BigDecimal>> truth = new HashMap<>();
    for (List<String> row : Cluster.rows(exact, plain)) {
      truth.put(key(query, row), numbers(query, row, Set.of(aggregates)));
    }
    List<List<Object>> rows = rows(query);
    int found = 0;
    for (List<Object> row : rows) {
      List<String> texts = new ArrayList<>();
      row.forEach(value -> texts.add(value == null ? null : String.valueOf(value)));
      Map<Integer, BigDecimal> shown = numbers(query, texts, Set.of(aggregates));
      Map<Integer, BigDecimal> expected = truth.get(key(query, texts));
      found += expected == null ? 0 : 1;
      shown.forEach(
          (column, number) ->
              assertEquals(
                  0,
                  (expected == null ? BigDecimal.ZERO : expected.get(column)).compareTo(number),
                  () -> texts + " instead of " + expected + " for " + sql));
    }
    assertTrue(found > 0, "no label of the answer is in the data");
    assertTrue(bins.isPresent() || found == truth.size(), "some rows have no label");
  }

  /** As Gateway does it, in its order, up to where noise would be added. */
  private static List<List<Object>> rows(DpQuery query) {
    try (Session session = database.session()) {
      SqlRenderer renderer = new SqlRenderer(database.dialect(), database.catalog());
      StatementExecution execution = new StatementExecution(session, renderer);
      Map<Integer, RowTable> released = new HashMap<>();
      for (NoisyAggregate point : query.releases()) {
        ExactHistogram histogram =
            ExactHistogram.of(point, new LabelTable(point, execution::labels, 100_000).rows());
        execution.fill(point, renderer.statements(point), histogram);
        released.put(point.id(), ExactRelease.of(point, histogram));
      }
      return new Interpreter(released, execution::publicRows).run(query.top()).rows();
    }
  }

  private static QueryOptions options(String epsilon, Optional<Bins> bins) {
    return new QueryOptions(
        MechanismChoice.AUTO, Optional.of(new BigDecimal(epsilon)), Optional.empty(), bins);
  }

  private static AnalystView ask(String sql, String epsilon) {
    QueryRequest request =
        new QueryRequest(sql, options(epsilon, Optional.empty()), "tpch", Set.of());
    return engine.ask(request.withIntervals(true));
  }

  private static List<String> key(DpQuery query, List<String> row) {
    List<String> key = new ArrayList<>();
    for (int i = 0; i < row.size(); i++) {
      if (query.columns().get(i).kind() == ResultColumn.Kind.KEY) {
        key.add(row.get(i));
      }
    }
    return key;
  }

  private static Map<Integer, BigDecimal> numbers(
      DpQuery query, List<String> row, Set<String> aggregates) {
    Map<Integer, BigDecimal> numbers = new HashMap<>();
    for (int i = 0; i < row.size(); i++) {
      ResultColumn column = query.columns().get(i);
      if (column.kind() == ResultColumn.Kind.AGGREGATE && aggregates.contains(column.aggregate())) {
        numbers.put(i, row.get(i) == null ? BigDecimal.ZERO : new BigDecimal(row.get(i)));
      }
    }
    return numbers;
  }

  @Test
  void answersLieWithinTheirStatedError() throws Exception {
    String sql =
        "SELECT n_name, COUNT(*) FROM customer JOIN nation ON c_nationkey = n_nationkey GROUP BY"
            + " n_name";
    AnalystView view = ask(sql, "1");
    Map<String, String> truth = new HashMap<>();
    Cluster.rows(exact, sql).forEach(row -> truth.put(row.get(0), row.get(1)));
    int within = 0;
    for (int i = 0; i < view.rows().size(); i++) {
      AnalystView.Bar bar = view.interval(i, 1).orElseThrow();
      BigDecimal value = new BigDecimal(truth.get(String.valueOf(view.rows().get(i).get(0))));
      within += bar.low().compareTo(value) <= 0 && bar.high().compareTo(value) >= 0 ? 1 : 0;
    }
    assertEquals(25, view.rows().size());
    // Each lies within with at least 95 %: more than twelve outside have a chance below 1e-9.
    assertTrue(within >= 13, within + " of 25 within their error bars");
  }

  @Test
  void tablesThatMayChangeAreRefused() throws Exception {
    QueryEngine live = gateway(policy(false), collected.metrics());
    ConfigurationError error =
        assertThrows(
            ConfigurationError.class,
            () ->
                live.ask(
                    QueryRequest.of(
                        "SELECT COUNT(*) FROM supplier JOIN partsupp ON s_suppkey = ps_suppkey",
                        "tpch")));
    assertTrue(error.hint().contains("static: true"), error.hint());
  }

  @Test
  @Order(Integer.MAX_VALUE)
  void workersTookPart() throws Exception {
    assertEquals(
        List.of(List.of("3")),
        Cluster.rows(exact, "SELECT COUNT(DISTINCT node_id) FROM system.runtime.tasks"));
  }
}
