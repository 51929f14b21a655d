package flexdp.partition;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** Parts of one partition: at least all those that can matter. Sets of two kinds never meet. */
sealed interface PartitionSet {
  /** Parts that are in this set and in the other. */
  PartitionSet and(PartitionSet other);

  /** Parts that are in this set or in one of the others. */
  PartitionSet or(List<PartitionSet> others);

  /** By name, if they are so many at most. */
  Optional<SortedSet<String>> names(int most);

  /**
   * Parts that are numbered in their order: some stretches of them, and of these the ones in
   * certain months of the year.
   *
   * @param stretches in order, none touching another
   * @param months a bit for each month of the year
   * @param nulls whether the part of NULL is among them
   */
  record NumberedParts(PartitionKey key, List<Stretch> stretches, int months, boolean nulls)
      implements PartitionSet {
    private static final int ALL_MONTHS = 0xfff;

    /** Numbers that are looked at, at most, when a set is listed. */
    private static final long MOST_TRIED = 10_000;

    /**
     * All numbers from one to another, both included.
     *
     * @param low the least number of all where there is no end
     */
    record Stretch(long low, long high) {}

    public NumberedParts {
      stretches = List.copyOf(stretches);
    }

    static NumberedParts all(PartitionKey key) {
      return between(key, Long.MIN_VALUE, Long.MAX_VALUE).orNull();
    }

    static NumberedParts none(PartitionKey key) {
      return new NumberedParts(key, List.of(), ALL_MONTHS, false);
    }

    /** The parts between two numbers; none if the first is the greater. */
    static NumberedParts between(PartitionKey key, long low, long high) {
      return low > high
          ? none(key)
          : new NumberedParts(key, List.of(new Stretch(low, high)), ALL_MONTHS, false);
    }

    static NumberedParts inMonths(PartitionKey key, int months) {
      return new NumberedParts(
          key, List.of(new Stretch(Long.MIN_VALUE, Long.MAX_VALUE)), months & ALL_MONTHS, false);
    }

    NumberedParts orNull() {
      return new NumberedParts(key, stretches, months, true);
    }

    @Override
    public PartitionSet and(PartitionSet other) {
      NumberedParts those = (NumberedParts) other;
      List<Stretch> both = new ArrayList<>();
      int i = 0;
      int j = 0;
      while (i < stretches.size() && j < those.stretches.size()) {
        Stretch a = stretches.get(i);
        Stretch b = those.stretches.get(j);
        long low = Math.max(a.low(), b.low());
        long high = Math.min(a.high(), b.high());
        if (low <= high) {
          both.add(new Stretch(low, high));
        }
        if (a.high() < b.high()) {
          i++;
        } else {
          j++;
        }
      }
      return new NumberedParts(key, both, months & those.months, nulls && those.nulls);
    }

    /** Months of each are taken in the stretches of all: more than there are, never fewer. */
    @Override
    public PartitionSet or(List<PartitionSet> others) {
      List<Stretch> all = new ArrayList<>(stretches);
      int anyMonth = stretches.isEmpty() ? 0 : months;
      boolean anyNulls = nulls;
      for (PartitionSet other : others) {
        NumberedParts those = (NumberedParts) other;
        all.addAll(those.stretches);
        anyMonth |= those.stretches.isEmpty() ? 0 : those.months;
        anyNulls |= those.nulls;
      }
      return new NumberedParts(key, merged(all), anyMonth, anyNulls);
    }

    private static List<Stretch> merged(List<Stretch> some) {
      List<Stretch> sorted = new ArrayList<>(some);
      sorted.sort(Comparator.comparingLong(Stretch::low));
      List<Stretch> merged = new ArrayList<>();
      for (Stretch next : sorted) {
        Stretch last = merged.isEmpty() ? null : merged.getLast();
        if (last != null && next.low() <= last.high()) {
          merged.set(
              merged.size() - 1, new Stretch(last.low(), Math.max(last.high(), next.high())));
        } else {
          merged.add(next);
        }
      }
      return merged;
    }

    @Override
    public Optional<SortedSet<String>> names(int most) {
      SortedSet<String> names = new TreeSet<>();
      if (nulls) {
        names.add(PartitionKey.NULL);
      }
      long tried = 0;
      for (Stretch stretch : stretches) {
        long more = stretch.high() - stretch.low();
        tried += more;
        if (more < 0 || more > MOST_TRIED || tried > MOST_TRIED) {
          return Optional.empty();
        }
        for (long i = 0; i <= more && names.size() <= most; i++) {
          long part = stretch.low() + i;
          if (months == ALL_MONTHS || (months >> key.month(part) - 1 & 1) == 1) {
            names.add(key.name(part));
          }
        }
      }
      return names.size() > most ? Optional.empty() : Optional.of(names);
    }
  }

  /**
   * Parts that are values without an order of ours, such as texts.
   *
   * @param values absent: all that are not NULL
   * @param nulls whether the part of NULL is among them
   */
  record NamedParts(Optional<Set<String>> values, boolean nulls) implements PartitionSet {
    static final NamedParts ALL = new NamedParts(Optional.empty(), true);
    static final NamedParts NOT_NULL = new NamedParts(Optional.empty(), false);
    static final NamedParts NULL = new NamedParts(Optional.of(Set.of()), true);
    static final NamedParts NONE = new NamedParts(Optional.of(Set.of()), false);

    static NamedParts of(String value) {
      return new NamedParts(Optional.of(Set.of(value)), false);
    }

    @Override
    public PartitionSet and(PartitionSet other) {
      NamedParts those = (NamedParts) other;
      Optional<Set<String>> both =
          values.isEmpty()
              ? those.values
              : those.values.isEmpty()
                  ? values
                  : Optional.of(common(values.get(), those.values.get()));
      return new NamedParts(both, nulls && those.nulls);
    }

    private static Set<String> common(Set<String> one, Set<String> other) {
      Set<String> common = new HashSet<>(one);
      common.retainAll(other);
      return common;
    }

    @Override
    public PartitionSet or(List<PartitionSet> others) {
      Optional<Set<String>> either = values.map(HashSet::new);
      boolean anyNulls = nulls;
      for (PartitionSet other : others) {
        NamedParts those = (NamedParts) other;
        anyNulls |= those.nulls;
        if (those.values.isEmpty()) {
          either = Optional.empty();
        }
        either.ifPresent(all -> all.addAll(those.values.get()));
      }
      return new NamedParts(either, anyNulls);
    }

    @Override
    public Optional<SortedSet<String>> names(int most) {
      if (values.isEmpty() || values.get().size() + (nulls ? 1 : 0) > most) {
        return Optional.empty();
      }
      SortedSet<String> names = new TreeSet<>(values.get());
      if (nulls) {
        names.add(PartitionKey.NULL);
      }
      return Optional.of(names);
    }
  }
}
