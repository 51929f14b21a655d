package flexdp.sensitivity;

import flexdp.sensitivity.Bound.Constant;
import flexdp.sensitivity.Bound.Leaf;
import flexdp.sensitivity.Bound.Max;
import flexdp.sensitivity.Bound.Min;
import flexdp.sensitivity.Bound.Product;
import flexdp.sensitivity.Bound.Sum;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What follows from the shape of a formula. Shared parts are visited once. */
final class Structure {
  private Structure() {}

  static int degree(Bound bound, String table) {
    return degree(bound, table, new IdentityHashMap<>());
  }

  private static int degree(Bound bound, String table, Map<Bound, Integer> known) {
    if (!bound.tables().contains(table)) {
      return 0;
    }
    Integer before = known.get(bound);
    if (before != null) {
      return before;
    }
    int degree =
        switch (bound) {
          case Constant ignored -> 0;
          case Leaf ignored -> 1;
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
          case Sum sum -> all(sum.parts(), known).map(v -> v.stream().reduce(BigInteger::add).get());
          case Max max -> all(max.parts(), known).map(v -> v.stream().reduce(BigInteger::max).get());
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
    if (!bound.tables().contains(table)) {
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
              Bound.leaf(leaf.table(), leaf.base().add(BigInteger.ONE), leaf.symbol() + " + 1");
          case Sum sum -> Simplify.sum(shifted(sum.parts(), table, known));
          case Product product -> Simplify.product(shifted(product.parts(), table, known));
          case Max max -> Simplify.max(shifted(max.parts(), table, known));
          case Min min -> Simplify.min(shifted(min.parts(), table, known));
        };
    known.put(bound, shifted);
    return shifted;
  }

  private static List<Bound> shifted(List<Bound> parts, String table, Map<Bound, Bound> known) {
    return parts.stream().map(part -> shifted(part, table, known)).toList();
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
          case Sum sum -> Simplify.sum(renamed(sum.parts(), table, known));
          case Product product -> Simplify.product(renamed(product.parts(), table, known));
          case Max max -> Simplify.max(renamed(max.parts(), table, known));
          case Min min -> Simplify.min(renamed(min.parts(), table, known));
        };
    known.put(bound, renamed);
    return renamed;
  }

  private static List<Bound> renamed(List<Bound> parts, String table, Map<Bound, Bound> known) {
    return parts.stream().map(part -> renamed(part, table, known)).toList();
  }
}
