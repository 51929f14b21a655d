package flexdp.cli;

import java.util.ArrayList;
import java.util.List;

/** Questions of every shape over the demo database, many of which would make a database raise. */
final class ScanQuestions {
  private static final List<String> SOURCES =
      List.of(
          "trips t",
          "trips t JOIN drivers d ON t.driver_id = d.id",
          "trips t JOIN cities c ON t.city_id = c.id",
          "trips t LEFT JOIN users u ON t.rider_id = u.id",
          "trips t JOIN trips s ON t.driver_id = s.driver_id",
          "trips t JOIN drivers d ON t.driver_id = d.id JOIN users u ON d.user_id = u.id");
  private static final List<String> CONDITIONS =
      List.of(
          "t.status = 'completed'",
          "t.fare > 20",
          "CAST(t.payment AS INTEGER) > 3",
          "1 / (t.rating - 3) > 0",
          "SQRT(t.fare - 100) > 1",
          "LN(t.distance_km - 5) > 0",
          "t.id * 9223372036854775807 > 5",
          "t.requested_at > DATE '2016-06-01'",
          "t.payment LIKE 'c%' OR t.rating IN (4, 5)",
          "EXISTS (SELECT 1 FROM user_tags g WHERE g.user_id = t.rider_id)",
          "t.fare > (SELECT AVG(x.fare) FROM trips x WHERE x.rider_id = t.rider_id)");
  private static final List<String> AGGREGATES =
      List.of(
          "COUNT(*)",
          "COUNT(DISTINCT t.rider_id)",
          "SUM(t.fare)",
          "AVG(t.distance_km)",
          "COUNT(*), SUM(t.rating)",
          "MEDIAN(t.fare)",
          "STDDEV(t.fare)",
          "COUNT(*) AS n, DP_INTERVAL_LOW(n), DP_INTERVAL_HIGH(n)",
          "SUM(t.fare) / 2 AS s, DP_INTERVAL_LOW(s) AS low");

  private ScanQuestions() {}

  static List<String> all() {
    List<String> all = new ArrayList<>();
    for (String source : SOURCES) {
      for (String condition : CONDITIONS) {
        for (String aggregate : AGGREGATES) {
          all.add("SELECT " + aggregate + " FROM " + source + " WHERE " + condition);
        }
        all.add(
            "SELECT t.status, COUNT(*) FROM "
                + source
                + " WHERE "
                + condition
                + " GROUP BY t.status ORDER BY 2 DESC");
      }
    }
    all.addAll(
        List.of(
            "SELECT * FROM trips",
            "SELECT driver_id FROM trips",
            "SELECT driver_id, COUNT(*) FROM trips GROUP BY driver_id",
            "SELECT COUNT(*) FROM nothing",
            "SELECT COUNT(*) FROM trips WHERE nothing = 1",
            "SELECT COUNT(*) FROM trips; SELECT 1",
            "DROP TABLE trips",
            "SELECT COUNT(* FROM trips",
            "SELECT SUM(id) FROM trips",
            "SELECT COUNT(*) FROM trips a, trips b",
            "SELECT COUNT(*) FROM trips a JOIN trips b ON a.fare > b.fare",
            "SELECT COUNT(*) FROM trips WHERE fare > (SELECT AVG(fare) FROM trips)",
            "SELECT random() FROM trips",
            "SELECT COUNT(*) FROM read_csv('x.csv')",
            "SELECT COUNT(*) FROM trips TABLESAMPLE BERNOULLI (10)",
            "SELECT MAX(requested_at) FROM trips",
            "SELECT name, COUNT(*) OVER () FROM cities",
            "SELECT COUNT(*) FROM trips HAVING COUNT(*) > 10",
            "SELECT city_id, SUM(fare) FROM trips GROUP BY ROLLUP(city_id)",
            "SELECT EXTRACT(MONTH FROM requested_at), COUNT(*) FROM trips GROUP BY 1",
            "SELECT pg_sleep(1)",
            "SELECT COUNT(*) FROM duckdb_settings()",
            "SELECT error('x') FROM trips",
            "SELECT COUNT(*) / 0 FROM trips",
            "SELECT CAST('x' AS INTEGER), COUNT(*) FROM trips",
            "SELECT 1 + NULL",
            "",
            "SELECT",
            "EXPLAIN SELECT COUNT(*) FROM trips",
            "COPY trips TO 'x'"));
    return all;
  }
}
