package flexdp.gateway.demo;

import flexdp.gateway.demo.RideSharing.Trips.Career;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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

  /** A policy that protects drivers, each with all her trips. */
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

  /** Writes the trips of 2016 in the order in which they were requested. */
  static final class Trips {
    private static final long SECONDS = 366L * 24 * 3600;
    private static final long START = LocalDate.of(2016, 1, 1).toEpochDay() * 86_400;
    private static final List<String> PAYMENTS = List.of("card", "card", "card", "wallet", "cash");

    private final DuckDBConnection connection;
    private final Population population;
    private final Zipf cities = new Zipf(City.ALL.size(), 1, 0.9);
    private final Zipf drivers;
    private final Zipf riders;

    /** What is left of a driver's year in analytics. */
    record Career(int completed, int lastDay) {}

    Trips(DuckDBConnection connection, Population population) {
      this.connection = connection;
      this.population = population;
      drivers = new Zipf(population.drivers(), 8, 0.5);
      riders = new Zipf(population.users(), 15, 0.6);
    }

    /** The careers, by driver. */
    Career[] write(int trips, SplittableRandom random) throws SQLException {
      Career[] careers = new Career[population.drivers()];
      java.util.Arrays.fill(careers, new Career(0, 0));
      Set<Long> taken = new HashSet<>(trips * 2);
      try (DuckDBAppender rows = RideSharing.appender(connection, "trips")) {
        for (int trip = 0; trip < trips; trip++) {
          int city = cities.rank(random, City.ALL.size());
          boolean guest = random.nextInt(20) == 0;
          int home = guest ? cities.rank(random, City.ALL.size()) : city;
          int driver = member(population.driversOf(home), drivers, random);
          int rider = member(population.ridersOf(city), riders, random);
          long second = SECONDS * trip / trips + random.nextInt(5);
          // A driver has one trip at a time: (driver_id, requested_at) is a key.
          while (!taken.add(driver * SECONDS * 2 + second)) {
            second++;
          }
          if (row(rows, trip, driver, rider, city, second, random)) {
            int day = (int) ((START + second) / 86_400);
            careers[driver] = new Career(careers[driver].completed() + 1, day);
          }
        }
      }
      return careers;
    }

    private static int member(List<Integer> members, Zipf zipf, SplittableRandom random) {
      return members.get(zipf.rank(random, members.size()));
    }

    /** Whether the trip was completed. */
    private static boolean row(
        DuckDBAppender rows,
        int trip,
        int driver,
        int rider,
        int city,
        long second,
        SplittableRandom random)
        throws SQLException {
      int fate = random.nextInt(100);
      boolean completed = fate < 82;
      long asked = (START + second) * 1_000_000;
      double kilometres = StrictMath.round(StrictMath.exp(random.nextDouble() * 4.2) * 10) / 10.0;
      int cents = (int) Math.min(50_000, 250 + kilometres * (90 + random.nextInt(120)));
      rows.beginRow().append(1L + trip).append(People.driverKey(driver));
      rows.append(Population.key(rider)).append(City.id(city));
      rows.append(completed ? "completed" : fate < 96 ? "cancelled" : "requested");
      rows.appendEpochMicros(asked);
      String payment = PAYMENTS.get(random.nextInt(PAYMENTS.size()));
      int stars = 5 - Math.min(4, random.nextInt(20) / 4 * random.nextInt(2));
      if (completed) {
        rows.appendEpochMicros(asked + (long) (120 + kilometres * 110) * 1_000_000);
        rows.appendDecimal(cents).append(kilometres).append(payment);
      } else {
        rows.appendNull().appendNull().appendNull().appendNull();
      }
      if (completed && random.nextInt(3) > 0) {
        rows.append((short) stars);
      } else {
        rows.appendNull();
      }
      rows.endRow();
      return completed;
    }
  }
}
