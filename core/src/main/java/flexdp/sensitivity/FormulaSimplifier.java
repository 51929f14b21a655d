package flexdp.sensitivity;

import flexdp.sensitivity.Bound.Compound;
import flexdp.sensitivity.Bound.Constant;
import flexdp.sensitivity.Bound.Leaf;
import flexdp.sensitivity.Bound.Max;
import flexdp.sensitivity.Bound.Min;
import flexdp.sensitivity.Bound.Product;
import flexdp.sensitivity.Bound.Sum;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BinaryOperator;

/** Builds formulas in a short form that has the same value at every distance. */
final class FormulaSimplifier {
  /** How deep two formulas are compared; a missed comparison costs brevity only. */
  private static final int DEPTH = 6;

  /** Longer parts stay as they are: a chain of joins would copy them again and again. */
  private static final int SHORT = 8;

  private FormulaSimplifier() {}

  static Bound sum(List<Bound> parts) {
    return linear(parts, Sum.class, BigInteger.ZERO, BigInteger::add, kept -> new Sum(kept, parts));
  }

  static Bound product(List<Bound> parts) {
    return parts.stream().anyMatch(Bound::isZero)
        ? Bound.ZERO
        : linear(
            parts,
            Product.class,
            BigInteger.ONE,
            BigInteger::multiply,
            kept -> new Product(kept, parts));
  }

  static Bound max(List<Bound> parts) {
    List<Bound> kept = undominated(flatten(parts, Max.class), FormulaSimplifier::atMost);
    return kept.size() == 1 ? kept.get(0) : new Max(kept);
  }

  static Bound min(List<Bound> parts) {
    List<Bound> kept = undominated(flatten(parts, Min.class), (a, b) -> atMost(b, a));
    return kept.size() == 1 ? kept.get(0) : new Min(kept);
  }

  /** This operator over other parts. */
  static Bound like(Compound compound, List<Bound> parts) {
    return switch (compound) {
      case Sum ignored -> sum(parts);
      case Product ignored -> product(parts);
      case Max ignored -> max(parts);
      case Min ignored -> min(parts);
    };
  }

  private static Bound linear(
      List<Bound> parts,
      Class<? extends Compound> operator,
      BigInteger unit,
      BinaryOperator<BigInteger> fold,
      java.util.function.Function<List<Bound>, Bound> build) {
    BigInteger constant = unit;
    List<Bound> kept = new ArrayList<>();
    for (Bound part : flatten(parts, operator)) {
      if (part.isConstant()) {
        constant = fold.apply(constant, part.atZero());
      } else {
        kept.add(part);
      }
    }
    if (kept.isEmpty()) {
      return Bound.constant(constant);
    }
    if (!constant.equals(unit)) {
      kept.add(Bound.constant(constant));
    }
    return kept.size() == 1 ? kept.get(0) : build.apply(kept);
  }

  private static List<Bound> flatten(List<Bound> parts, Class<? extends Compound> operator) {
    List<Bound> flat = new ArrayList<>();
    for (Bound part : parts) {
      if (operator.isInstance(part) && ((Compound) part).parts().size() <= SHORT) {
        flat.addAll(((Compound) part).parts());
      } else {
        flat.add(part);
      }
    }
    return flat;
  }

  private interface Comparison {
    boolean loses(Bound one, Bound other);
  }

  private static List<Bound> undominated(List<Bound> parts, Comparison comparison) {
    List<Bound> kept = new ArrayList<>();
    for (Bound part : parts) {
      if (kept.stream().noneMatch(other -> comparison.loses(part, other))) {
        kept.removeIf(other -> comparison.loses(other, part));
        kept.add(part);
      }
    }
    return kept;
  }

  /** Whether it is certain that one never exceeds the other. */
  static boolean atMost(Bound one, Bound other) {
    return atMost(one, other, DEPTH);
  }

  private static boolean atMost(Bound one, Bound other, int depth) {
    if (one == other) {
      return true;
    }
    if (one.atZero().compareTo(other.atZero()) > 0 || depth == 0) {
      return false;
    }
    if (one.isConstant()) {
      return true;
    }
    if (one instanceof Leaf a && other instanceof Leaf b) {
      return a.unit().equals(b.unit()) && a.growth().compareTo(b.growth()) <= 0;
    }
    if (one.polynomial().isPresent()
        && other.polynomial().isPresent()
        && one.polynomial().get().isComparable(other.polynomial().get())) {
      return one.polynomial().get().atMost(other.polynomial().get());
    }
    return switch (one) {
      case Max max -> max.parts().stream().allMatch(part -> atMost(part, other, depth - 1));
      case Min min -> min.parts().stream().anyMatch(part -> atMost(part, other, depth - 1));
      case Constant ignored -> withinParts(one, other, depth);
      case Leaf ignored -> withinParts(one, other, depth);
      case Sum ignored -> withinParts(one, other, depth);
      case Product ignored -> withinParts(one, other, depth);
    };
  }

  private static boolean withinParts(Bound one, Bound other, int depth) {
    return switch (other) {
      case Max max -> max.parts().stream().anyMatch(part -> atMost(one, part, depth - 1));
      case Min min -> min.parts().stream().allMatch(part -> atMost(one, part, depth - 1));
      case Sum sum -> sum.parts().stream().anyMatch(part -> atMost(one, part, depth - 1));
      case Product product ->
          product.parts().stream().allMatch(part -> part.atZero().signum() > 0)
              && product.parts().stream().anyMatch(part -> atMost(one, part, depth - 1));
      case Constant ignored -> false;
      case Leaf ignored -> false;
    };
  }
}
