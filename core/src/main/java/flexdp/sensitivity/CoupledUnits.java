package flexdp.sensitivity;

import flexdp.policy.PrivacyUnit;
import flexdp.sensitivity.Bound.Max;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;

/**
 * Units whose distances a search for the largest value has to look at together, since the formula
 * does not fall apart between them. It is that of the formula without numbers: what is smooth must
 * not depend on them, and neither may what is refused, or how long a search may take.
 */
public final class CoupledUnits {
  /** With more units than this in one part, one distance stands for all of them. */
  static final int MOST_TOGETHER = 3;

  /** Boxes that a search may look at: seconds of work. */
  private static final double MOST_STEPS = 1 << 18;

  /** A part of the formula that does not fall apart, with its degree in all distances. */
  private record Part(SortedSet<PrivacyUnit> units, int degree) {
    /**
     * About how many boxes are left to be looked at. Values are close to the highest one where the
     * total of the distances is near degree/β, a plane when units can stand for each other, and as
     * far from it as damping is not felt.
     */
    double steps(double beta) {
      double length = degree / beta;
      double plane = 1;
      for (int i = 1; i < units.size(); i++) {
        plane *= length / i;
      }
      return plane * Math.sqrt(2 * units.size() * length);
    }
  }

  private final List<Part> parts = new ArrayList<>();

  private CoupledUnits() {}

  /** Of a formula without numbers. */
  public static CoupledUnits of(Bound structure) {
    CoupledUnits coupling = new CoupledUnits();
    coupling.collect(structure);
    return coupling;
  }

  /** As the search takes a formula apart. */
  private void collect(Bound bound) {
    if (bound.units().size() <= 1) {
      return;
    }
    if (bound instanceof Max max) {
      max.parts().forEach(this::collect);
      return;
    }
    List<Bound> factors = Factorization.of(bound);
    if (factors.size() > 1) {
      factors.forEach(this::collect);
    } else {
      int degree = bound.units().stream().mapToInt(bound::degree).sum();
      parts.add(new Part(bound.units(), degree));
    }
  }

  /** Whether no part has more units. */
  boolean isWithin(int most) {
    return parts.stream().allMatch(part -> part.units().size() <= most);
  }

  /** Whether the largest value is found in seconds, whatever the numbers are. */
  public boolean isSearchable(double beta) {
    return parts.stream()
        .filter(part -> part.units().size() <= MOST_TOGETHER)
        .allMatch(part -> part.steps(beta) <= MOST_STEPS);
  }

  /**
   * The formula with one distance for units that it does not fall apart between. It is never less,
   * since it is monotone, and as smooth: one step of a unit is at most one of the distance.
   */
  public Bound together(Bound bound) {
    Map<PrivacyUnit, PrivacyUnit> first = new TreeMap<>();
    for (Part part : parts) {
      PrivacyUnit least = part.units().first();
      for (PrivacyUnit unit : part.units()) {
        PrivacyUnit one = named(first, least);
        PrivacyUnit other = named(first, unit);
        if (!one.equals(other)) {
          boolean before = one.compareTo(other) < 0;
          first.put(before ? other : one, before ? one : other);
        }
      }
    }
    return first.isEmpty() ? bound : FormulaStructure.renamed(bound, unit -> named(first, unit));
  }

  private static PrivacyUnit named(Map<PrivacyUnit, PrivacyUnit> first, PrivacyUnit unit) {
    PrivacyUnit name = unit;
    while (first.containsKey(name)) {
      name = first.get(name);
    }
    return name;
  }
}
