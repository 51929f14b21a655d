package flexdp.gateway.live;

import flexdp.metrics.Frequency;
import flexdp.metrics.Metrics;
import flexdp.metrics.TableMetrics;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

/**
 * Finds the few metrics that a plan may rest on, so that no others are measured again. Leaving a
 * metric out never makes a bound smaller, so any choice gives an upper bound; but the choice must
 * not look at private values, or neighbours would choose differently and their bounds be far apart
 * (guarantee §1). So plans are compared with made-up numbers in place of all private ones: small
 * for the metrics in question, large for the others.
 */
final class NeededMetrics {
  private static final BigInteger SMALL = BigInteger.TWO;
  private static final BigInteger LARGE = BigInteger.valueOf(1_000_000);

  /** One metric of a table: the max frequency of columns, or the rows when there are none. */
  private record Item(String table, Set<String> columns) {}

  private final Metrics all;
  private final Predicate<String> isPublic;
  private final BiPredicate<Metrics, Metrics> isSame;

  private NeededMetrics(
      Metrics all, Predicate<String> isPublic, BiPredicate<Metrics, Metrics> isSame) {
    this.all = all;
    this.isPublic = isPublic;
    this.isSame = isSame;
  }

  /**
   * All metrics, but of the doubtful tables only those that may be needed.
   *
   * @param isSame whether the question is planned alike with two sets of metrics
   */
  static Metrics of(
      Metrics all,
      Set<String> doubtful,
      Predicate<String> isPublic,
      BiPredicate<Metrics, Metrics> isSame) {
    NeededMetrics search = new NeededMetrics(all, isPublic, isSame);
    List<Item> items = new ArrayList<>();
    for (String table : doubtful) {
      TableMetrics known = all.table(table);
      known.frequencies().keySet().forEach(columns -> items.add(new Item(table, columns)));
      known.rows().ifPresent(rows -> items.add(new Item(table, Set.of())));
    }
    Set<Item> needed = new HashSet<>(search.needed(items));
    return search.kept(item -> !doubtful.contains(item.table()) || needed.contains(item));
  }

  /** Of some metrics those that can make a difference; found by halving. */
  private List<Item> needed(List<Item> items) {
    Set<Item> asked = new HashSet<>(items);
    if (items.isEmpty()
        || isSame.test(
            madeUp(item -> true, asked), madeUp(item -> !asked.contains(item), Set.of()))) {
      return List.of();
    }
    if (items.size() == 1) {
      return items;
    }
    List<Item> needed = new ArrayList<>(needed(items.subList(0, items.size() / 2)));
    needed.addAll(needed(items.subList(items.size() / 2, items.size())));
    return needed;
  }

  /** Metrics without a private value in them. */
  private Metrics madeUp(Predicate<Item> isThere, Set<Item> small) {
    Map<String, TableMetrics> tables = new HashMap<>();
    kept(isThere)
        .tables()
        .forEach(
            (name, known) ->
                tables.put(name, isPublic.test(name) ? known : madeUp(name, known, small)));
    return new Metrics(tables, all.released());
  }

  private static TableMetrics madeUp(String name, TableMetrics known, Set<Item> small) {
    Map<Set<String>, Frequency> frequencies = new HashMap<>();
    known
        .frequencies()
        .forEach(
            (columns, f) -> {
              BigInteger value = small.contains(new Item(name, columns)) ? SMALL : LARGE;
              frequencies.put(
                  columns, new Frequency(f.max().map(n -> value), f.maxWithNull().map(n -> value)));
            });
    BigInteger rows = small.contains(new Item(name, Set.of())) ? SMALL : LARGE;
    return new TableMetrics(known.rows().map(n -> rows), frequencies, known.rowsPerPerson());
  }

  private Metrics kept(Predicate<Item> isThere) {
    Map<String, TableMetrics> tables = new HashMap<>();
    all.tables()
        .forEach(
            (name, known) -> {
              Map<Set<String>, Frequency> frequencies = new HashMap<>(known.frequencies());
              frequencies.keySet().removeIf(columns -> !isThere.test(new Item(name, columns)));
              Optional<BigInteger> rows =
                  known.rows().filter(n -> isThere.test(new Item(name, Set.of())));
              if (rows.isPresent() || !frequencies.isEmpty()) {
                tables.put(name, new TableMetrics(rows, frequencies, known.rowsPerPerson()));
              }
            });
    return new Metrics(tables, all.released());
  }
}
