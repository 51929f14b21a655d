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
import java.util.ArrayList;
import java.util.Arrays;
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

  /**
   * Ranks 0, 1, 2, ... of which the first are by far the most frequent, as drivers, riders and
   * cities are: rank i has weight (i + head)^-exponent.
   */
  static final class Zipf {
    private final double[] cumulative;

    Zipf(int ranks, double head, double exponent) {
      cumulative = new double[ranks];
      double sum = 0;
      for (int i = 0; i < ranks; i++) {
        sum += StrictMath.pow(i + head, -exponent);
        cumulative[i] = sum;
      }
    }

    /** A rank among the first {@code limit}. */
    int rank(SplittableRandom random, int limit) {
      double point = random.nextDouble() * cumulative[limit - 1];
      int found = Arrays.binarySearch(cumulative, 0, limit, point);
      return Math.min(limit - 1, found >= 0 ? found + 1 : -found - 1);
    }
  }

  /** A public row; the busiest cities come first. */
  record City(String name, String country) {
    static final List<City> ALL =
        List.of(
            new City("San Francisco", "US"),
            new City("New York", "US"),
            new City("London", "GB"),
            new City("Sao Paulo", "BR"),
            new City("Hong Kong", "HK"),
            new City("Los Angeles", "US"),
            new City("Hanoi", "VN"),
            new City("Mexico City", "MX"),
            new City("Sydney", "AU"),
            new City("Paris", "FR"),
            new City("Chicago", "US"),
            new City("Delhi", "IN"),
            new City("Mumbai", "IN"),
            new City("Boston", "US"),
            new City("Toronto", "CA"),
            new City("Washington", "US"),
            new City("Johannesburg", "ZA"),
            new City("Singapore", "SG"),
            new City("Jakarta", "ID"),
            new City("Melbourne", "AU"),
            new City("Seattle", "US"),
            new City("Miami", "US"),
            new City("Bogota", "CO"),
            new City("Lima", "PE"),
            new City("Santiago", "CL"),
            new City("Manila", "PH"),
            new City("Bangkok", "TH"),
            new City("Cairo", "EG"),
            new City("Lagos", "NG"),
            new City("Nairobi", "KE"),
            new City("Madrid", "ES"),
            new City("Lisbon", "PT"),
            new City("Rome", "IT"),
            new City("Berlin", "DE"),
            new City("Warsaw", "PL"),
            new City("Prague", "CZ"),
            new City("Vienna", "AT"),
            new City("Zurich", "CH"),
            new City("Amsterdam", "NL"),
            new City("Brussels", "BE"),
            new City("Copenhagen", "DK"),
            new City("Stockholm", "SE"),
            new City("Helsinki", "FI"),
            new City("Oslo", "NO"),
            new City("Dublin", "IE"),
            new City("Istanbul", "TR"),
            new City("Dubai", "AE"),
            new City("Taipei", "TW"),
            new City("Tokyo", "JP"),
            new City("Auckland", "NZ"));

    /** Its key: the place in the list, from one. */
    static int id(int rank) {
      return rank + 1;
    }
  }

  /** Writes every table but trips. */
  private static final class People {
    private static final List<String> TAGS =
        List.of("duplicate", "vip", "complaint", "fraud", "business", "student", "beta");
    private static final int OPENING = (int) LocalDate.of(2012, 1, 1).toEpochDay();
    private static final int YEAR = (int) LocalDate.of(2016, 1, 1).toEpochDay();

    private final DuckDBConnection connection;
    private final Population population;

    People(DuckDBConnection connection, Population population) {
      this.connection = connection;
      this.population = population;
    }

    void cities() throws SQLException {
      try (DuckDBAppender rows = RideSharing.appender(connection, "cities")) {
        for (int rank = 0; rank < City.ALL.size(); rank++) {
          City city = City.ALL.get(rank);
          rows.beginRow().append(City.id(rank)).append(city.name()).append(city.country()).endRow();
        }
      }
    }

    void users(SplittableRandom random) throws SQLException {
      Zipf referrers = new Zipf(population.users(), 20, 0.6);
      try (DuckDBAppender rows = RideSharing.appender(connection, "users")) {
        for (int user = 0; user < population.users(); user++) {
          boolean drives = user < population.drivers();
          boolean referred = user > 0 && random.nextInt(3) == 0;
          int referrer = referrers.rank(random, Math.max(1, user));
          boolean homeless = random.nextInt(25) == 0;
          rows.beginRow().append(Population.key(user)).append(drives ? "driver" : "rider");
          append(rows, homeless, City.id(population.cityOf(user)));
          rows.append(random.nextInt(10) > 0);
          rows.appendEpochDays(OPENING + random.nextInt(YEAR + 366 - OPENING));
          if (referred) {
            rows.append(Population.key(referrer));
          } else {
            rows.appendNull();
          }
          rows.endRow();
        }
      }
    }

    void drivers(SplittableRandom random) throws SQLException {
      try (DuckDBAppender rows = RideSharing.appender(connection, "drivers")) {
        for (int driver = 0; driver < population.drivers(); driver++) {
          int city = population.cityOf(driver);
          boolean motorbikes =
              List.of("VN", "IN", "ID", "TH").contains(City.ALL.get(city).country());
          int draw = random.nextInt(100);
          String vehicle =
              draw < (motorbikes ? 60 : 5)
                  ? "motorbike"
                  : draw < 90 ? "car" : draw < 97 ? "van" : "bicycle";
          int fate = random.nextInt(100);
          String status = fate < 80 ? "active" : fate < 95 ? "inactive" : "banned";
          rows.beginRow().append(driverKey(driver)).append(Population.key(driver));
          rows.append(City.id(city)).append(vehicle).append(status);
          rows.appendEpochDays(OPENING + random.nextInt(YEAR - OPENING));
          int rating = 300 + random.nextInt(100) + random.nextInt(101);
          if (random.nextInt(12) == 0) {
            rows.appendNull();
          } else {
            rows.appendDecimal((short) rating);
          }
          rows.endRow();
        }
      }
    }

    void tags(SplittableRandom random) throws SQLException {
      try (DuckDBAppender rows = RideSharing.appender(connection, "user_tags")) {
        for (int user = 0; user < population.users(); user++) {
          for (String tag : TAGS) {
            if (random.nextInt(25) == 0) {
              long second = random.nextLong(366L * 24 * 3600);
              rows.beginRow().append(Population.key(user)).append(tag);
              rows.appendEpochMicros((YEAR * 86_400L + second) * 1_000_000);
              append(rows, random.nextInt(4) > 0, 1 + random.nextInt(40));
              rows.endRow();
            }
          }
        }
      }
    }

    void analytics(Career[] careers, SplittableRandom random) throws SQLException {
      try (DuckDBAppender rows = RideSharing.appender(connection, "analytics")) {
        for (int driver = 0; driver < careers.length; driver++) {
          Career career = careers[driver];
          rows.beginRow().append(driverKey(driver)).append(career.completed());
          if (career.completed() > 0) {
            rows.appendEpochDays(career.lastDay());
          } else {
            rows.appendNull();
          }
          rows.appendDecimal(career.completed() * 7 + random.nextInt(400));
          if (random.nextInt(10) == 0) {
            rows.appendNull();
          } else {
            rows.append(random.nextInt(1001) / 1000.0);
          }
          rows.endRow();
        }
      }
    }

    static long driverKey(int driver) {
      return 5_000_000_000L + Population.key(driver);
    }

    private static void append(DuckDBAppender rows, boolean missing, int value)
        throws SQLException {
      if (missing) {
        rows.appendNull();
      } else {
        rows.append(value);
      }
    }
  }

  /**
   * Who there is: user accounts, of which the first are drivers' own, each at home in one city.
   * Keys are spread by a fixed odd multiplier, so that they do not tell how busy somebody is.
   */
  private static final class Population {
    private static final long SPREAD = 7919;

    private final int drivers;
    private final int users;
    private final List<List<Integer>> driversByCity = new ArrayList<>();
    private final List<List<Integer>> ridersByCity = new ArrayList<>();
    private final int[] cityOf;

    Population(int trips, SplittableRandom random) {
      drivers = drivers(trips);
      users = users(trips);
      cityOf = new int[users];
      for (int i = 0; i < City.ALL.size(); i++) {
        driversByCity.add(new ArrayList<>());
        ridersByCity.add(new ArrayList<>());
      }
      Zipf cities = new Zipf(City.ALL.size(), 1, 0.9);
      for (int driver = 0; driver < drivers; driver++) {
        // Every city has a driver, so that no city is dead.
        int everyone = City.ALL.size();
        int city = driver < everyone ? driver : cities.rank(random, everyone);
        cityOf[driver] = city;
        driversByCity.get(city).add(driver);
      }
      for (int user = drivers; user < users; user++) {
        int everyone = City.ALL.size();
        int city = user - drivers < everyone ? user - drivers : cities.rank(random, everyone);
        cityOf[user] = city;
        ridersByCity.get(city).add(user);
      }
    }

    static int drivers(int trips) {
      return Math.max(City.ALL.size(), trips / 50);
    }

    static int users(int trips) {
      return Math.max(4 * drivers(trips), trips / 8);
    }

    int drivers() {
      return drivers;
    }

    int users() {
      return users;
    }

    /** Drivers have the same number as users as they have as drivers. */
    int cityOf(int user) {
      return cityOf[user];
    }

    List<Integer> driversOf(int city) {
      return driversByCity.get(city);
    }

    List<Integer> ridersOf(int city) {
      return ridersByCity.get(city);
    }

    /** Different for different numbers below a million million. */
    static long key(int number) {
      return 100_000 + number * SPREAD % 1_000_000_000_039L;
    }
  }
}
