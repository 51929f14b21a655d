package flexdp.gateway.demo;

import java.sql.SQLException;
import java.time.LocalDate;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/** Writes the trips of 2016 in the order in which they were requested. */
final class Trips {
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
