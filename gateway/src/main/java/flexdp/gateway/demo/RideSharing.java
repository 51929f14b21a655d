package flexdp.gateway.demo;

import flexdp.gateway.demo.Trips.Career;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.SplittableRandom;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/**
 * A ride-sharing database like the paper's: trips, drivers, users, user_tags, analytics, and the
 * public cities. The same number of trips and the same seed give the same rows.
 *
 * @param trips how many; everything else grows with it
 */
public record RideSharing(int trips, long seed) {
  public static final int DEFAULT_TRIPS = 100_000;
  public static final long DEFAULT_SEED = 2016;

  /** Every table, protected ones first. */
  public static final List<String> TABLES =
      List.of("trips", "drivers", "users", "user_tags", "analytics", "cities");

  public RideSharing {
    if (trips < 0) {
      throw new IllegalArgumentException("trips must be >= 0. Provided value: " + trips);
    }
  }

  public static RideSharing usual() {
    return new RideSharing(DEFAULT_TRIPS, DEFAULT_SEED);
  }

  /**
   * Makes the database in a new DuckDB file. The file appears when it is complete, never half
   * written.
   *
   * @throws FileAlreadyExistsException rather than to replace somebody's database
   */
  public void create(Path file) throws IOException, SQLException {
    WholeFile.make(file, this::fill);
  }

  /** Makes the tables in an empty DuckDB database. */
  public void fill(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(resource("rides.sql"));
      // DuckDB's appender checks CHECK constraints wrongly from the second chunk on, so rows pass
      // through tables that have none.
      for (String table : TABLES) {
        statement.execute("CREATE TEMP TABLE draft_" + table + " AS FROM " + table + " LIMIT 0");
      }
      write(connection);
      for (String table : TABLES) {
        statement.execute("INSERT INTO " + table + " FROM draft_" + table);
        statement.execute("DROP TABLE draft_" + table);
      }
    }
  }

  static DuckDBAppender appender(DuckDBConnection connection, String table) throws SQLException {
    return connection.createAppender("temp", "main", "draft_" + table);
  }

  private void write(Connection connection) throws SQLException {
    DuckDBConnection duckdb = connection.unwrap(DuckDBConnection.class);
    SplittableRandom random = new SplittableRandom(seed);
    Population population = new Population(trips, random.split());
    People people = new People(duckdb, population);
    people.cities();
    people.users(random.split());
    people.drivers(random.split());
    people.tags(random.split());
    Career[] careers = new Trips(duckdb, population).write(trips, random.split());
    people.analytics(careers, random.split());
  }

  /** How many drivers there are. */
  public int drivers() {
    return Population.drivers(trips);
  }

  /** How many users there are that are no drivers. */
  public int riders() {
    return Population.users(trips) - drivers();
  }

  /** drivers.id of one of them, counted from zero; the first are the busiest of their cities. */
  public long driverId(int driver) {
    return People.driverKey(driver);
  }

  /** users.id of one of the riders, counted from zero. */
  public long riderId(int rider) {
    return Population.key(drivers() + rider);
  }

  /** The text of the policy for a database at that JDBC address. */
  public static String policy(String url) {
    return policy("rides.yaml", url);
  }

  /** The same for a policy that protects drivers, each with all her trips. */
  public static String policyByDrivers(String url) {
    return policy("drivers.yaml", url);
  }

  private static String policy(String name, String url) {
    String quoted = "\"" + url.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    return resource(name).replace("jdbc:duckdb:rides.duckdb", quoted);
  }

  private static String resource(String name) {
    try (InputStream in = RideSharing.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
