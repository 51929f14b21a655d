package flexdp.cli;

import java.util.List;

/** A question of the demo; those of rides are in the manner of the paper's examples. */
record DemoQuestion(String title, String sql) {
  static final DemoQuestion BY_PEOPLE =
      new DemoQuestion(
          "Not a trip but a driver with all her trips is protected: another policy, drivers.yaml",
          """
          SELECT d.vehicle, COUNT(*) AS trips
          FROM trips t JOIN drivers d ON t.driver_id = d.id
          WHERE t.status = 'completed' GROUP BY d.vehicle ORDER BY trips DESC\
          """);

  static final List<DemoQuestion> RIDES =
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

  static final List<DemoQuestion> HOSPITAL =
      List.of(
          new DemoQuestion(
              "Each patient counts once: noise of about one",
              "SELECT sex, COUNT(*) AS patients FROM patient GROUP BY sex"),
          new DemoQuestion(
              "Patients have many visits: what one of them can add is capped, and the answer says"
                  + " where",
              """
              SELECT department, COUNT(*) AS visits
              FROM visit GROUP BY department ORDER BY visits DESC LIMIT 5\
              """),
          new DemoQuestion(
              "A time series",
              """
              SELECT DATE_TRUNC('month', admitted_at) AS month, COUNT(*) AS visits
              FROM visit WHERE admitted_at >= '2023-01-01' AND admitted_at < '2024-01-01'
              GROUP BY 1 ORDER BY 1\
              """),
          new DemoQuestion(
              "Different patients, by the kind of their visits",
              """
              SELECT kind, COUNT(DISTINCT patient_id) AS patients
              FROM visit GROUP BY kind ORDER BY patients DESC\
              """),
          new DemoQuestion(
              "An average over capped rows",
              """
              SELECT kind, AVG(charge) AS charge FROM visit GROUP BY kind ORDER BY charge DESC\
              """),
          new DemoQuestion(
              "Over a join that keeps patients apart",
              """
              SELECT p.sex, COUNT(*) AS emergencies
              FROM patient p JOIN visit v ON v.patient_id = p.id
              WHERE v.kind = 'emergency' GROUP BY p.sex\
              """),
          new DemoQuestion(
              "How many patients come often",
              """
              SELECT COUNT(*) AS often FROM (
                SELECT patient_id FROM visit GROUP BY patient_id HAVING COUNT(*) >= 10) x\
              """),
          new DemoQuestion(
              "A rejection: who is a patient is nobody's business",
              "SELECT patient_id, COUNT(*) FROM visit GROUP BY patient_id"));
}
