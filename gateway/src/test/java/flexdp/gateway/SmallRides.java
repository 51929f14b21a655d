package flexdp.gateway;

import flexdp.budget.Allowances;
import flexdp.failure.ConfigurationError;
import flexdp.gateway.collect.Collector;
import flexdp.gateway.collect.ColumnNames;
import flexdp.gateway.collect.Progress;
import flexdp.gateway.collect.RequiredFrequencies;
import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.engine.Charging;
import flexdp.gateway.engine.QueryEngine;
import flexdp.gateway.engine.SeededGateways;
import flexdp.gateway.files.JsonText;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.ledger.Ledger;
import flexdp.gateway.ledger.LedgerOpening;
import flexdp.gateway.livedata.LiveMetrics;
import flexdp.gateway.watch.ThresholdAnswers;
import flexdp.gateway.watch.WatchEvaluation;
import flexdp.metrics.Metrics;
import flexdp.metrics.MetricsReader;
import flexdp.noise.BitSource;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** A tiny ride-sharing database with a gateway in front of it. */
public final class SmallRides implements AutoCloseable {
  public static final String POLICY =
      """
      flexdp: 1
      privacy:
        neighbors: add-remove-one
        epsilon: 0.1
        delta: 1e-9
        budget: {epsilon: 1000000, delta: 0.1, composition: basic}
      tables:
        trips:
          columns:
            id: {type: bigint, unique: true, nullable: false}
            driver_id: {type: integer}
            city_id: {type: integer, references: cities.id}
            fare: {type: "decimal(9,2)", range: [0, 500]}
            distance: {type: double, range: [0, 100]}
            status: {type: varchar, domain: [requested, completed, cancelled, null]}
            day: {type: date, range: ["2024-01-01", "2024-12-31"]}
        drivers:
          columns:
            id: {type: integer, unique: true, nullable: false}
            name: {type: varchar}
            city_id: {type: integer}
        cities:
          public: true
          columns:
            id: {type: integer, unique: true, nullable: false}
            name: {type: varchar}
      """;

  static final String METRICS =
      """
      {"trips": {"rows": 6, "columns": {"driver_id": {"maxFrequency": 3, "maxFrequencyWithNull": 3},
                 "city_id": {"maxFrequency": 3, "maxFrequencyWithNull": 3}},
        "released": {"rows": 40, "columns": {"driver_id": {"maxFrequency": 10},
                 "city_id": {"maxFrequency": 12}}, "epsilon": 1, "delta": 1e-9}},
       "drivers": {"rows": 3, "columns": {"city_id": {"maxFrequency": 2}}},
       "cities": {"rows": 4, "columns": {"name": {"maxFrequency": 1}}}}
      """;

  private static final Clock NOON =
      Clock.fixed(Instant.parse("2024-07-01T12:00:00Z"), ZoneOffset.UTC);

  final Policy policy;
  final Ledger ledger;
  final List<String> log = new ArrayList<>();
  public final QueryEngine gateway;
  private final LiveMetrics live;
  private final JdbcDatabase database;
  private final Connection writer;

  /** Noise that can be replayed; only tests can reach it. */
  public static final class Replayed extends BitSource {
    private final SplittableRandom random;

    public Replayed(long seed) {
      random = new SplittableRandom(seed);
    }

    @Override
    protected long next() {
      return random.nextLong();
    }
  }

  /** Noise that is the same in every run, and other noise for every draw. */
  public static Supplier<BitSource> noise(long seed) {
    Replayed bits = new Replayed(seed);
    return () -> bits;
  }

  public SmallRides(Path folder, Supplier<BitSource> bits) throws SQLException {
    this(folder, bits, POLICY);
  }

  public SmallRides(Path folder, Supplier<BitSource> bits, String yaml) throws SQLException {
    this(folder, bits, yaml, List.of());
  }

  /** With changes to the data made first; then what is measured are the changed data. */
  SmallRides(Path folder, Supplier<BitSource> bits, String yaml, List<String> changes)
      throws SQLException {
    policy = PolicyReader.read(YamlText.tree(yaml, ConfigurationError.Code.BAD_POLICY));
    Metrics metrics =
        MetricsReader.read(JsonText.tree(METRICS, ConfigurationError.Code.BAD_METRICS), policy);
    Connection connection = DriverManager.getConnection("jdbc:duckdb:");
    writer = ((org.duckdb.DuckDBConnection) connection).duplicate();
    create();
    for (String change : changes) {
      execute(change);
    }
    if (!changes.isEmpty()) {
      metrics =
          new Collector(
                  policy,
                  RequiredFrequencies.of(policy).and(ColumnNames.parse("trips.driver_id", policy)),
                  Progress.NONE,
                  Clock.systemUTC())
              .collect(writer)
              .metrics();
    }
    ErrorLog owner = (what, cause) -> log.add(what + ": " + cause);
    database = JdbcDatabase.over(connection, policy, Duration.ofMinutes(10), owner);
    ledger = LedgerOpening.file(folder.resolve("rides.ledger"), Allowances.of(policy), false);
    live = LiveMetrics.vouched(policy, metrics);
    gateway = SeededGateways.gateway(policy, live, "test", database, ledger, owner, NOON, bits);
  }

  private void create() throws SQLException {
    execute(
        "CREATE TABLE trips(id BIGINT PRIMARY KEY, driver_id INTEGER, city_id INTEGER,"
            + " fare DECIMAL(9,2), distance DOUBLE, status VARCHAR, day DATE)");
    execute("CREATE TABLE drivers(id INTEGER PRIMARY KEY, name VARCHAR, city_id INTEGER)");
    execute("CREATE TABLE cities(id INTEGER PRIMARY KEY, name VARCHAR)");
    execute("INSERT INTO cities VALUES (1, 'SF'), (2, 'Oslo'), (3, 'Rome'), (4, NULL)");
    execute("INSERT INTO drivers VALUES (1, 'Ann', 1), (2, 'Bob', 1), (3, NULL, 2)");
    execute(
        "INSERT INTO trips VALUES"
            + " (1, 1, 1, 10.50, 2.5, 'completed', '2024-01-15'),"
            + " (2, 1, 1, 20.25, 7.5, 'completed', '2024-01-20'),"
            + " (3, 1, 2, 900.00, 'nan', 'cancelled', '2024-02-01'),"
            + " (4, 2, 1, 5.00, 1.0, NULL, '2024-06-30'),"
            + " (5, 3, 2, NULL, NULL, 'requested', NULL),"
            + " (6, NULL, NULL, 1.00, 500, 'flying', '2024-12-31')");
  }

  /** What compares numbers of these data with thresholds. */
  ThresholdAnswers above(Supplier<BitSource> bits) {
    return new ThresholdAnswers(
        new WatchEvaluation(policy, live, "test", database, gateway.planning(), gateway.rendered()),
        new Charging(ledger, (what, cause) -> log.add(what + ": " + cause)),
        bits);
  }

  void execute(String sql) throws SQLException {
    try (Statement statement = writer.createStatement()) {
      statement.execute(sql);
    }
  }

  /** The database goes away while the gateway stays. */
  void loseDatabase() {
    database.close();
  }

  @Override
  public void close() {
    ledger.close();
    database.close();
  }
}
