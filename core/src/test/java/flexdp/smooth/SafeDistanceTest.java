package flexdp.smooth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.policy.PrivacyUnit;
import flexdp.sensitivity.Bound;
import flexdp.sensitivity.CompiledFormula;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** How far data are from such on which a proposal would not do. */
class SafeDistanceTest {
  private static final int MOST = 14;

  private static PrivacyUnit unit(int i) {
    return new PrivacyUnit.Row("t" + i);
  }

  /** A formula over so many units whose leaves have these bases, in the order of their making. */
  private static final class Made {
    private final SplittableRandom shape;
    private final List<Integer> bases;
    private final int units;
    private int next;

    Made(long seed, int units, List<Integer> bases) {
      this.shape = new SplittableRandom(seed);
      this.units = units;
      this.bases = bases;
    }

    Bound formula(int depth) {
      if (depth == 0 || shape.nextInt(4) == 0) {
        return shape.nextInt(4) == 0
            ? Bound.constant(shape.nextInt(4))
            : Bound.leaf(
                unit(next % units), BigInteger.valueOf(bases.get(next++ % bases.size())), "m");
      }
      Bound a = formula(depth - 1);
      Bound b = formula(depth - 1);
      return switch (shape.nextInt(4)) {
        case 0 -> Bound.sum(a, b);
        case 1 -> Bound.product(a, b);
        case 2 -> Bound.max(a, b);
        default -> Bound.min(a, b);
      };
    }
  }

  private static long brute(Bound bound, BigInteger within, int most) {
    CompiledFormula formula = new CompiledFormula(bound);
    int n = formula.units().size();
    long best = most;
    long[] vector = new long[n];
    while (true) {
      long sum = 0;
      for (long one : vector) {
        sum += one;
      }
      if (sum < best && formula.at(vector).compareTo(within) > 0) {
        best = sum;
      }
      int at = 0;
      while (at < n && ++vector[at] > most) {
        vector[at++] = 0;
      }
      if (at == n) {
        return best;
      }
    }
  }

  @Test
  void itIsTheLeastSumOfAllDistanceVectors() {
    SplittableRandom random = new SplittableRandom(20261116);
    for (int round = 0; round < 3_000; round++) {
      int units = 1 + random.nextInt(3);
      Bound bound = new Made(round, units, bases(random)).formula(3);
      BigInteger within = BigInteger.valueOf(random.nextInt(40));
      assertEquals(
          brute(bound, within, MOST),
          SafeDistance.of(bound, within, units, MOST),
          () -> bound + " within " + within);
    }
  }

  /** One row moves each base by at most one, in the formula of its own unit. */
  @Test
  void neighboursDifferByOneAtMost() {
    SplittableRandom random = new SplittableRandom(7);
    for (int round = 0; round < 3_000; round++) {
      int units = 1 + random.nextInt(5);
      List<Integer> bases = bases(random);
      int moved = random.nextInt(units);
      List<Integer> other = new ArrayList<>(bases);
      for (int i = 0; i < other.size(); i++) {
        if (i % units == moved && random.nextBoolean()) {
          other.set(i, other.get(i) + 1);
        }
      }
      BigInteger within = BigInteger.valueOf(random.nextInt(60));
      long seed = round;
      // Bases are dealt out by place, so that a place keeps its unit: as many places as units.
      Bound x = new Made(seed, units, even(bases, units)).formula(4);
      Bound y = new Made(seed, units, even(other, units)).formula(4);
      long one = SafeDistance.of(x, within, units, MOST);
      long two = SafeDistance.of(y, within, units, MOST);
      assertTrue(Math.abs(one - two) <= 1, () -> x + " and " + y + " within " + within);
      assertTrue(one == 0 || x.atZero().compareTo(within) <= 0, "from one on the bound holds");
    }
  }

  private static List<Integer> even(List<Integer> bases, int units) {
    return bases.subList(0, bases.size() / units * units);
  }

  private static List<Integer> bases(SplittableRandom random) {
    List<Integer> bases = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      bases.add(random.nextInt(6));
    }
    return bases;
  }

  @Test
  void manyStepsAreSearchedInMoments() {
    Bound two =
        Bound.product(
            Bound.leaf(unit(0), BigInteger.TWO, "a"), Bound.leaf(unit(1), BigInteger.TWO, "b"));
    assertEquals(59_997, SafeDistance.of(two, BigInteger.valueOf(900_000_000L), 2, 100_000));
    Bound linear =
        Bound.sum(
            Bound.leaf(unit(0), BigInteger.TWO, "a"),
            Bound.leaf(unit(1), BigInteger.TWO, "b"),
            Bound.leaf(unit(2), BigInteger.TWO, "c"));
    assertEquals(995, SafeDistance.of(linear, BigInteger.valueOf(1000), 3, 2_000));
  }

  /** Never more than the least sum, so never less private. */
  @Test
  void oneDistanceForAllUnitsIsNoLarger() {
    SplittableRandom random = new SplittableRandom(11);
    for (int round = 0; round < 500; round++) {
      Bound bound = new Made(round, 3, bases(random)).formula(3);
      BigInteger within = BigInteger.valueOf(random.nextInt(40));
      assertTrue(
          SafeDistance.of(bound, within, 9, MOST) <= SafeDistance.of(bound, within, 3, MOST));
    }
  }
}
