package flexdp.plan;

import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.workload.SumDistribution;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Bars of estimates hold by the exact law of the very sum of draws, as it is shown. */
class EstimateNoiseTest {
  /** Coefficients are whole numbers of these, so that every sum is a place in an array. */
  private static final int PARTS = 12;

  private static final int CASES = 200;

  /**
   * Draws with like and unlike coefficients; few of them, so that the law is that of few values.
   */
  private static List<SumDistribution.Draws> draws(
      SplittableRandom random, int smallest, double least, double most) {
    List<SumDistribution.Draws> draws = new ArrayList<>();
    int terms = 1 + random.nextInt(4);
    boolean normal = random.nextInt(3) == 0;
    for (int i = 0; i < terms; i++) {
      int size = smallest + random.nextInt(random.nextBoolean() ? PARTS : 3);
      double scale = Math.exp(random.nextDouble(Math.log(least), Math.log(most)));
      draws.add(
          new SumDistribution.Draws((double) size / PARTS, 1 + random.nextInt(3), scale, normal));
    }
    return draws;
  }

  private static double weight(SumDistribution.Draws one, int z) {
    return one.normal()
        ? Math.exp(-z * z / (2 * one.scale() * one.scale()))
        : Math.exp(-Math.abs(z) / one.scale());
  }

  /** How likely each sum is, zero in the middle. */
  private static double[] law(List<SumDistribution.Draws> draws) {
    double[] law = {1};
    for (SumDistribution.Draws one : draws) {
      int far = (int) Math.ceil((one.normal() ? 7 : 22) * one.scale()) + 1;
      int size = (int) Math.round(one.coefficient() * PARTS);
      double all = 0;
      for (int z = -far; z <= far; z++) {
        all += weight(one, z);
      }
      for (int time = 0; time < one.times(); time++) {
        double[] next = new double[law.length + 2 * size * far];
        for (int z = -far; z <= far; z++) {
          double p = weight(one, z) / all;
          for (int i = 0; i < law.length; i++) {
            next[i + size * (z + far)] += p * law[i];
          }
        }
        law = next;
      }
    }
    return law;
  }

  /** How likely the number that is shown is within its bar. */
  private static double held(List<SumDistribution.Draws> draws) {
    EstimateNoise noise = new EstimateNoise.Sums(SumDistribution.of(draws), BigDecimal.ONE);
    int bar = noise.halfWidth(ErrorModel.CONFIDENCE).intValueExact();
    double[] law = law(draws);
    int middle = law.length / 2;
    double held = 0;
    for (int i = 0; i < law.length; i++) {
      held += Math.abs(Math.rint((double) (i - middle) / PARTS)) <= bar ? law[i] : 0;
    }
    return held;
  }

  @Test
  void barsOfFewValuesHold() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < CASES; i++) {
      List<SumDistribution.Draws> draws = draws(random, 1, 0.2, 3);
      double held = held(draws);
      assertTrue(held >= 0.95 - 1e-9, held + " of " + draws);
    }
  }

  /** A step more or less is next to nothing here, so bars are not wider than they need be. */
  @Test
  void barsOfManyValuesHoldAndAreNotWider() {
    SplittableRandom random = new SplittableRandom(2);
    double sum = 0;
    int cases = 20;
    for (int i = 0; i < cases; i++) {
      List<SumDistribution.Draws> draws = draws(random, 8, 6, 12);
      double held = held(draws);
      assertTrue(held >= 0.95 - 1e-9, held + " of " + draws);
      sum += held;
    }
    assertTrue(sum / cases <= 0.96, "" + sum / cases);
  }
}
