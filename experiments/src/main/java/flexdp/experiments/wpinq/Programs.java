package flexdp.experiments.wpinq;

import flexdp.experiments.wpinq.Program.Published;
import flexdp.experiments.wpinq.Weighted.Distinct;
import flexdp.experiments.wpinq.Weighted.Join;
import flexdp.experiments.wpinq.Weighted.Lookup;
import flexdp.experiments.wpinq.Weighted.Rows;
import flexdp.experiments.wpinq.Weighted.Select;
import flexdp.experiments.wpinq.Weighted.Where;
import java.util.List;

/**
 * The six programs of the paper's table over the ride-sharing database. Filters stand before the
 * joins in weighted PINQ, which is to its advantage: fewer records share a key's weight.
 */
final class Programs {
  private Programs() {}

  static List<Program> all() {
    return List.of(
        new Program(
            1,
            "distinct drivers with a completed trip in San Francisco, enrolled elsewhere",
            """
            SELECT COUNT(DISTINCT d.id) FROM trips t JOIN drivers d ON t.driver_id = d.id
            JOIN cities c ON t.city_id = c.id
            WHERE c.name = 'San Francisco' AND t.status = 'completed' AND d.city_id <> t.city_id\
            """,
            "",
            "",
            List.of(),
            new Distinct(
                new Where(
                    new Join(inCity(completedTrips(), "San Francisco"), "driver", drivers(), "id"),
                    "home <> city"),
                List.of("driver")),
            new Published(663, 45.9, 22.6)),
        new Program(
            2,
            "active driver accounts tagged as duplicates after June 6",
            """
            SELECT COUNT(*) FROM users u JOIN user_tags g ON u.id = g.user_id
            WHERE u.active AND u.role = 'driver' AND g.tag = 'duplicate'
              AND g.tagged_at > TIMESTAMP '2016-06-06 00:00:00'\
            """,
            "",
            "",
            List.of(),
            new Join(
                new Where(
                    new Rows("users", List.of("id", "active", "role")),
                    "active AND role = 'driver'"),
                "id",
                new Where(
                    new Rows("user_tags", List.of("user_id", "tag", "tagged_at")),
                    "tag = 'duplicate' AND tagged_at > TIMESTAMP '2016-06-06 00:00:00'"),
                "user_id"),
            new Published(734, 71.5, 2.8)),
        new Program(
            3,
            "active motorbike drivers in Hanoi with 10 or more completed trips",
            """
            SELECT COUNT(*) FROM drivers d JOIN analytics a ON d.id = a.driver_id
            JOIN cities c ON d.city_id = c.id
            WHERE c.name = 'Hanoi' AND d.vehicle = 'motorbike' AND d.status = 'active'
              AND a.completed_trips >= 10\
            """,
            "",
            "",
            List.of(),
            new Join(
                new Where(
                    new Lookup(drivers(), "home", "cities", "id", List.of("name")),
                    "name = 'Hanoi' AND vehicle = 'motorbike' AND status = 'active'"),
                "id",
                new Where(analytics(), "completed_trips >= 10"),
                "driver"),
            new Published(212, 51.4, 4.72)),
        new Program(
            4,
            "trips by city on October 24, 2016",
            """
            SELECT c.name AS city_name, COUNT(*) FROM trips t JOIN cities c ON t.city_id = c.id
            WHERE t.requested_at >= TIMESTAMP '2016-10-24 00:00:00'
              AND t.requested_at < TIMESTAMP '2016-10-25 00:00:00'
            GROUP BY c.name\
            """,
            "city_name",
            "",
            List.of(),
            new Select(
                new Lookup(
                    new Where(
                        new Rows("trips", List.of("city_id AS city", "requested_at")),
                        "requested_at >= TIMESTAMP '2016-10-24 00:00:00'"
                            + " AND requested_at < TIMESTAMP '2016-10-25 00:00:00'"),
                    "city",
                    "cities",
                    "id",
                    List.of("name")),
                List.of("name AS city_name")),
            new Published(87, 11.5, 23)),
        new Program(
            5,
            "trips per driver in Hong Kong from September 9 to October 3, 2016",
            """
            SELECT t.driver_id AS driver, COUNT(*) FROM trips t
            JOIN drivers d ON t.driver_id = d.id JOIN cities c ON d.city_id = c.id
            WHERE c.name = 'Hong Kong' AND t.requested_at >= TIMESTAMP '2016-09-09 00:00:00'
              AND t.requested_at < TIMESTAMP '2016-10-04 00:00:00'
            GROUP BY t.driver_id\
            """,
            "driver",
            "SELECT id FROM drivers",
            List.of("trips.driver_id"),
            new Join(
                new Where(
                    new Rows("trips", List.of("driver_id AS driver", "requested_at")),
                    "requested_at >= TIMESTAMP '2016-09-09 00:00:00'"
                        + " AND requested_at < TIMESTAMP '2016-10-04 00:00:00'"),
                "driver",
                new Where(
                    new Lookup(drivers(), "home", "cities", "id", List.of("name")),
                    "name = 'Hong Kong'"),
                "id"),
            new Published(1, 974, 6437)),
        new Program(
            6,
            "drivers by completed trips, registered in Sydney, with a trip in the last 28 days",
            """
            SELECT CASE WHEN a.completed_trips >= 100 THEN '100 or more'
                WHEN a.completed_trips >= 50 THEN '50 to 99'
                WHEN a.completed_trips >= 25 THEN '25 to 49'
                WHEN a.completed_trips >= 10 THEN '10 to 24'
                ELSE 'below 10' END AS trips, COUNT(*)
            FROM drivers d JOIN analytics a ON d.id = a.driver_id
            JOIN cities c ON d.city_id = c.id
            WHERE c.name = 'Sydney' AND a.last_trip_on >= DATE '2016-12-03'
            GROUP BY 1\
            """,
            "trips",
            "",
            List.of(),
            new Select(
                new Join(
                    new Where(
                        new Lookup(drivers(), "home", "cities", "id", List.of("name")),
                        "name = 'Sydney'"),
                    "id",
                    new Where(analytics(), "last_trip_on >= DATE '2016-12-03'"),
                    "driver"),
                List.of(
                    "CASE WHEN completed_trips >= 100 THEN '100 or more'"
                        + " WHEN completed_trips >= 50 THEN '50 to 99'"
                        + " WHEN completed_trips >= 25 THEN '25 to 49'"
                        + " WHEN completed_trips >= 10 THEN '10 to 24'"
                        + " ELSE 'below 10' END AS trips")),
            new Published(72, 51.5, 27.8)));
  }

  private static Weighted completedTrips() {
    return new Where(
        new Rows("trips", List.of("driver_id AS driver", "city_id AS city", "status AS fate")),
        "fate = 'completed'");
  }

  private static Weighted inCity(Weighted trips, String name) {
    return new Where(
        new Lookup(trips, "city", "cities", "id", List.of("name")), "name = '" + name + "'");
  }

  private static Weighted drivers() {
    return new Rows("drivers", List.of("id", "city_id AS home", "vehicle", "status"));
  }

  private static Weighted analytics() {
    return new Rows("analytics", List.of("driver_id AS driver", "completed_trips", "last_trip_on"));
  }
}
