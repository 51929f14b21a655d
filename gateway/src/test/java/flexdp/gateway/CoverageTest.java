package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Allowances;
import flexdp.failure.ConfigurationError;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.collect.Collector;
import flexdp.gateway.collect.ColumnNames;
import flexdp.gateway.collect.Progress;
import flexdp.gateway.collect.RequiredFrequencies;
import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.engine.QueryEngine;
import flexdp.gateway.engine.SeededGateways;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.ledger.Ledger;
import flexdp.gateway.ledger.LedgerOpening;
import flexdp.gateway.livedata.LiveMetrics;
import flexdp.metrics.Metrics;
import flexdp.noise.PrivacyParameters;
import flexdp.plan.MechanismChoice;
import flexdp.plan.MetricRelease;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Over hundreds of random questions, a thousand at night, the 95 % error bars hold the true value,
 * which the database itself computes, as often as they promise. Seeds are fixed, and one cell is
 * looked at per question, so that the trials are independent.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CoverageTest {
  private static final int EACH = 25;
  private static final int MANY = 75;
  private static final double UNLIKELY = 1e-6;
  private static final String POLICY =
      """
      flexdp: 1
      privacy:
        delta: 1e-9
        budget: {epsilon: 1000000000, delta: 0.5, composition: basic}
      tables:
        trips:
          static: true
          columns:
            id: {type: bigint, unique: true, nullable: false}
            driver_id: {type: integer, nullable: false}
            fare: {type: "decimal(9,2)", nullable: false, range: [0, 100]}
            distance: {type: double, nullable: false, range: [-5, 50]}
            stars: {type: integer, nullable: false, range: [1, 5]}
            status: {type: varchar, nullable: false, domain: [a, b, c, d]}
      """;

  private Connection truth;
  private JdbcDatabase database;
  private Ledger ledger;
  private QueryEngine engine;

  /** A kind of question; the key column, when there is one, comes first. */
  private record Kind(String sql, MechanismChoice mechanism) {}

  private static final Map<String, Kind> KINDS = new TreeMap<>();

  static {
    add("count", "SELECT COUNT(*) FROM trips WHERE %s");
    add("count distinct", "SELECT COUNT(DISTINCT driver_id) FROM trips WHERE %s");
    add("histogram", "SELECT status, COUNT(*) FROM trips WHERE %s GROUP BY status");
    add("sum of decimals", "SELECT SUM(fare) FROM trips WHERE %s");
    add("sum of doubles", "SELECT status, SUM(distance) FROM trips WHERE %s GROUP BY status");
    add("sum of integers", "SELECT SUM(stars) FROM trips WHERE %s");
    add("average", "SELECT AVG(fare) FROM trips WHERE %s");
    add("averages", "SELECT status, AVG(distance) FROM trips WHERE %s GROUP BY status");
    add("deviation", "SELECT STDDEV_POP(stars) FROM trips WHERE %s");
    add("difference", "SELECT COUNT(*) FILTER (WHERE stars > 3) - COUNT(*) FROM trips WHERE %s");
    add(
        "share",
        "SELECT ROUND(100.0 * COUNT(*) FILTER (WHERE stars = 5) / NULLIF(COUNT(*), 0), 1)"
            + " FROM trips WHERE %s");
    add(
        "two cells of one draw",
        "WITH c AS (SELECT status, COUNT(*) AS n FROM trips WHERE %s GROUP BY status)"
            + " SELECT x.status, x.n - y.n FROM c x JOIN c y ON y.status = 'a' AND x.status > 'a'");
    add("product", "SELECT status, SUM(fare) * COUNT(*) FROM trips WHERE %s GROUP BY status");
    add(
        "released",
        "SELECT t.status, COUNT(*) FROM trips t JOIN trips u ON t.driver_id = u.driver_id"
            + " WHERE t.%s GROUP BY t.status");
    String join =
        "SELECT COUNT(*) FROM trips t JOIN trips u ON t.driver_id = u.driver_id WHERE t.%s";
    KINDS.put("lomax", new Kind(join, MechanismChoice.LOMAX));
    KINDS.put("flex", new Kind(join, MechanismChoice.FLEX));
    KINDS.put(
        "lomax under a ceiling",
        new Kind("SELECT COUNT(*) FROM trips WHERE %s", MechanismChoice.LOMAX));
  }

  private static void add(String name, String sql) {
    KINDS.put(name, new Kind(sql, MechanismChoice.AUTO));
  }

  @BeforeAll
  void open(@TempDir Path folder) throws SQLException {
    Policy policy = PolicyReader.read(YamlText.tree(POLICY, ConfigurationError.Code.BAD_POLICY));
    Connection connection = DriverManager.getConnection("jdbc:duckdb:");
    truth = ((org.duckdb.DuckDBConnection) connection).duplicate();
    try (Statement statement = truth.createStatement()) {
      statement.execute(
          "CREATE TABLE trips AS SELECT i::BIGINT AS id, (i * 7 % 60)::INTEGER AS driver_id,"
              + " (hash(i) % 10001 / 100.0)::DECIMAL(9,2) AS fare,"
              + " hash(i + 1000) % 5501 / 100.0 - 5 AS distance,"
              + " (1 + hash(i + 2000) % 5)::INTEGER AS stars,"
              + " chr((97 + hash(i + 3000) % 4)::INTEGER) AS status FROM range(600) r(i)");
    }
    Metrics measured =
        new Collector(
                policy,
                RequiredFrequencies.of(policy).and(ColumnNames.parse("trips.driver_id", policy)),
                Progress.NONE,
                Clock.systemUTC())
            .collect(truth)
            .metrics();
    Metrics metrics =
        MetricRelease.release(
            measured,
            List.of(
                new MetricRelease.Metric(
                    "trips", MetricRelease.Kind.MAX_FREQUENCY, Set.of("driver_id"))),
            new PrivacyParameters(BigDecimal.ONE, new BigDecimal("1e-9")),
            new SmallRides.Replayed(5));
    ErrorLog log = (what, cause) -> {};
    database = JdbcDatabase.over(connection, policy, Duration.ofMinutes(10), log);
    ledger = LedgerOpening.file(folder.resolve("coverage.ledger"), Allowances.of(policy), false);
    SmallRides.Replayed noise = new SmallRides.Replayed(20_241);
    engine =
        SeededGateways.gateway(
            policy,
            LiveMetrics.vouched(policy, metrics),
            "test",
            database,
            ledger,
            log,
            Clock.systemUTC(),
            () -> noise);
  }

  @AfterAll
  void close() throws SQLException {
    ledger.close();
    database.close();
    truth.close();
  }

  @Test
  void errorBarsHoldTheTruthAsOftenAsTheyPromise() throws SQLException {
    hold(EACH);
  }

  @Test
  @Tag("nightly")
  void overManyMoreToo() throws SQLException {
    hold(MANY);
  }

  private void hold(int each) throws SQLException {
    Random random = new Random(7);
    int all = 0;
    int held = 0;
    for (Map.Entry<String, Kind> kind : KINDS.entrySet()) {
      int trials = 0;
      int hits = 0;
      for (int i = 0; i < each; i++) {
        Optional<Boolean> hit = trial(kind.getValue(), random);
        if (hit.isPresent()) {
          trials++;
          hits += hit.get() ? 1 : 0;
        }
      }
      assertTrue(trials >= each * 3 / 4, kind.getKey() + " has only " + trials + " error bars");
      assertTrue(atMost(hits, trials) > UNLIKELY, kind.getKey() + ": " + hits + " of " + trials);
      if (each == MANY && Set.of("count", "released").contains(kind.getKey())) {
        // Wide bars would be honest and useless: one measurement alone is missed now and then.
        assertTrue(hits < trials, kind.getKey() + " is never missed");
      }
      all += trials;
      held += hits;
    }
    assertTrue(all >= 13 * each, all + " questions");
    assertTrue(atMost(held, all) > UNLIKELY, held + " of " + all);
  }

  /** Whether one cell's bar holds the truth; empty when it has no bar or no true value. */
  private Optional<Boolean> trial(Kind kind, Random random) throws SQLException {
    String sql = String.format(kind.sql(), predicate(random));
    AnalystView view = engine.ask(ask(sql, kind.mechanism(), random));
    int value = view.columns().size() - 1;
    int row = random.nextInt(view.rows().size());
    Object key = value == 0 ? "" : view.rows().get(row).get(0);
    BigDecimal exact = exact(sql, value).get(key);
    Optional<AnalystView.Bar> bar = view.interval(row, value);
    if (bar.isEmpty() || exact == null) {
      return Optional.empty();
    }
    // The database adds doubles in another order than we do.
    BigDecimal slack = exact.abs().multiply(new BigDecimal("1e-9"));
    return Optional.of(
        bar.get().low().compareTo(exact.add(slack)) <= 0
            && bar.get().high().compareTo(exact.subtract(slack)) >= 0);
  }

  private static QueryRequest ask(String sql, MechanismChoice mechanism, Random random) {
    String[] epsilons = {"0.2", "0.5", "1", "3"};
    QueryOptions options =
        new QueryOptions(
            mechanism,
            Optional.of(new BigDecimal(epsilons[random.nextInt(epsilons.length)])),
            Optional.empty(),
            Optional.empty());
    return new QueryRequest(sql, options, "ann", Set.of()).withIntervals(true);
  }

  private static String predicate(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> "id < " + (300 + random.nextInt(400));
      case 1 -> "fare > " + random.nextInt(40);
      case 2 -> "stars <> " + (1 + random.nextInt(5));
      default -> "distance BETWEEN -1 AND " + (20 + random.nextInt(40));
    };
  }

  private Map<Object, BigDecimal> exact(String sql, int value) throws SQLException {
    Map<Object, BigDecimal> byKey = new HashMap<>();
    try (Statement statement = truth.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        Object key = value == 0 ? "" : rows.getObject(1);
        Object number = rows.getObject(value + 1);
        if (number != null) {
          byKey.put(key, new BigDecimal(number.toString()));
        }
      }
    }
    return byKey;
  }

  /** P(at most so many successes) when each has probability 0.95. */
  static double atMost(int successes, int trials) {
    List<Double> terms = new ArrayList<>();
    double log = trials * Math.log(0.05);
    for (int k = 0; k <= successes; k++) {
      terms.add(Math.exp(log));
      log += Math.log((trials - k) / (k + 1.0)) + Math.log(0.95 / 0.05);
    }
    return terms.stream().mapToDouble(Double::doubleValue).sum();
  }

  @Test
  void theBinomialTestIsRight() {
    assertEquals(1, atMost(10, 10), 1e-12);
    assertEquals(1 - Math.pow(0.95, 10), atMost(9, 10), 1e-12);
    assertEquals(Math.pow(0.05, 10), atMost(0, 10), 1e-20);
  }
}
