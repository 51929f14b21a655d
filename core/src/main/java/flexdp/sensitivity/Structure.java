package flexdp.sensitivity;

import flexdp.sensitivity.Bound.Constant;
import flexdp.sensitivity.Bound.Leaf;
import flexdp.sensitivity.Bound.Max;
import flexdp.sensitivity.Bound.Min;
import flexdp.sensitivity.Bound.Product;
import flexdp.sensitivity.Bound.Sum;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** What follows from the shape of a formula. Shared parts are visited once. */
final class Structure {
  private Structure() {}

  static SortedSet<String> tables(Bound bound) {
    SortedSet<String> tables = new TreeSet<>();
    collect(bound, tables, Collections.newSetFromMap(new IdentityHashMap<>()));
    return tables;
  }

  private static void collect(Bound bound, Set<String> tables, Set<Bound> visited) {
    if (bound instanceof Leaf leaf) {
      tables.add(leaf.table());
    } else if (bound instanceof Bound.Compound compound && visited.add(bound)) {
      compound.parts().forEach(part -> collect(part, tables, visited));
    }
  }

  static int degree(Bound bound, String table) {
    return degree(bound, table, new IdentityHashMap<>());
  }

  private static int degree(Bound bound, String table, Map<Bound, Integer> known) {
    if (bound.isConstant()) {
      return 0;
    }
    Integer before = known.get(bound);
    if (before != null) {
      return before;
    }
    int degree =
        switch (bound) {
          case Constant ignored -> 0;
          case Leaf leaf -> leaf.table().equals(table) ? 1 : 0;
          case Product product ->
              product.parts().stream().mapToInt(p -> degree(p, table, known)).sum();
          case Sum sum -> largest(sum.parts(), table, known);
          case Max max -> largest(max.parts(), table, known);
          // Both sides of a minimum must have begun to fall, so the larger degree counts here too.
          case Min min -> largest(min.parts(), table, known);
        };
    known.put(bound, degree);
    return degree;
  }

  private static int largest(List<Bound> parts, String table, Map<Bound, Integer> known) {
    return parts.stream().mapToInt(part -> degree(part, table, known)).max().orElse(0);
  }

  static Optional<BigInteger> ceiling(Bound bound) {
    return ceiling(bound, new IdentityHashMap<>());
  }

  private static Optional<BigInteger> ceiling(Bound bound, Map<Bound, Optional<BigInteger>> known) {
    if (bound.isConstant()) {
      return Optional.of(bound.atZero());
    }
    Optional<BigInteger> before = known.get(bound);
    if (before != null) {
      return before;
    }
    Optional<BigInteger> ceiling =
        switch (bound) {
          case Constant constant -> Optional.of(constant.value());
          case Leaf ignored -> Optional.empty();
          case Sum sum ->
              all(sum.parts(), known).map(v -> v.stream().reduce(BigInteger::add).get());
          case Max max ->
              all(max.parts(), known).map(v -> v.stream().reduce(BigInteger::max).get());
          case Product product ->
              all(product.parts(), known).map(v -> v.stream().reduce(BigInteger::multiply).get());
          case Min min ->
              min.parts().stream()
                  .flatMap(part -> ceiling(part, known).stream())
                  .reduce(BigInteger::min);
        };
    known.put(bound, ceiling);
    return ceiling;
  }

  private static Optional<List<BigInteger>> all(
      List<Bound> parts, Map<Bound, Optional<BigInteger>> known) {
    List<BigInteger> values = new ArrayList<>();
    for (Bound part : parts) {
      Optional<BigInteger> value = ceiling(part, known);
      if (value.isEmpty()) {
        return Optional.empty();
      }
      values.add(value.get());
    }
    return Optional.of(values);
  }

  static Bound shifted(Bound bound, String table) {
    return shifted(bound, table, new IdentityHashMap<>());
  }

  private static Bound shifted(Bound bound, String table, Map<Bound, Bound> known) {
    if (bound.isConstant()) {
      return bound;
    }
    Bound before = known.get(bound);
    if (before != null) {
      return before;
    }
    Bound shifted =
        switch (bound) {
          case Constant constant -> constant;
          case Leaf leaf ->
              leaf.table().equals(table)
                  ? Bound.leaf(table, leaf.base().add(BigInteger.ONE), leaf.symbol() + " + 1")
                  : leaf;
          case Bound.Compound compound -> {
            List<Bound> parts =
                compound.parts().stream().map(part -> shifted(part, table, known)).toList();
            yield isSame(parts, compound.parts()) ? bound : Simplify.like(compound, parts);
          }
        };
    known.put(bound, shifted);
    return shifted;
  }

  /** Parts that do not change keep being shared. */
  private static boolean isSame(List<Bound> some, List<Bound> others) {
    for (int i = 0; i < some.size(); i++) {
      if (some.get(i) != others.get(i)) {
        return false;
      }
    }
    return true;
  }

  /** The most tables in any part that cannot be maximised table by table. */
  static int mostCoupled(Bound bound) {
    if (bound.tables().size() <= 1) {
      return bound.tables().size();
    }
    if (bound instanceof Max max) {
      return max.parts().stream().mapToInt(Structure::mostCoupled).max().orElse(0);
    }
    List<Bound> factors = Factors.of(bound);
    return factors.size() == 1
        ? bound.tables().size()
        : factors.stream().mapToInt(Structure::mostCoupled).max().orElse(0);
  }

  /** One distance for all tables. */
  static Bound renamed(Bound bound, String table) {
    return renamed(bound, table, new IdentityHashMap<>());
  }

  private static Bound renamed(Bound bound, String table, Map<Bound, Bound> known) {
    Bound before = known.get(bound);
    if (before != null) {
      return before;
    }
    Bound renamed =
        switch (bound) {
          case Constant constant -> constant;
          case Leaf leaf -> Bound.leaf(table, leaf.base(), leaf.symbol());
          case Bound.Compound compound ->
              Simplify.like(
                  compound,
                  compound.parts().stream().map(part -> renamed(part, table, known)).toList());
        };
    known.put(bound, renamed);
    return renamed;
  }
}
