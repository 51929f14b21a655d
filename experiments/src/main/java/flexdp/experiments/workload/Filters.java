package flexdp.experiments.workload;

import java.time.LocalDate;
import java.util.List;

/** Conditions as analysts write them: by time, place, state and, rarely, by person. */
final class Filters {
  private static final List<String> TAGS =
      List.of("duplicate", "vip", "complaint", "fraud", "business", "student", "beta");
  private static final List<String> CITIES =
      List.of("San Francisco", "New York", "London", "Hong Kong", "Hanoi", "Sydney", "Oslo");
  private static final List<String> COUNTRIES = List.of("US", "GB", "BR", "VN", "AU", "NO");
  private static final int YEAR = 2016;

  /** How long a range of time is, in days, and how often it is asked for. */
  private static final Choice<Integer> DAYS =
      new Choice<Integer>().or(10, 1).or(25, 7).or(10, 14).or(30, 30).or(15, 91).or(10, 366);

  private final Draw draw;

  Filters(Draw draw) {
    this.draw = draw;
  }

  /** A condition on a row of a table that concerns many rows. */
  String of(Instance on) {
    return switch (on.table()) {
      case TRIPS -> trips(on);
      case DRIVERS -> drivers(on);
      case USERS -> users(on);
      case USER_TAGS ->
          draw.chance(0.7)
              ? on.column("tag") + " = " + quoted(draw.of(TAGS))
              : time(on.column("tagged_at"));
      case ANALYTICS ->
          draw.chance(0.6)
              ? on.column("completed_trips") + " >= " + draw.between(1, 60)
              : on.column("hours_online") + " > " + draw.between(10, 500);
      case CITIES ->
          draw.chance(0.5)
              ? on.column("name") + " = " + quoted(draw.of(CITIES))
              : on.column("country") + " IN (" + quoted(draw.of(COUNTRIES)) + ", 'IN')";
    };
  }

  private String trips(Instance on) {
    return switch (draw.between(0, 9)) {
      case 0, 1, 2 -> time(on.column("requested_at"));
      case 3, 4 -> on.column("city_id") + " = " + city();
      case 5, 6 ->
          on.column("status") + " = " + quoted(draw.chance(.8) ? "completed" : "cancelled");
      case 7 -> on.column("payment") + " IN ('card', 'wallet')";
      case 8 -> on.column("fare") + " > " + draw.between(5, 80);
      default -> on.column("rating") + " <= " + draw.between(2, 4);
    };
  }

  private String drivers(Instance on) {
    return switch (draw.between(0, 4)) {
      case 0 -> on.column("vehicle") + " = " + quoted(draw.of(List.of("car", "motorbike", "van")));
      case 1 -> on.column("status") + " = 'active'";
      case 2 -> on.column("city_id") + " <> " + city();
      case 3 -> on.column("rating") + " >= 4." + draw.between(0, 8);
      default ->
          on.column("registered_on")
              + " >= '"
              + draw.between(2013, 2015)
              + "-0"
              + draw.between(1, 9)
              + "-01'";
    };
  }

  private String users(Instance on) {
    return switch (draw.between(0, 3)) {
      case 0 -> on.column("active");
      case 1 -> on.column("role") + " = " + quoted(draw.chance(.7) ? "rider" : "driver");
      case 2 -> on.column("city_id") + " = " + city();
      default -> on.column("signed_up_on") + " < DATE '" + draw.between(2013, 2016) + "-06-01'";
    };
  }

  int city() {
    return 1 + draw.rank(50);
  }

  /** A range of days in the year of the data. */
  String time(String column) {
    int days = draw.of(DAYS);
    LocalDate from = LocalDate.ofYearDay(YEAR, 1 + draw.between(0, Math.max(0, 365 - days)));
    LocalDate to = from.plusDays(days);
    return draw.chance(0.5)
        ? column + " >= DATE '" + from + "' AND " + column + " < DATE '" + to + "'"
        : column + " BETWEEN '" + from + "' AND '" + to + "'";
  }

  static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }
}
