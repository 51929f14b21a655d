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

  static Bound step(Bound bound, String table) {
    return step(bound, table, new IdentityHashMap<>());
  }

  private static Bound step(Bound bound, String table, Map<Bound, Bound> known) {
    if (!bound.tables().contains(table)) {
      return Bound.ZERO;
    }
    Bound before = known.get(bound);
    if (before != null) {
      return before;
    }
    Bound step =
        switch (bound) {
          case Constant ignored -> Bound.ZERO;
          case Leaf ignored -> Bound.ONE;
          case Sum sum -> Simplify.sum(steps(sum.parts(), table, known));
          // |max a⁺ − max a| and |min a⁺ − min a| are both at most the largest single step.
          case Max max -> Simplify.max(steps(max.parts(), table, known));
          case Min min -> Simplify.max(steps(min.parts(), table, known));
          case Product product -> telescope(product.parts(), table, known);
        };
    known.put(bound, step);
    return step;
  }

  private static List<Bound> steps(List<Bound> parts, String table, Map<Bound, Bound> known) {
    return parts.stream().map(part -> step(part, table, known)).toList();
  }

  /** Π(aᵢ+dᵢ) − Πaᵢ = Σᵢ dᵢ·Π_{j<i}(aⱼ+dⱼ)·Π_{j>i}aⱼ. */
  private static Bound telescope(List<Bound> parts, String table, Map<Bound, Bound> known) {
    List<Bound> steps = steps(parts, table, known);
    List<Bound> terms = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      if (steps.get(i).isZero()) {
        continue;
      }
      List<Bound> factors = new ArrayList<>();
      for (int j = 0; j < parts.size(); j++) {
        Bound raised = j < i ? Bound.sum(parts.get(j), steps.get(j)) : parts.get(j);
        factors.add(j == i ? steps.get(j) : raised);
      }
      terms.add(Simplify.product(factors));
    }
    return Simplify.sum(terms);
  }
}
