package flexdp.people.packing;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Results with at most one owner of each of two kinds, of which nothing is kept but what each
 * person's weigh. That is all that a level asks for as long as only one kind has heavy people: no
 * result then has two of them. Else the results of the heavy people of one kind are asked for, and
 * those that two heavy people have are told apart; what is left of each is hers alone.
 *
 * <p>The values are those of {@link OwnerSets} for the same results, to the last digit.
 */
public final class OwnerDegrees extends OwnedWeights {
  /** More people are not asked for by name. */
  private static final int MOST_NAMED = 500;

  /** Where the results themselves are. */
  public interface Source {
    /** All results that one of these people of a kind owns. */
    OwnerSets of(int kind, Set<Object> people);

    /** All results. */
    OwnerSets all();
  }

  private final long most;
  private final Source source;
  private final List<Map<Object, Long>> degrees = List.of(new HashMap<>(), new HashMap<>());
  private BigInteger total = BigInteger.ZERO;
  private long heaviest;
  private boolean wide;
  private Optional<OwnerSets> whole = Optional.empty();

  /**
   * @param most the largest level, below 2⁶²
   */
  public OwnerDegrees(BigInteger most, Source source) {
    this.most = most.longValueExact();
    this.source = source;
  }

  /**
   * What one person's results weigh. Every result is told once for each kind, and no person twice.
   *
   * @param kind 0 or 1
   * @param id empty for results that nobody of this kind owns
   */
  public void add(int kind, Optional<Object> id, BigInteger weight) {
    if (weight.signum() < 0) {
      throw new IllegalArgumentException("weights must not be negative");
    }
    if (kind == 0) {
      total = total.add(weight);
    }
    if (id.isPresent() && weight.signum() > 0) {
      // Beyond a word nothing is added up here.
      wide |= weight.bitLength() > Long.SIZE - 3;
      long degree = wide ? Long.MAX_VALUE / 2 + 1 : weight.longValueExact();
      heaviest = Math.max(heaviest, degree);
      degrees.get(kind).put(id.get(), degree);
    }
  }

  @Override
  long most() {
    return most;
  }

  @Override
  long heaviest() {
    return heaviest;
  }

  @Override
  ResidualPacking touched(long level) {
    List<Set<Object>> heavy = List.of(heavy(0, level), heavy(1, level));
    int fewer = heavy.get(0).size() <= heavy.get(1).size() ? 0 : 1;
    if (wide || heavy.get(fewer).size() > MOST_NAMED) {
      return whole().touched(level);
    }
    if (heavy.get(fewer).isEmpty()) {
      return touched(level, heavy, Map.of());
    }
    OwnerSets shared = source.of(fewer, heavy.get(fewer));
    return shared.isCapped()
        ? whole().touched(level)
        : touched(level, heavy, together(shared, heavy));
  }

  private Set<Object> heavy(int kind, long level) {
    Set<Object> people = new HashSet<>();
    degrees
        .get(kind)
        .forEach(
            (id, degree) -> {
              if (degree > level) {
                people.add(id);
              }
            });
    return people;
  }

  private OwnerSets whole() {
    if (whole.isEmpty()) {
      whole = Optional.of(source.all());
    }
    return whole.get();
  }

  private record Pair(Object one, Object other) {}

  private static Map<Pair, Long> together(OwnerSets results, List<Set<Object>> heavy) {
    Map<Pair, Long> weights = new HashMap<>();
    OwnerSets.Owner[] owners = results.owners();
    for (int result = 0; result < results.size(); result++) {
      if (results.to(result) - results.from(result) == 2) {
        OwnerSets.Owner one = owners[results.member(results.from(result))];
        OwnerSets.Owner other = owners[results.member(results.from(result) + 1)];
        Pair pair =
            one.kind() == 0 ? new Pair(one.id(), other.id()) : new Pair(other.id(), one.id());
        if (heavy.get(0).contains(pair.one()) && heavy.get(1).contains(pair.other())) {
          weights.merge(pair, results.weight(result), Long::sum);
        }
      }
    }
    return weights;
  }

  private ResidualPacking touched(long level, List<Set<Object>> heavy, Map<Pair, Long> together) {
    List<Map<Object, Integer>> numbers = List.of(new HashMap<>(), new HashMap<>());
    List<Long> alone = new ArrayList<>();
    BigInteger untouched = total;
    int[] kinds = new int[heavy.get(0).size() + heavy.get(1).size()];
    for (int kind = 0; kind < 2; kind++) {
      for (Object id : heavy.get(kind)) {
        long degree = degrees.get(kind).get(id);
        untouched = untouched.subtract(BigInteger.valueOf(degree));
        kinds[alone.size()] = kind;
        numbers.get(kind).put(id, alone.size());
        alone.add(degree);
      }
    }
    List<int[]> sets = new ArrayList<>();
    List<Long> weights = new ArrayList<>();
    for (Map.Entry<Pair, Long> pair : together.entrySet()) {
      int one = numbers.get(0).get(pair.getKey().one());
      int other = numbers.get(1).get(pair.getKey().other());
      long weight = pair.getValue();
      untouched = untouched.add(BigInteger.valueOf(weight));
      alone.set(one, alone.get(one) - weight);
      alone.set(other, alone.get(other) - weight);
      sets.add(new int[] {Math.min(one, other), Math.max(one, other)});
      weights.add(Math.min(level, weight));
    }
    for (int person = 0; person < alone.size(); person++) {
      if (alone.get(person) > 0) {
        sets.add(new int[] {person});
        weights.add(Math.min(level, alone.get(person)));
      }
    }
    return new ResidualPacking(
        level,
        untouched,
        weights.stream().mapToLong(w -> w).toArray(),
        sets.toArray(int[][]::new),
        kinds);
  }
}
