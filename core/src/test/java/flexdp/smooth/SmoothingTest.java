package flexdp.smooth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import flexdp.policy.PrivacyUnit;
import flexdp.sensitivity.Bound;
import flexdp.sensitivity.CompiledFormula;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SmoothingTest {
  /** A search that is not cut short takes hours. */
  private static final Duration SOON = Duration.ofMinutes(10);

  private static Bound leaf(String table, long base) {
    return Bound.leaf(new PrivacyUnit.Row(table), BigInteger.valueOf(base), "mf(" + table + ")");
  }

  @Test
  void aConstantIsItsOwnMaximum() {
    assertEquals(new SmoothBound(7, 0), Smoothing.maximum(Bound.constant(7), 0.1));
    assertEquals(new SmoothBound(0, 0), Smoothing.maximum(Bound.ZERO, 0.1));
  }

  @Test
  void theValueIsNeverBelowTheExactOneAndOneBitAboveAtMost() {
    SmoothBound smooth = Smoothing.maximum(leaf("t", 0), 0.25);
    assertEquals(4, smooth.distance());
    assertEquals(4 / Math.E, smooth.value(), Math.ulp(4 / Math.E) * 2);
  }

  @Test
  void betaMustBePositive() {
    assertThrows(IllegalArgumentException.class, () -> Smoothing.maximum(Bound.ONE, 0));
    assertThrows(IllegalArgumentException.class, () -> Smoothing.maximum(Bound.ONE, Double.NaN));
  }

  /** Against all vectors up to well beyond the limit of the search. */
  @Test
  void agreesWithEnumeration() {
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      Bound bound = random(random, 3);
      double beta = 0.2 + random.nextDouble();
      CompiledFormula evaluator = new CompiledFormula(bound);
      double best = 0;
      for (int i = 0; i < 45; i++) {
        for (int j = 0; j < 45; j++) {
          BigInteger value =
              evaluator.at(
                  Map.of(
                      new PrivacyUnit.Row("t"),
                      BigInteger.valueOf(i),
                      new PrivacyUnit.Row("u"),
                      BigInteger.valueOf(j)));
          best = Math.max(best, value.doubleValue() * Math.exp(-beta * (i + j)));
        }
      }
      assertEquals(best, Smoothing.maximum(bound, beta).value(), 1e-12 * best, "seed " + seed);
    }
  }

  @Test
  void smoothFollowsFromElastic() {
    for (int seed = 0; seed < 60; seed++) {
      Random random = new Random(seed);
      Bound bound = random(random, 3);
      double best = 0;
      for (int k = 0; k < 45; k++) {
        best = Math.max(best, bound.elastic(k).doubleValue() * Math.exp(-0.3 * k));
      }
      assertEquals(best, Smoothing.maximum(bound, 0.3).value(), 1e-12 * best, "seed " + seed);
    }
  }

  private static Bound random(Random random, int depth) {
    if (depth == 0 || random.nextInt(5) == 0) {
      return random.nextInt(4) == 0
          ? Bound.constant(random.nextInt(9))
          : leaf(random.nextBoolean() ? "t" : "u", random.nextInt(20));
    }
    Bound one = random(random, depth - 1);
    Bound two = random(random, depth - 1);
    return switch (random.nextInt(4)) {
      case 0 -> Bound.sum(one, two);
      case 1 -> Bound.product(one, two);
      case 2 -> Bound.max(one, two);
      default -> Bound.min(one, two);
    };
  }

  @Test
  void threeCoupledTablesAreSearchedInReasonableTime() {
    Bound t = leaf("t", 65);
    Bound u = leaf("u", 20);
    Bound v = leaf("v", 3);
    Bound bound =
        Bound.sum(
            Bound.product(t, u), Bound.product(u, v), Bound.product(t, v), Bound.product(t, t));
    assertTimeoutPreemptively(SOON, () -> Smoothing.maximum(bound, 0.015));
  }

  @Test
  void aChainOfNinetyFiveJoinsIsFast() {
    List<Bound> factors = new ArrayList<>();
    for (int i = 0; i < 95; i++) {
      factors.add(leaf("t" + i, i % 7));
    }
    Bound chain = Bound.product(factors.toArray(Bound[]::new));
    assertTimeoutPreemptively(SOON, () -> Smoothing.maximum(chain, 0.015));
    Bound same = Bound.ONE;
    for (int i = 0; i < 95; i++) {
      same = Bound.product(same, leaf("t", i % 7));
    }
    Bound product = same;
    assertTimeoutPreemptively(SOON, () -> Smoothing.maximum(product, 0.05));
  }
}
