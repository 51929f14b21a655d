package flexdp.experiments.workload;

import static flexdp.experiments.study.Relationship.MANY_TO_MANY;
import static flexdp.experiments.study.Relationship.ONE_TO_MANY;
import static flexdp.experiments.study.Relationship.ONE_TO_ONE;
import static flexdp.experiments.workload.RideTable.ANALYTICS;
import static flexdp.experiments.workload.RideTable.CITIES;
import static flexdp.experiments.workload.RideTable.DRIVERS;
import static flexdp.experiments.workload.RideTable.TRIPS;
import static flexdp.experiments.workload.RideTable.USERS;
import static flexdp.experiments.workload.RideTable.USER_TAGS;

import flexdp.experiments.study.Relationship;
import java.util.List;

/** Two columns that people join by. */
record Edge(
    RideTable left, String leftKey, RideTable right, String rightKey, Relationship relationship) {

  static final List<Edge> ALL =
      List.of(
          new Edge(TRIPS, "driver_id", DRIVERS, "id", ONE_TO_MANY),
          new Edge(TRIPS, "rider_id", USERS, "id", ONE_TO_MANY),
          new Edge(TRIPS, "city_id", CITIES, "id", ONE_TO_MANY),
          new Edge(TRIPS, "driver_id", ANALYTICS, "driver_id", ONE_TO_MANY),
          new Edge(DRIVERS, "city_id", CITIES, "id", ONE_TO_MANY),
          new Edge(USERS, "city_id", CITIES, "id", ONE_TO_MANY),
          new Edge(USER_TAGS, "user_id", USERS, "id", ONE_TO_MANY),
          new Edge(USER_TAGS, "user_id", DRIVERS, "user_id", ONE_TO_MANY),
          new Edge(USERS, "referrer_id", USERS, "id", ONE_TO_MANY),
          new Edge(DRIVERS, "id", ANALYTICS, "driver_id", ONE_TO_ONE),
          new Edge(DRIVERS, "user_id", USERS, "id", ONE_TO_ONE),
          new Edge(TRIPS, "id", TRIPS, "id", ONE_TO_ONE),
          new Edge(DRIVERS, "id", DRIVERS, "id", ONE_TO_ONE),
          new Edge(USERS, "id", USERS, "id", ONE_TO_ONE),
          new Edge(ANALYTICS, "driver_id", ANALYTICS, "driver_id", ONE_TO_ONE),
          new Edge(CITIES, "id", CITIES, "id", ONE_TO_ONE),
          new Edge(TRIPS, "rider_id", USER_TAGS, "user_id", MANY_TO_MANY),
          new Edge(TRIPS, "driver_id", TRIPS, "driver_id", MANY_TO_MANY),
          new Edge(TRIPS, "rider_id", TRIPS, "rider_id", MANY_TO_MANY),
          new Edge(TRIPS, "city_id", USERS, "city_id", MANY_TO_MANY),
          new Edge(TRIPS, "city_id", DRIVERS, "city_id", MANY_TO_MANY),
          new Edge(USERS, "city_id", DRIVERS, "city_id", MANY_TO_MANY),
          new Edge(USER_TAGS, "user_id", USER_TAGS, "user_id", MANY_TO_MANY));

  boolean touches(RideTable table) {
    return left == table || right == table;
  }

  RideTable other(RideTable table) {
    return left == table ? right : left;
  }

  String keyOf(RideTable table) {
    return left == table ? leftKey : rightKey;
  }

  /** The key of the table at the other end; of a self join the other key. */
  String keyAcross(RideTable table) {
    return left == table ? rightKey : leftKey;
  }
}
