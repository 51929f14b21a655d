package flexdp.experiments.workload;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * A query log like the one the paper studied, drawn from the shares that its section 2 gives, over
 * the ride-sharing schema. It has what analysts write, also what no private answer exists for: raw
 * rows, joins by inequality, bins for single people, the peculiar words of each database.
 */
public final class DrawnLog {
  private static final double STATISTICAL = 0.34;
  private static final double HUGE = 0.0007;

  private static final Choice<String> SET_OPERATIONS =
      new Choice<String>()
          .or(99.34, "")
          .or(0.57, "UNION ALL")
          .or(0.06, "EXCEPT")
          .or(0.03, "INTERSECT");

  private final Draw draw;
  private final Filters filters;
  private final SelectLists lists;
  private final Backends backends;

  public DrawnLog(long seed) {
    draw = new Draw(new SplittableRandom(seed));
    filters = new Filters(draw);
    lists = new SelectLists(draw);
    backends = new Backends(draw);
  }

  /** Without end. */
  public Stream<LogEntry> stream() {
    return Stream.generate(this::next);
  }

  public LogEntry next() {
    Set<Trait> traits = EnumSet.noneOf(Trait.class);
    boolean statistical = draw.chance(STATISTICAL);
    String sql = query(statistical, traits);
    String operation = draw.of(SET_OPERATIONS);
    if (!operation.isEmpty()) {
      String column = draw.of(List.of("driver_id", "rider_id", "city_id"));
      String half = "SELECT " + (statistical ? "COUNT(*)" : "t." + column) + " FROM trips t WHERE ";
      Instance trips = Instance.of(RideTable.TRIPS, "t");
      traits.clear();
      sql = half + filters.of(trips) + " " + operation + " " + half + filters.of(trips);
    } else if (draw.chance(0.25)) {
      sql += " ORDER BY 1" + (draw.chance(0.4) ? " DESC" : "");
    }
    if (draw.chance(0.25)) {
      sql += " LIMIT " + draw.of(List.of(10, 100, 1_000, 10_000));
    }
    long rows =
        statistical ? 1 + draw.rank(60) : (long) Math.pow(10, 6 * draw.random().nextDouble());
    Backends.Spelling spelling = backends.spell(sql);
    return new LogEntry(spelling.backend(), spelling.sql(), rows, traits);
  }

  private String query(boolean statistical, Set<Trait> traits) {
    JoinTree from = JoinTree.draw(draw);
    traits.addAll(from.traits());
    String tail = " FROM " + from.sql() + where(from.whole());
    if (!statistical) {
      String distinct = draw.chance(0.08) ? "DISTINCT " : "";
      return "SELECT " + distinct + String.join(", ", lists.raw(from.whole())) + tail;
    }
    SelectLists.Statistics statistics = lists.statistics(from.whole(), traits);
    if (statistics.counts()) {
      traits.add(Trait.COUNTING);
    }
    List<String> items = new ArrayList<>(statistics.keys());
    items.addAll(statistics.items());
    String select = "SELECT " + String.join(", ", items) + tail;
    if (statistics.keys().isEmpty()) {
      return select;
    }
    String having = draw.chance(0.08) ? " HAVING COUNT(*) > " + draw.between(1, 100) : "";
    String keys = draw.chance(0.3) ? positions(statistics.keys().size()) : names(statistics);
    return select + " GROUP BY " + keys + having;
  }

  private static String names(SelectLists.Statistics statistics) {
    return String.join(", ", statistics.keys());
  }

  private static String positions(int keys) {
    return keys == 1 ? "1" : "1, 2";
  }

  private String where(List<Instance> from) {
    List<String> terms = new ArrayList<>();
    if (draw.chance(HUGE)) {
      // A program wrote this one.
      int parts = draw.between(1, 4);
      for (int i = 0; i < parts; i++) {
        terms.add("CASE WHEN " + chain(from.getFirst()) + " THEN 1 ELSE 0 END = 1");
      }
    }
    int wanted = draw.between(0, 4);
    for (int i = 0; i < wanted; i++) {
      terms.add(filters.of(draw.of(from)));
    }
    return terms.isEmpty() ? "" : " WHERE " + String.join(" AND ", terms);
  }

  private String chain(Instance on) {
    String column = on.column(on.table().plain().getFirst());
    List<String> ids = new ArrayList<>();
    int many = draw.between(200, 900);
    for (int i = 0; i < many; i++) {
      ids.add(column + " = " + draw.between(1, 1_000_000));
    }
    return String.join(" OR ", ids);
  }
}
