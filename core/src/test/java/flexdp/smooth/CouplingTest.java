package flexdp.smooth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.policy.PrivacyUnit;
import flexdp.sensitivity.Bound;
import flexdp.sensitivity.CoupledUnits;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What is done where the exact search for a smooth bound might take for ever. */
class CouplingTest {
  /** A search that is not bounded takes hours, or all memory. */
  private static final Duration SOON = Duration.ofMinutes(10);

  private static PrivacyUnit unit(int i) {
    return new PrivacyUnit.Row("t" + i);
  }

  private static Bound leaf(int unit, long base) {
    return Bound.leaf(unit(unit), BigInteger.valueOf(base), "m" + unit);
  }

  /** Σ over units of a leaf, to a power. */
  private static Bound power(int units, int degree, long base) {
    Bound all = Bound.ONE;
    for (int k = 0; k < degree; k++) {
      Bound sum = Bound.ZERO;
      for (int i = 0; i < units; i++) {
        sum = Bound.sum(sum, leaf(i, base));
      }
      all = Bound.product(all, sum);
    }
    return all;
  }

  /**
   * As {@link flexdp.plan.MechanismRule.SmoothRule} does it, for bounds whose structure is their
   * own.
   */
  private static SmoothBound smoothed(Bound bound, CoupledUnits coupling, double beta) {
    return Smoothing.maximum(coupling.isSearchable(beta) ? bound : coupling.together(bound), beta);
  }

  /** Two tables whose steps can stand for each other, and three to high powers. */
  @Test
  void everySearchEndsAtTheLeastEpsilon() {
    for (int units = 1; units <= 3; units++) {
      for (int degree : new int[] {1, 2, 8}) {
        Bound bound = power(units, degree, 1);
        CoupledUnits coupling = CoupledUnits.of(bound);
        for (double beta = 1; beta > 1e-6; beta /= 3) {
          double b = beta;
          assertTimeoutPreemptively(SOON, () -> smoothed(bound, coupling, b));
        }
        assertEquals(units == 1, coupling.isSearchable(1e-6));
        assertTrue(coupling.isSearchable(1));
      }
    }
  }

  @Test
  void unitsThatFallApartKeepTheirOwnDistances() {
    Bound chain = Bound.product(leaf(0, 3), leaf(1, 4), Bound.max(leaf(2, 5), leaf(3, 1)));
    CoupledUnits coupling = CoupledUnits.of(chain);
    assertTrue(coupling.isSearchable(1e-6));
    assertSame(chain, coupling.together(chain));
  }

  /** a·(b + c)·d: b and c have one distance, the others their own. */
  @Test
  void onlyWhatHangsTogetherIsTakenTogether() {
    Bound bound = Bound.product(leaf(0, 3), Bound.sum(leaf(1, 4), leaf(2, 5)), leaf(3, 1));
    CoupledUnits coupling = CoupledUnits.of(bound);
    assertFalse(coupling.isSearchable(1e-6));
    assertEquals(3, coupling.together(bound).units().size());
    double beta = 0.5;
    double exact = Smoothing.maximum(bound, beta).value();
    double together = Smoothing.maximum(coupling.together(bound), beta).value();
    assertTrue(together >= exact && together <= 2 * exact, exact + " and " + together);
  }

  /** Numbers that happen to be equal must not decide what is searched. */
  @Test
  void twoFrequenciesOfOneTableAreNotOne() {
    Bound one = Bound.leaf(unit(0), BigInteger.ZERO, "mf(t.a)");
    Bound other = Bound.leaf(unit(0), BigInteger.ZERO, "mf(t.b)");
    Bound bound = Bound.sum(Bound.product(one, leaf(1, 0)), Bound.product(other, leaf(2, 0)));
    assertEquals(1, CoupledUnits.of(bound).together(bound).units().size());
  }

  /** Never less than the exact one, and smooth from each database to the next. */
  @Test
  void takenTogetherItIsSmooth() {
    SplittableRandom random = new SplittableRandom(20261118);
    int more = 0;
    for (int round = 0; round < 400; round++) {
      long shape = round;
      int units = 2 + random.nextInt(3);
      int moved = random.nextInt(units);
      List<Integer> bases = new ArrayList<>();
      List<Integer> other = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        int base = random.nextInt(9);
        bases.add(base);
        // One row moves each frequency of its table by one at most.
        other.add(i % units == moved && random.nextBoolean() ? base + 1 : base);
      }
      double beta = 0.05 + random.nextDouble();
      CoupledUnits coupling = CoupledUnits.of(formula(shape, units, zeros()));
      Bound x = formula(shape, units, bases);
      double here = Smoothing.maximum(coupling.together(x), beta).value();
      double there =
          Smoothing.maximum(coupling.together(formula(shape, units, other)), beta).value();
      double exact = Smoothing.maximum(x, beta).value();
      assertTrue(here >= exact * (1 - 1e-12), () -> "too small for " + x);
      assertTrue(there <= here * Math.exp(beta) * (1 + 1e-12), () -> "not smooth: " + x);
      assertTrue(here <= there * Math.exp(beta) * (1 + 1e-12), () -> "not smooth: " + x);
      more += here > exact * 1.01 ? 1 : 0;
    }
    assertTrue(more > 50, "units were together: " + more);
  }

  private static List<Integer> zeros() {
    return Collections.nCopies(12, 0);
  }

  /** Sums of products of leaves, always the same for one shape but for the numbers. */
  private static Bound formula(long shape, int units, List<Integer> bases) {
    SplittableRandom random = new SplittableRandom(shape);
    Bound sum = Bound.constant(1);
    for (int term = 0; term < 3; term++) {
      Bound product = Bound.constant(1 + random.nextInt(4));
      for (int i = 1 + random.nextInt(3); i > 0; i--) {
        int place = random.nextInt(12 / units) * units + random.nextInt(units);
        product =
            Bound.product(
                product,
                Bound.leaf(unit(place % units), BigInteger.valueOf(bases.get(place)), "m" + place));
      }
      sum = random.nextInt(4) == 0 ? Bound.max(sum, product) : Bound.sum(sum, product);
    }
    return sum;
  }
}
