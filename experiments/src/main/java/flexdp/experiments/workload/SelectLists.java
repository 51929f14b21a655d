package flexdp.experiments.workload;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What queries return: rows, or statistics. */
final class SelectLists {
  /**
   * Chosen so that of all calls 51 % are COUNT, 29 % SUM, 8 % AVG, 6 % MAX and 5 % MIN: queries
   * over tables without numbers, HAVING and subqueries count too.
   */
  private static final Choice<String> FUNCTIONS =
      new Choice<String>()
          .or(33.5, "COUNT")
          .or(39.4, "SUM")
          .or(10.9, "AVG")
          .or(8.1, "MAX")
          .or(6.8, "MIN")
          .or(0.8, "STDDEV")
          .or(0.5, "MEDIAN");

  private static final Choice<Integer> HOW_MANY =
      new Choice<Integer>().or(70, 1).or(18, 2).or(8, 3).or(4, 5);

  /** One bin per driver or rider: what no policy lists. */
  private static final double BIN_PER_PERSON = 0.015;

  private final Draw draw;

  SelectLists(Draw draw) {
    this.draw = draw;
  }

  /**
   * Statistics.
   *
   * @param function the one that all of them use
   * @param keys what they are grouped by
   */
  record Statistics(String function, List<String> items, List<String> keys) {
    boolean counts() {
      return function.equals("COUNT");
    }
  }

  Statistics statistics(List<Instance> from, Set<Trait> traits) {
    String function = draw.of(FUNCTIONS);
    List<String> measures = new ArrayList<>();
    for (Instance instance : from) {
      instance.table().measures().forEach(m -> measures.add(instance.column(m)));
    }
    boolean counts = function.equals("COUNT") || measures.isEmpty();
    Set<String> items = new LinkedHashSet<>();
    int wanted = draw.of(HOW_MANY);
    for (int i = 0; i < wanted; i++) {
      items.add(counts ? count(from) : function + "(" + draw.of(measures) + ")");
    }
    List<String> keys = draw.chance(0.55) ? keys(from, traits) : List.of();
    return new Statistics(counts ? "COUNT" : function, List.copyOf(items), keys);
  }

  private String count(List<Instance> from) {
    Instance one = draw.of(from);
    return switch (draw.between(0, 9)) {
      case 0, 1, 2 -> "COUNT(DISTINCT " + one.column(one.table().plain().getFirst()) + ")";
      case 3 -> "COUNT(" + one.column(draw.of(one.table().plain())) + ")";
      default -> "COUNT(*)";
    };
  }

  private List<String> keys(List<Instance> from, Set<Trait> traits) {
    List<String> all = new ArrayList<>();
    for (Instance instance : from) {
      if (instance.table() == RideTable.TRIPS && draw.chance(BIN_PER_PERSON)) {
        traits.add(Trait.INDIVIDUAL);
        traits.add(Trait.HISTOGRAM);
        return List.of(instance.column("driver_id"));
      }
      instance.table().labels().forEach(l -> all.add(instance.column(l)));
      if (instance.table() == RideTable.TRIPS) {
        String at = instance.column("requested_at");
        all.add("date_trunc('month', " + at + ")");
        all.add("date_trunc('day', " + at + ")");
        all.add("CAST(" + at + " AS DATE)");
        all.add("EXTRACT(HOUR FROM " + at + ")");
      }
    }
    if (all.isEmpty()) {
      return List.of();
    }
    traits.add(Trait.HISTOGRAM);
    Set<String> keys = new LinkedHashSet<>();
    keys.add(draw.of(all));
    if (draw.chance(0.2)) {
      keys.add(draw.of(all));
    }
    return List.copyOf(keys);
  }

  /** Rows: columns of every table, some of them computed. */
  List<String> raw(List<Instance> from) {
    if (draw.chance(0.12)) {
      return List.of(draw.chance(0.5) ? "*" : draw.of(from).alias() + ".*");
    }
    int wanted = draw.chance(0.01) ? draw.between(100, 300) : draw.between(1, 9);
    List<String> items = new ArrayList<>();
    for (int i = 0; i < wanted; i++) {
      Instance one = draw.of(from);
      String column = one.column(draw.of(one.table().plain()));
      items.add(draw.chance(0.1) ? "COALESCE(" + column + ", NULL) AS x" + i : column);
    }
    return items;
  }
}
