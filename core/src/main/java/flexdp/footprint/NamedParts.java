package flexdp.footprint;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Parts that are values without an order of ours, such as texts.
 *
 * @param values absent: all that are not NULL
 * @param nulls whether the part of NULL is among them
 */
record NamedParts(Optional<Set<String>> values, boolean nulls) implements PartSet {
  static final NamedParts ALL = new NamedParts(Optional.empty(), true);
  static final NamedParts NOT_NULL = new NamedParts(Optional.empty(), false);
  static final NamedParts NULL = new NamedParts(Optional.of(Set.of()), true);
  static final NamedParts NONE = new NamedParts(Optional.of(Set.of()), false);

  static NamedParts of(String value) {
    return new NamedParts(Optional.of(Set.of(value)), false);
  }

  @Override
  public PartSet and(PartSet other) {
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
  public PartSet or(List<PartSet> others) {
    Optional<Set<String>> either = values.map(HashSet::new);
    boolean anyNulls = nulls;
    for (PartSet other : others) {
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
      names.add(PartKey.NULL);
    }
    return Optional.of(names);
  }
}
