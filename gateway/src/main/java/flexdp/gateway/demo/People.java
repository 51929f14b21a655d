package flexdp.gateway.demo;

import flexdp.gateway.demo.RideSharing.Trips.Career;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.List;
import java.util.SplittableRandom;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/** Writes every table but trips. */
final class People {
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
        boolean motorbikes = List.of("VN", "IN", "ID", "TH").contains(City.ALL.get(city).country());
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

  private static void append(DuckDBAppender rows, boolean missing, int value) throws SQLException {
    if (missing) {
      rows.appendNull();
    } else {
      rows.append(value);
    }
  }
}
