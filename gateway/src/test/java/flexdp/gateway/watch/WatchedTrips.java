package flexdp.gateway.watch;

import flexdp.gateway.FlexDp;
import flexdp.gateway.Setup;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.api.ThresholdQuery;
import flexdp.gateway.api.WatchPeriod;
import flexdp.gateway.api.WatchView.WatchOrder;
import flexdp.plan.MechanismChoice;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.Set;

/** Trips of several weeks in a file, to be watched. */
final class WatchedTrips {
  /** With so much ε noise is less than one trip. */
  static final String LOUD = "5000";

  static final LocalDateTime MONDAY = LocalDateTime.of(2026, 11, 2, 9, 30);
  static final String WEEK =
      "SELECT COUNT(*) FROM trips WHERE requested_at >= :now - INTERVAL '7' DAY AND requested_at <"
          + " :now";

  final Path policy;
  private final Path database;

  WatchedTrips(Path folder, String budget) throws IOException, SQLException {
    this(folder, budget, "static: false");
  }

  /**
   * @param more what the policy says of trips beside its columns
   */
  WatchedTrips(Path folder, String budget, String more) throws IOException, SQLException {
    database = folder.resolve("trips.duckdb");
    policy = folder.resolve("rides.yaml");
    Files.writeString(
        policy,
        """
        flexdp: 1
        database: jdbc:duckdb:%s
        privacy: {epsilon: 1, budget: %s}
        tables:
          trips:
            %s
            columns:
              id: {type: bigint, unique: true, nullable: false}
              driver_id: {type: bigint}
              fare: {type: "decimal(9,2)", range: [0, 500]}
              balance: {type: integer, range: [-10, 10]}
              requested_at: {type: timestamp}
          drivers:
            columns:
              id: {type: bigint, unique: true, nullable: false}
              city_id: {type: integer}
        """
            .formatted(database, budget, more));
    execute(
        "CREATE TABLE trips (id BIGINT PRIMARY KEY, driver_id BIGINT, fare DECIMAL(9,2), balance"
            + " INTEGER, requested_at TIMESTAMP)",
        "CREATE TABLE drivers (id BIGINT PRIMARY KEY, city_id INTEGER)",
        "INSERT INTO drivers SELECT i, i % 3 FROM range(20) t(i)",
        // 70 trips a week, and 140 in the week from November 9.
        "INSERT INTO trips SELECT i, i % 20, 10, 1, TIMESTAMP '2026-10-19 00:00:00' + INTERVAL 144"
            + " MINUTE * i FROM range(280) t(i)",
        "INSERT INTO trips SELECT 1000 + i, i % 20, 10, 1, TIMESTAMP '2026-11-09 00:00:00' +"
            + " INTERVAL 144 MINUTE * i FROM range(70) t(i)");
  }

  void execute(String... statements) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:" + database);
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /** At so many weeks after the first Monday. */
  FlexDp open(long weeks) {
    return at(MONDAY.plusWeeks(weeks));
  }

  FlexDp at(LocalDateTime time) {
    return Setup.of(policy)
        .analyst("ann")
        .clock(Clock.fixed(time.toInstant(ZoneOffset.UTC), ZoneOffset.UTC))
        .open();
  }

  static QueryRequest ask(String epsilon) {
    return new QueryRequest(
        "",
        new QueryOptions(
            MechanismChoice.AUTO,
            Optional.of(new BigDecimal(epsilon)),
            Optional.empty(),
            Optional.empty()),
        "ann",
        Set.of(),
        true);
  }

  static WatchOrder order(String sql, long above, int hits) {
    return new WatchOrder(
        "many", sql, new ThresholdQuery(BigDecimal.valueOf(above), hits), WatchPeriod.WEEK);
  }
}
