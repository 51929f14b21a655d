package flexdp.gateway;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Questions as dashboards ask them, close enough to each other that some follow from others. */
final class RandomDashboard {
  private static final String[] FROM = {
    "trips t",
    "trips t",
    "trips t",
    "trips t JOIN cities c ON t.city_id = c.id",
    "cities c JOIN trips t ON c.id = t.city_id",
    "trips t LEFT JOIN cities c ON t.city_id = c.id"
  };
  private static final String[] CONDITIONS = {
    "t.status = 'completed'",
    "'completed' = t.status",
    "t.status IN ('completed', 'requested')",
    "t.status = 'requested' OR t.status IS NULL",
    "t.status IS NULL",
    "t.status <> 'completed'",
    "t.status = 'lost'",
    "t.day >= DATE '2024-01-12' AND t.day < DATE '2024-01-19'",
    "t.day BETWEEN DATE '2024-02-10' AND DATE '2024-02-14'",
    "t.day = DATE '2024-03-11'",
    "t.day > DATE '2024-12-20'",
    "t.distance > 10",
    "NOT (t.distance > 10)",
    "(t.distance > 10) IS NOT TRUE",
    "t.distance > 11",
    "t.driver_id = 1",
    "t.driver_id IN (1, 2, 3)",
    "t.driver_id < 3",
    "t.fare > 2",
    "t.fare IS NOT NULL",
    "EXTRACT(MONTH FROM t.day) = 2",
    "EXTRACT(MONTH FROM t.day) IN (1, 3)",
    "t.city_id = 1",
    "t.city_id IN (1, 2)"
  };
  private static final String[] CITY_CONDITIONS = {
    "c.name = 'SF'", "c.name IN ('SF', 'Rome')", "c.name IS NULL", "c.id = 2"
  };
  private static final String[] KEYS = {
    "t.status",
    "t.status",
    "t.distance > 10",
    "EXTRACT(MONTH FROM t.day)",
    "t.day",
    "t.city_id",
    "CASE WHEN t.status = 'completed' THEN 'done' ELSE 'open' END",
    "CASE WHEN t.distance > 10 THEN 'far' WHEN t.status = 'completed' THEN 'near' END",
    "t.fare IS NULL"
  };
  private static final String[] CITY_KEYS = {"c.name", "c.id"};
  private static final String[] AGGREGATES = {
    "COUNT(*)",
    "COUNT(*)",
    "COUNT(t.fare)",
    "SUM(t.fare)",
    "AVG(t.fare)",
    "COUNT(DISTINCT t.driver_id)",
    "COUNT(CASE WHEN t.status = 'completed' THEN 1 END)",
    "COUNT(*) FILTER (WHERE t.distance > 10)"
  };

  /** What a dashboard shows first; much of the rest follows from it. */
  static final List<String> BROAD =
      List.of(
          "SELECT t.status, COUNT(*), SUM(t.fare) FROM trips t GROUP BY t.status",
          "SELECT t.status, t.distance > 10, COUNT(*) FROM trips t GROUP BY 1, 2",
          "SELECT t.day, COUNT(*) FROM trips t GROUP BY t.day",
          "SELECT EXTRACT(MONTH FROM t.day), COUNT(*), AVG(t.fare) FROM trips t GROUP BY 1",
          "SELECT c.name, COUNT(*) FROM trips t JOIN cities c ON t.city_id = c.id GROUP BY c.name");

  private RandomDashboard() {}

  static String question(Random random) {
    String from = pick(random, FROM);
    boolean cities = from.contains("cities");
    List<String> conditions = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      conditions.add(
          "(" + pick(random, cities && random.nextBoolean() ? CITY_CONDITIONS : CONDITIONS) + ")");
    }
    List<String> keys = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      String key = pick(random, cities && random.nextBoolean() ? CITY_KEYS : KEYS);
      if (!keys.contains(key) && !(key.equals("t.day") && !keys.isEmpty())) {
        keys.add(key);
      }
    }
    List<String> columns = new ArrayList<>(keys);
    columns.add(pick(random, AGGREGATES));
    if (random.nextInt(3) == 0) {
      columns.add(pick(random, AGGREGATES));
    }
    return "SELECT "
        + String.join(", ", columns)
        + " FROM "
        + from
        + (conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions))
        + (keys.isEmpty() ? "" : " GROUP BY " + String.join(", ", keys));
  }

  private static String pick(Random random, String[] from) {
    return from[random.nextInt(from.length)];
  }
}
