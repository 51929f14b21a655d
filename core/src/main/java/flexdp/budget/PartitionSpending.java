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
public final class PartitionSpending {
  /** By partition and part. */
  private final Map<String, Map<String, TotalCost>> sums = new HashMap<>();

  /** All charges to parts, each once. */
  private TotalCost charged = TotalCost.NOTHING;

  public void add(ChargedPartitions parts, TotalCost cost) {
    charged = charged.plus(cost);
    Map<String, TotalCost> own = sums.computeIfAbsent(parts.by(), by -> new HashMap<>());
    parts.names().forEach(name -> own.merge(name, cost, TotalCost::plus));
  }

  /** Takes back what was added before; exact. */
  public void remove(ChargedPartitions parts, TotalCost cost) {
    charged = charged.minus(cost);
    Map<String, TotalCost> own = sums.get(parts.by());
    parts.names().forEach(name -> own.computeIfPresent(name, (n, sum) -> sum.minus(cost)));
    own.values().removeIf(sum -> sum.answers() == 0);
  }

  /** Takes over the parts of another account of the same table. */
  public void absorb(PartitionSpending other) {
    charged = charged.plus(other.charged);
    other.sums.forEach(
        (by, theirs) -> {
          Map<String, TotalCost> own = sums.computeIfAbsent(by, b -> new HashMap<>());
          theirs.forEach((name, sum) -> own.merge(name, sum, TotalCost::plus));
        });
  }

  /** These sums with other names for their partitions, so that they are taken for others. */
  public PartitionSpending under(UnaryOperator<String> name) {
    PartitionSpending renamed = copy();
    renamed.sums.clear();
    sums.forEach((by, own) -> renamed.sums.put(name.apply(by), new HashMap<>(own)));
    return renamed;
  }

  public PartitionSpending copy() {
    PartitionSpending copy = new PartitionSpending();
    copy.absorb(this);
    return copy;
  }

  /** All charges to parts, each once, however many parts it was charged to. */
  public TotalCost charged() {
    return charged;
  }

  public boolean isEmpty() {
    return sums.isEmpty() || sums.values().stream().allMatch(Map::isEmpty);
  }

  /** The most that any row has lost by its parts, or more. */
  public TotalCost most() {
    return others("");
  }

  /** The most that a row has lost by parts of other partitions than this one, or more. */
  private TotalCost others(String by) {
    TotalCost all = TotalCost.NOTHING;
    for (Map.Entry<String, Map<String, TotalCost>> one : sums.entrySet()) {
      if (!one.getKey().equals(by)) {
        all = all.plus(one.getValue().values().stream().reduce(TotalCost.NOTHING, TotalCost::max));
      }
    }
    return all;
  }

  /** What the rows of each of some parts have lost. */
  public SortedMap<String, TotalCost> of(ChargedPartitions parts) {
    TotalCost others = others(parts.by());
    Map<String, TotalCost> own = sums.getOrDefault(parts.by(), Map.of());
    SortedMap<String, TotalCost> all = new TreeMap<>();
    parts
        .names()
        .forEach(name -> all.put(name, others.plus(own.getOrDefault(name, TotalCost.NOTHING))));
    return all;
  }

  /** What rows can have lost, wherever they are: what a question that reads all of them meets. */
  public List<TotalCost> everywhere() {
    Set<TotalCost> all = new LinkedHashSet<>();
    if (sums.size() > 1) {
      all.add(most());
    } else {
      all.add(TotalCost.NOTHING);
      sums.values().forEach(own -> all.addAll(own.values()));
    }
    return new ArrayList<>(all);
  }

  /** By partition, what each part was charged. */
  public SortedMap<String, SortedMap<String, TotalCost>> names() {
    SortedMap<String, SortedMap<String, TotalCost>> all = new TreeMap<>();
    sums.forEach(
        (by, own) -> {
          if (!own.isEmpty()) {
            all.put(by, new TreeMap<>(own));
          }
        });
    return all;
  }
}
