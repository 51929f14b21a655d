package flexdp.gateway.live;

import flexdp.metrics.Frequency;
import flexdp.metrics.Metrics;
import flexdp.metrics.TableMetrics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Finds the few metrics that a plan rests on, so that no others are measured again. Leaving a
 * metric out never makes a bound smaller, so when the plan stays the same without some, it does not
 * depend on them, whatever their values are by now.
 */
final class NeededMetrics {
  /** One metric of a table: the max frequency of columns, or the rows when there are none. */
  private record Item(String table, Set<String> columns) {}

  private final Metrics all;
  private final Set<String> doubtful;
  private final Predicate<Metrics> isEnough;

  private NeededMetrics(Metrics all, Set<String> doubtful, Predicate<Metrics> isEnough) {
    this.all = all;
    this.doubtful = doubtful;
    this.isEnough = isEnough;
  }

  /**
   * All metrics, but of the doubtful tables only those that are needed.
   *
   * @param isEnough whether the plan stays the same with these metrics only
   */
  static Metrics of(Metrics all, Set<String> doubtful, Predicate<Metrics> isEnough) {
    NeededMetrics search = new NeededMetrics(all, doubtful, isEnough);
    List<Item> items = new ArrayList<>();
    for (String table : doubtful) {
      TableMetrics known = all.table(table);
      known.frequencies().keySet().forEach(columns -> items.add(new Item(table, columns)));
      known.rows().ifPresent(rows -> items.add(new Item(table, Set.of())));
    }
    return search.with(search.needed(items, List.of()));
  }

  /** Of some metrics those that are needed besides others that stay; found by halving. */
  private List<Item> needed(List<Item> items, List<Item> others) {
    if (items.isEmpty() || isEnough.test(with(others))) {
      return List.of();
    }
    if (items.size() == 1) {
      return items;
    }
    List<Item> one = items.subList(0, items.size() / 2);
    List<Item> two = items.subList(items.size() / 2, items.size());
    List<Item> kept = needed(one, both(others, two));
    return both(kept, needed(two, both(others, kept)));
  }

  private static List<Item> both(List<Item> one, List<Item> two) {
    List<Item> both = new ArrayList<>(one);
    both.addAll(two);
    return both;
  }

  private Metrics with(List<Item> items) {
    Map<String, TableMetrics> tables = new HashMap<>(all.tables());
    tables.keySet().removeAll(doubtful);
    for (String table : doubtful) {
      Map<Set<String>, Frequency> frequencies = new HashMap<>();
      boolean rows = false;
      for (Item item : items) {
        if (item.table().equals(table) && item.columns().isEmpty()) {
          rows = true;
        } else if (item.table().equals(table)) {
          frequencies.put(item.columns(), all.table(table).frequencies().get(item.columns()));
        }
      }
      if (rows || !frequencies.isEmpty()) {
        tables.put(
            table,
            new TableMetrics(rows ? all.table(table).rows() : Optional.empty(), frequencies));
      }
    }
    return new Metrics(tables, all.released());
  }
}
