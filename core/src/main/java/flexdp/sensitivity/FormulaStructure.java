package flexdp.sensitivity;

import flexdp.policy.PrivacyUnit;
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
import java.util.function.UnaryOperator;

/** What follows from the shape of a formula. Shared parts are visited once. */
final class FormulaStructure {
  private FormulaStructure() {}

  static SortedSet<PrivacyUnit> units(Bound bound) {
    SortedSet<PrivacyUnit> units = new TreeSet<>();
    collect(bound, units, Collections.newSetFromMap(new IdentityHashMap<>()));
    return units;
  }

  private static void collect(Bound bound, Set<PrivacyUnit> units, Set<Bound> visited) {
    if (bound instanceof Leaf leaf) {
      units.add(leaf.unit());
    } else if (bound instanceof Bound.Compound compound && visited.add(bound)) {
      compound.parts().forEach(part -> collect(part, units, visited));
    }
  }

  static int degree(Bound bound, PrivacyUnit unit) {
    return degree(bound, unit, new IdentityHashMap<>());
  }

  private static int degree(Bound bound, PrivacyUnit unit, Map<Bound, Integer> known) {
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
          case Leaf leaf -> leaf.unit().equals(unit) ? 1 : 0;
          case Product product ->
              product.parts().stream().mapToInt(p -> degree(p, unit, known)).sum();
          case Sum sum -> largest(sum.parts(), unit, known);
          case Max max -> largest(max.parts(), unit, known);
          // Both sides of a minimum must have begun to fall, so the larger degree counts here too.
          case Min min -> largest(min.parts(), unit, known);
        };
    known.put(bound, degree);
    return degree;
  }

  private static int largest(List<Bound> parts, PrivacyUnit unit, Map<Bound, Integer> known) {
    return parts.stream().mapToInt(part -> degree(part, unit, known)).max().orElse(0);
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

  /** Asked of {@link Bound#shifted}, which keeps it: chains of joins share their parts. */
  static Bound shifted(Bound bound, PrivacyUnit unit) {
    return switch (bound) {
      case Constant constant -> constant;
      case Leaf leaf ->
          leaf.unit().equals(unit)
              ? Bound.leaf(
                  unit,
                  leaf.base().add(leaf.growth()),
                  leaf.growth(),
                  leaf.symbol() + " + " + leaf.growth())
              : leaf;
      case Sum sum -> shifted(sum, sum.made(), unit);
      case Product product -> shifted(product, product.made(), unit);
      case Max max -> shifted(max, max.parts(), unit);
      case Min min -> shifted(min, min.parts(), unit);
    };
  }

  private static Bound shifted(Bound.Compound compound, List<Bound> of, PrivacyUnit unit) {
    List<Bound> parts = of.stream().map(part -> part.shifted(unit)).toList();
    return isSame(parts, of) ? compound : FormulaSimplifier.like(compound, parts);
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

  /** The names of the numbers in it. */
  static SortedSet<String> symbols(Bound bound) {
    SortedSet<String> symbols = new TreeSet<>();
    name(bound, symbols, Collections.newSetFromMap(new IdentityHashMap<>()));
    return symbols;
  }

  private static void name(Bound bound, Set<String> symbols, Set<Bound> visited) {
    if (bound instanceof Leaf leaf) {
      symbols.add(leaf.symbol());
    } else if (bound instanceof Bound.Compound compound && visited.add(bound)) {
      compound.parts().forEach(part -> name(part, symbols, visited));
    }
  }

  /** One distance for all units that are given one name. */
  static Bound renamed(Bound bound, UnaryOperator<PrivacyUnit> name) {
    return renamed(bound, name, new IdentityHashMap<>());
  }

  private static Bound renamed(
      Bound bound, UnaryOperator<PrivacyUnit> name, Map<Bound, Bound> known) {
    Bound before = known.get(bound);
    if (before != null) {
      return before;
    }
    Bound renamed =
        switch (bound) {
          case Constant constant -> constant;
          case Leaf leaf ->
              Bound.leaf(name.apply(leaf.unit()), leaf.base(), leaf.growth(), leaf.symbol());
          case Bound.Compound compound ->
              FormulaSimplifier.like(
                  compound,
                  compound.parts().stream().map(part -> renamed(part, name, known)).toList());
        };
    known.put(bound, renamed);
    return renamed;
  }
}
