package flexdp.sensitivity;

import flexdp.policy.PrivacyUnit;
import flexdp.sensitivity.Bound.Compound;
import flexdp.sensitivity.Bound.Constant;
import flexdp.sensitivity.Bound.Leaf;
import flexdp.sensitivity.Bound.Max;
import flexdp.sensitivity.Bound.Min;
import flexdp.sensitivity.Bound.Product;
import flexdp.sensitivity.Bound.Sum;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Takes a formula apart into factors that share no unit: the largest value of the product is then
 * the product of the largest values.
 */
public final class Factorization {
  private static final int DEPTH = 4;

  private Factorization() {}

  /** Factors whose product is the bound; no two of them depend on the same unit. */
  public static List<Bound> of(Bound bound) {
    return groups(split(bound)).stream().map(FormulaSimplifier::product).toList();
  }

  /** The parts, gathered so that different groups share no unit. */
  static List<List<Bound>> groups(List<Bound> parts) {
    Map<PrivacyUnit, List<Bound>> byUnit = new HashMap<>();
    Set<List<Bound>> groups = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Bound part : parts) {
      List<Bound> group = new ArrayList<>(List.of(part));
      for (PrivacyUnit unit : part.units()) {
        List<Bound> other = byUnit.get(unit);
        if (other != null && groups.remove(other)) {
          group.addAll(other);
        }
      }
      groups.add(group);
      group.forEach(one -> one.units().forEach(unit -> byUnit.put(unit, group)));
    }
    return List.copyOf(groups);
  }

  private static List<Bound> split(Bound bound) {
    return switch (bound) {
      case Product product -> product.parts().stream().flatMap(p -> split(p).stream()).toList();
      case Sum sum -> bound.units().size() > 1 ? commonFactors(sum) : List.of(bound);
      case Constant ignored -> List.of(bound);
      case Leaf ignored -> List.of(bound);
      case Max ignored -> List.of(bound);
      case Min ignored -> List.of(bound);
    };
  }

  /** a·b + a·c = a·(b + c). */
  private static List<Bound> commonFactors(Sum sum) {
    List<List<Bound>> terms = new ArrayList<>();
    for (Bound part : sum.parts()) {
      terms.add(new ArrayList<>(part instanceof Product p ? p.parts() : List.of(part)));
    }
    List<Bound> common = new ArrayList<>();
    for (Bound candidate : List.copyOf(terms.get(0))) {
      if (!candidate.isConstant()
          && terms.stream().allMatch(term -> indexOf(candidate, term) >= 0)) {
        terms.forEach(term -> term.remove(indexOf(candidate, term)));
        common.add(candidate);
      }
    }
    if (common.isEmpty()) {
      return List.of(sum);
    }
    List<Bound> rest = new ArrayList<>();
    terms.forEach(term -> rest.add(FormulaSimplifier.product(term)));
    common.addAll(split(FormulaSimplifier.sum(rest)));
    return common;
  }

  private static int indexOf(Bound wanted, List<Bound> among) {
    for (int i = 0; i < among.size(); i++) {
      if (same(wanted, among.get(i), DEPTH)) {
        return i;
      }
    }
    return -1;
  }

  private static boolean same(Bound one, Bound other, int depth) {
    if (one == other) {
      return true;
    }
    if (depth == 0 || one.getClass() != other.getClass()) {
      return false;
    }
    if (one.polynomial().isPresent() && other.polynomial().isPresent()) {
      // Numbers that happen to be equal are none: the formula without numbers falls apart alike.
      return one.polynomial().equals(other.polynomial())
          && FormulaStructure.symbols(one).equals(FormulaStructure.symbols(other));
    }
    if (!(one instanceof Compound a && other instanceof Compound b)
        || a.parts().size() != b.parts().size()) {
      return false;
    }
    for (int i = 0; i < a.parts().size(); i++) {
      if (!same(a.parts().get(i), b.parts().get(i), depth - 1)) {
        return false;
      }
    }
    return true;
  }
}
