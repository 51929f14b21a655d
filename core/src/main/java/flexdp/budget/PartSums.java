package flexdp.budget;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * What the parts of one table have paid, each for itself. A row is in one part of each partition,
 * so what was spent by another partition counts with the most that one of its parts has spent:
 * nothing is forgotten when the policy changes its mind.
 */
public final class PartSums {
  /** By partition and part. */
  private final Map<String, Map<String, Spent>> sums = new HashMap<>();

  /** All charges to parts, each once. */
  private Spent charged = Spent.NOTHING;

  public void add(ChargedParts parts, Spent cost) {
    charged = charged.plus(cost);
    Map<String, Spent> own = sums.computeIfAbsent(parts.by(), by -> new HashMap<>());
    parts.names().forEach(name -> own.merge(name, cost, Spent::plus));
  }

  /** Takes back what was added before; exact. */
  public void remove(ChargedParts parts, Spent cost) {
    charged = charged.minus(cost);
    Map<String, Spent> own = sums.get(parts.by());
    parts.names().forEach(name -> own.computeIfPresent(name, (n, sum) -> sum.minus(cost)));
    own.values().removeIf(sum -> sum.answers() == 0);
  }

  /** Takes over the parts of another account of the same table. */
  public void absorb(PartSums other) {
    charged = charged.plus(other.charged);
    other.sums.forEach(
        (by, theirs) -> {
          Map<String, Spent> own = sums.computeIfAbsent(by, b -> new HashMap<>());
          theirs.forEach((name, sum) -> own.merge(name, sum, Spent::plus));
        });
  }

  /** These sums with other names for their partitions, so that they are taken for others. */
  public PartSums under(UnaryOperator<String> name) {
    PartSums renamed = copy();
    renamed.sums.clear();
    sums.forEach((by, own) -> renamed.sums.put(name.apply(by), new HashMap<>(own)));
    return renamed;
  }

  public PartSums copy() {
    PartSums copy = new PartSums();
    copy.absorb(this);
    return copy;
  }

  /** All charges to parts, each once, however many parts it was charged to. */
  public Spent charged() {
    return charged;
  }

  public boolean isEmpty() {
    return sums.isEmpty() || sums.values().stream().allMatch(Map::isEmpty);
  }

  /** The most that any row has lost by its parts, or more. */
  public Spent most() {
    return others("");
  }

  /** The most that a row has lost by parts of other partitions than this one, or more. */
  private Spent others(String by) {
    Spent all = Spent.NOTHING;
    for (Map.Entry<String, Map<String, Spent>> one : sums.entrySet()) {
      if (!one.getKey().equals(by)) {
        all = all.plus(one.getValue().values().stream().reduce(Spent.NOTHING, Spent::max));
      }
    }
    return all;
  }

  /** What the rows of each of some parts have lost. */
  public SortedMap<String, Spent> of(ChargedParts parts) {
    Spent others = others(parts.by());
    Map<String, Spent> own = sums.getOrDefault(parts.by(), Map.of());
    SortedMap<String, Spent> all = new TreeMap<>();
    parts
        .names()
        .forEach(name -> all.put(name, others.plus(own.getOrDefault(name, Spent.NOTHING))));
    return all;
  }

  /** What rows can have lost, wherever they are: what a question that reads all of them meets. */
  public List<Spent> everywhere() {
    Set<Spent> all = new LinkedHashSet<>();
    if (sums.size() > 1) {
      all.add(most());
    } else {
      all.add(Spent.NOTHING);
      sums.values().forEach(own -> all.addAll(own.values()));
    }
    return new ArrayList<>(all);
  }

  /** By partition, what each part was charged. */
  public SortedMap<String, SortedMap<String, Spent>> names() {
    SortedMap<String, SortedMap<String, Spent>> all = new TreeMap<>();
    sums.forEach(
        (by, own) -> {
          if (!own.isEmpty()) {
            all.put(by, new TreeMap<>(own));
          }
        });
    return all;
  }
}
