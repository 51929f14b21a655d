package flexdp.experiments.workload;

import flexdp.gateway.demo.RideSharing;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Counting queries about trips for the utility experiments. The paper's own 9,862 are secret; these
 * follow what it says of them: plain counts and histograms, joins as often as in its study, 23.4 %
 * with a public table that the optimisation helps, a few that ask about a person, populations from
 * one trip to all of them.
 */
public final class CountingQueries {
  private static final double JOIN = 0.621;
  private static final double PUBLIC = 0.234 / JOIN;
  private static final double INDIVIDUAL = 0.02;
  private static final double BIN_PER_PERSON = 0.01;

  /** What follows FROM trips t, with the traits it brings. */
  private record Pattern(String joins, List<Instance> joined, Trait... traits) {}

  private static final Instance TRIP = Instance.of(RideTable.TRIPS, "t");
  private static final Instance OTHER = Instance.of(RideTable.TRIPS, "o");
  private static final Instance DRIVER = Instance.of(RideTable.DRIVERS, "d");
  private static final Instance USER = Instance.of(RideTable.USERS, "u");
  private static final Instance TAG = Instance.of(RideTable.USER_TAGS, "g");
  private static final Instance CAREER = Instance.of(RideTable.ANALYTICS, "a");
  private static final Instance CITY = Instance.of(RideTable.CITIES, "c");

  private static final String TO_DRIVER = " JOIN drivers d ON t.driver_id = d.id";
  private static final String TO_USER = " JOIN users u ON t.rider_id = u.id";
  private static final String TO_CITY = " JOIN cities c ON t.city_id = c.id";

  private static final Pattern NONE = new Pattern("", List.of());

  private static final Choice<Pattern> PRIVATE_JOINS =
      new Choice<Pattern>()
          .or(35, new Pattern(TO_DRIVER, List.of(DRIVER)))
          .or(18, new Pattern(TO_USER, List.of(USER)))
          .or(8, new Pattern(TO_DRIVER + TO_USER, List.of(DRIVER, USER)))
          .or(
              9,
              new Pattern(
                  TO_DRIVER + " JOIN analytics a ON a.driver_id = d.id", List.of(DRIVER, CAREER)))
          .or(
              8,
              new Pattern(
                  TO_USER + " LEFT JOIN user_tags g ON g.user_id = u.id", List.of(USER, TAG)))
          .or(
              8,
              new Pattern(
                  " JOIN user_tags g ON g.user_id = t.rider_id", List.of(TAG), Trait.MANY_TO_MANY))
          .or(
              6,
              new Pattern(
                  " JOIN trips o ON o.driver_id = t.driver_id AND o.requested_at > t.requested_at",
                  List.of(OTHER),
                  Trait.MANY_TO_MANY,
                  Trait.SELF_JOIN))
          .or(
              5,
              new Pattern(
                  " JOIN trips o ON o.rider_id = t.rider_id AND o.id <> t.id",
                  List.of(OTHER),
                  Trait.MANY_TO_MANY,
                  Trait.SELF_JOIN))
          .or(
              3,
              new Pattern(
                  TO_USER + " JOIN users r ON u.referrer_id = r.id",
                  List.of(USER, Instance.of(RideTable.USERS, "r")),
                  Trait.SELF_JOIN));

  private static final Choice<Pattern> PUBLIC_JOINS =
      new Choice<Pattern>()
          .or(75, new Pattern(TO_CITY, List.of(CITY)))
          .or(
              15,
              new Pattern(TO_DRIVER + " JOIN cities c ON d.city_id = c.id", List.of(DRIVER, CITY)))
          .or(10, new Pattern(TO_CITY + TO_USER, List.of(CITY, USER)));

  private static final Choice<String> TRIP_BINS =
      new Choice<String>()
          .or(15, "t.status")
          .or(15, "t.payment")
          .or(20, "t.city_id")
          .or(15, "date_trunc('month', t.requested_at)")
          .or(10, "date_trunc('week', t.requested_at)")
          .or(15, "date_trunc('day', t.requested_at)")
          .or(10, "EXTRACT(HOUR FROM t.requested_at)");

  private final Draw draw;
  private final Filters filters;
  private final RideSharing data;

  public CountingQueries(RideSharing data, long seed) {
    this.data = data;
    this.draw = new Draw(new SplittableRandom(seed));
    this.filters = new Filters(draw);
  }

  public List<CountingQuery> take(int count) {
    return IntStream.range(0, count).mapToObj(i -> next()).toList();
  }

  public CountingQuery next() {
    boolean join = draw.chance(JOIN);
    boolean open = join && draw.chance(PUBLIC);
    Pattern pattern = open ? draw.of(PUBLIC_JOINS) : join ? draw.of(PRIVATE_JOINS) : NONE;
    Set<Trait> traits = EnumSet.noneOf(Trait.class);
    traits.addAll(List.of(pattern.traits()));
    if (join) {
      traits.add(Trait.JOIN);
    }
    if (open) {
      traits.add(Trait.PUBLIC_TABLE);
    }
    String from = " FROM trips t" + pattern.joins() + where(pattern, traits);
    String counted = draw.of(COUNTS);
    boolean each = draw.chance(BIN_PER_PERSON);
    if (each) {
      traits.add(Trait.INDIVIDUAL);
    }
    String bins = each ? "t.driver_id" : draw.chance(0.4) ? bins(pattern) : "";
    String population = "SELECT COUNT(DISTINCT t.id)" + from;
    if (bins.isEmpty()) {
      return new CountingQuery("SELECT " + counted + from, population, traits);
    }
    traits.add(Trait.HISTOGRAM);
    String sql = "SELECT " + bins + ", " + counted + from + " GROUP BY " + bins;
    return new CountingQuery(sql, population, traits);
  }

  private static final Choice<String> COUNTS =
      new Choice<String>()
          .or(80, "COUNT(*)")
          .or(12, "COUNT(DISTINCT t.driver_id)")
          .or(8, "COUNT(DISTINCT t.rider_id)");

  private String bins(Pattern pattern) {
    List<String> keys = new ArrayList<>();
    for (Instance joined : pattern.joined()) {
      joined.table().labels().forEach(label -> keys.add(joined.column(label)));
    }
    return keys.isEmpty() || draw.chance(0.5) ? draw.of(TRIP_BINS) : draw.of(keys);
  }

  private String where(Pattern pattern, Set<Trait> traits) {
    Set<String> conditions = new LinkedHashSet<>();
    if (draw.chance(0.8)) {
      conditions.add(filters.time("t.requested_at"));
    }
    if (draw.chance(0.45)) {
      conditions.add("t.city_id = " + filters.city());
    }
    if (draw.chance(0.4)) {
      conditions.add("t.status = 'completed'");
    }
    if (draw.chance(0.25)) {
      conditions.add(filters.of(TRIP));
    }
    for (Instance joined : pattern.joined()) {
      if (draw.chance(0.35)) {
        conditions.add(filters.of(joined));
      }
    }
    if (draw.chance(INDIVIDUAL)) {
      traits.add(Trait.INDIVIDUAL);
      conditions.add(person());
    }
    return conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions);
  }

  private String person() {
    return draw.chance(0.6)
        ? "t.driver_id = " + data.driverId(draw.rank(data.drivers()))
        : "t.rider_id = " + data.riderId(draw.rank(data.riders()));
  }
}
