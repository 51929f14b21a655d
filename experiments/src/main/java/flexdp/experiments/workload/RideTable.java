package flexdp.experiments.workload;

import java.util.List;
import java.util.Locale;

/**
 * The tables of the ride-sharing database that queries are drawn over.
 *
 * @see flexdp.gateway.demo.RideSharing
 */
enum RideTable {
  TRIPS(
      "t",
      List.of("id", "driver_id", "rider_id", "city_id", "status", "requested_at", "completed_at"),
      List.of("fare", "distance_km", "rating"),
      List.of("status", "payment", "rating", "city_id")),
  DRIVERS(
      "d",
      List.of("id", "user_id", "city_id", "vehicle", "status", "registered_on"),
      List.of("rating"),
      List.of("vehicle", "status", "city_id")),
  USERS(
      "u",
      List.of("id", "role", "city_id", "active", "signed_up_on", "referrer_id"),
      List.of(),
      List.of("role", "active", "city_id")),
  USER_TAGS("g", List.of("user_id", "tag", "tagged_at", "tagged_by"), List.of(), List.of("tag")),
  ANALYTICS(
      "a",
      List.of("driver_id", "last_trip_on"),
      List.of("completed_trips", "hours_online", "acceptance_rate"),
      List.of()),
  CITIES("c", List.of("id", "name", "country"), List.of(), List.of("name", "country"));

  private final String letter;
  private final List<String> plain;
  private final List<String> measures;
  private final List<String> labels;

  RideTable(String letter, List<String> plain, List<String> measures, List<String> labels) {
    this.letter = letter;
    this.plain = plain;
    this.measures = measures;
    this.labels = labels;
  }

  String sql() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The usual alias, before a number. */
  String letter() {
    return letter;
  }

  boolean isPublic() {
    return this == CITIES;
  }

  /** Columns without a range. */
  List<String> plain() {
    return plain;
  }

  /** Numbers with a declared range: what can be summed. */
  List<String> measures() {
    return measures;
  }

  /** Columns whose labels are public. */
  List<String> labels() {
    return labels;
  }
}
