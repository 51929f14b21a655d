package flexdp.cli;

import java.util.List;

/** A question of the demo, in the manner of the paper's examples. */
record DemoQuestion(String title, String sql) {
  static final DemoQuestion BY_PEOPLE =
      new DemoQuestion(
          "Not a trip but a driver with all her trips is protected: another policy, drivers.yaml",
          """
          SELECT d.vehicle, COUNT(*) AS trips
          FROM trips t JOIN drivers d ON t.driver_id = d.id
          WHERE t.status = 'completed' GROUP BY d.vehicle ORDER BY trips DESC\
          """);

  static final List<DemoQuestion> ALL =
      List.of(
          new DemoQuestion(
              "A count: constant sensitivity, plain Laplace noise",
              "SELECT COUNT(*) AS completed FROM trips WHERE status = 'completed'"),
          new DemoQuestion(
              "A histogram: the policy lists the labels, so every one appears",
              """
              SELECT payment, COUNT(*) AS trips, AVG(fare) AS fare
              FROM trips WHERE status = 'completed'
              GROUP BY payment ORDER BY trips DESC\
              """),
          new DemoQuestion(
              "Labels from a public table; order and limit work on the noisy counts",
              """
              SELECT c.name, COUNT(*) AS trips
              FROM trips t JOIN cities c ON t.city_id = c.id
              GROUP BY c.name ORDER BY trips DESC LIMIT 5\
              """),
          new DemoQuestion(
              "A histogram over a join of two protected tables: released metrics make it possible",
              """
              SELECT d.vehicle, COUNT(*) AS trips
              FROM trips t JOIN drivers d ON t.driver_id = d.id
              WHERE t.status = 'completed'
              GROUP BY d.vehicle ORDER BY trips DESC\
              """),
          new DemoQuestion(
              "Three tables: drivers with a tag, by tag",
              """
              SELECT ut.tag, COUNT(DISTINCT d.id) AS drivers
              FROM drivers d JOIN users u ON d.user_id = u.id
              JOIN user_tags ut ON ut.user_id = u.id
              GROUP BY ut.tag ORDER BY drivers DESC\
              """),
          new DemoQuestion(
              "A nested aggregate: drivers with more than 100 completed trips",
              """
              SELECT COUNT(*) AS busy_drivers FROM (
                SELECT driver_id FROM trips WHERE status = 'completed'
                GROUP BY driver_id HAVING COUNT(*) > 100) x\
              """),
          new DemoQuestion(
              "A self join: pairs of trips of one rider with one driver",
              """
              SELECT COUNT(*) AS pairs FROM trips a JOIN trips b
              ON a.rider_id = b.rider_id AND a.driver_id = b.driver_id AND a.id < b.id\
              """),
          new DemoQuestion(
              "Above the aggregate everything is free: a share of noisy counts",
              """
              SELECT ROUND(100.0 * COUNT(*) FILTER (WHERE status = 'cancelled') / COUNT(*), 1)
                AS cancelled_percent FROM trips\
              """),
          new DemoQuestion(
              "A rejection: which drivers exist is nobody's business",
              "SELECT driver_id, COUNT(*) FROM trips GROUP BY driver_id"),
          new DemoQuestion("Another: raw rows", "SELECT * FROM trips WHERE fare > 400"));
}
