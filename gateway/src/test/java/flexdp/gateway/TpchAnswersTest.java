package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Allowance;
import flexdp.budget.Allowances;
import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.collect.CollectedMetrics;
import flexdp.gateway.collect.Collector;
import flexdp.gateway.collect.ColumnNames;
import flexdp.gateway.collect.MetricsPublication;
import flexdp.gateway.collect.Progress;
import flexdp.gateway.collect.RequiredFrequencies;
import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.demo.TpchTables;
import flexdp.gateway.engine.QueryEngine;
import flexdp.gateway.engine.SeededGateways;
import flexdp.gateway.files.TextFiles;
import flexdp.gateway.json.BinsCsv;
import flexdp.gateway.ledger.Ledger;
import flexdp.gateway.ledger.LedgerOpening;
import flexdp.gateway.livedata.LiveMetrics;
import flexdp.metrics.Metrics;
import flexdp.noise.PrivacyParameters;
import flexdp.plan.MechanismChoice;
import flexdp.plan.MetricRelease;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.query.Bins;
import flexdp.query.DpQuery;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.duckdb.DuckDBConnection;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The five counting queries of the paper's experiments, in the original text of TPC-H, answered at
 * an ε so large that every count is the database's own.
 */
class TpchAnswersTest {
  private static final Path TEXTS = Path.of("../core/src/test/resources/tpch");

  @TempDir static Path folder;
  private static Connection exact;
  private static JdbcDatabase database;
  private static Ledger ledger;
  private static QueryEngine engine;

  @BeforeAll
  static void open() throws Exception {
    Policy policy =
        PolicyReader.read(TextFiles.tree(TEXTS.resolve("tpch.policy.yaml"), Code.BAD_POLICY));
    Connection connection = DriverManager.getConnection("jdbc:duckdb:");
    exact = connection.unwrap(DuckDBConnection.class).duplicate();
    TpchTables.load(exact, 0.1);
    ledger =
        LedgerOpening.file(
            folder.resolve("tpch.ledger"),
            Allowances.eachTable(Allowance.basic("10000000", "0.1")),
            false);
    RequiredFrequencies wanted =
        RequiredFrequencies.of(policy)
            .and(
                ColumnNames.parse(
                    "partsupp.ps_suppkey, partsupp.ps_partkey, lineitem.l_suppkey,"
                        + " lineitem.l_orderkey, orders.o_custkey",
                    policy));
    CollectedMetrics collected =
        new Collector(policy, wanted, Progress.NONE, Clock.systemUTC()).collect(exact);
    Metrics metrics =
        MetricRelease.release(
            collected.metrics(),
            MetricsPublication.usual(policy, collected.metrics()),
            new PrivacyParameters(BigDecimal.TEN, new BigDecimal("1e-6")),
            new SmallRides.Replayed(3));
    database = JdbcDatabase.over(connection, policy, Duration.ofMinutes(10), ErrorLog.NONE);
    engine =
        SeededGateways.gateway(
            policy,
            LiveMetrics.vouched(policy, metrics),
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

  @ParameterizedTest
  @ValueSource(ints = {1, 4, 13, 16, 21})
  void countsAreTheDatabasesOwn(int number) throws Exception {
    String name = String.format("q%02d", number);
    String sql = Files.readString(TEXTS.resolve(name + ".sql"));
    Path labels = TEXTS.resolve(name + ".bins.csv");
    Optional<Bins> bins =
        Files.exists(labels)
            ? Optional.of(some(BinsCsv.read(Files.readString(labels)), sql))
            : Optional.empty();
    QueryOptions options =
        new QueryOptions(
            MechanismChoice.AUTO, Optional.of(new BigDecimal("5000")), Optional.empty(), bins);
    AnalystView view = engine.ask(new QueryRequest(sql, options, "tpch", Set.of()));
    assertFalse(view.rows().isEmpty());
    Map<List<String>, String> truth = truth(sql, view);
    int found = 0;
    for (List<Object> row : view.rows()) {
      List<String> key = new ArrayList<>();
      String count = "";
      for (int i = 0; i < row.size(); i++) {
        DpQuery.ResultColumn column = view.columns().get(i);
        if (column.kind() == DpQuery.ResultColumn.Kind.KEY) {
          key.add(String.valueOf(row.get(i)));
        } else if (column.aggregate().equals("COUNT")) {
          count = String.valueOf(row.get(i));
        }
      }
      found += truth.containsKey(key) ? 1 : 0;
      assertEquals(truth.getOrDefault(key, "0"), count, sql + key);
    }
    assertTrue(found > 0, "no label of the answer is in the data");
  }

  /** The labels of a file, which suit another scale, and ten that this database has. */
  private static Bins some(Bins file, String sql) throws Exception {
    List<List<Object>> rows = new ArrayList<>(file.rows());
    try (Statement statement = exact.createStatement();
        ResultSet result = statement.executeQuery(duckDb(sql))) {
      for (int i = 0; i < 10 && result.next(); i++) {
        List<Object> row = new ArrayList<>();
        for (String column : file.columns()) {
          row.add(result.getString(column));
        }
        rows.add(row);
      }
    }
    return new Bins(file.columns(), rows);
  }

  private static String duckDb(String sql) {
    return sql.replaceAll("(?i)limit \\d+", "").replace("day (3)", "day");
  }

  /** Key columns to the count, as the database answers the same text. */
  private static Map<List<String>, String> truth(String sql, AnalystView view) throws Exception {
    Map<List<String>, String> truth = new HashMap<>();
    try (Statement statement = exact.createStatement();
        ResultSet rows = statement.executeQuery(duckDb(sql))) {
      while (rows.next()) {
        List<String> key = new ArrayList<>();
        String count = "";
        for (int i = 0; i < view.columns().size(); i++) {
          DpQuery.ResultColumn column = view.columns().get(i);
          if (column.kind() == DpQuery.ResultColumn.Kind.KEY) {
            key.add(rows.getString(i + 1));
          } else if (column.aggregate().equals("COUNT")) {
            count = rows.getString(i + 1);
          }
        }
        truth.put(key, count);
      }
    }
    return truth;
  }
}
