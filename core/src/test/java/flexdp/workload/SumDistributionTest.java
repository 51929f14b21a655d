package flexdp.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** Bars of weighted sums of draws hold as often as they say. */
class SumDistributionTest {
  private static final int TIMES = 40_000;

  private static List<SumDistribution.Draws> draws(SplittableRandom random) {
    List<SumDistribution.Draws> draws = new ArrayList<>();
    int terms = 1 + random.nextInt(5);
    for (int i = 0; i < terms; i++) {
      double size = Math.exp(random.nextDouble(-4, 1));
      draws.add(
          new SumDistribution.Draws(
              random.nextBoolean() ? size : -size,
              1 + random.nextInt(9),
              random.nextDouble(3, 40),
              random.nextInt(6) == 0));
    }
    return draws;
  }

  /** The difference of two geometric draws. */
  private static double laplace(double scale, SplittableRandom random) {
    double up = geometric(scale, random);
    double down = geometric(scale, random);
    return up - down;
  }

  private static double drawn(List<SumDistribution.Draws> draws, SplittableRandom random) {
    double sum = 0;
    for (SumDistribution.Draws one : draws) {
      for (int i = 0; i < one.times(); i++) {
        sum +=
            one.coefficient()
                * (one.normal()
                    ? random.nextGaussian() * one.scale()
                    : laplace(one.scale(), random));
      }
    }
    return sum;
  }

  /** The difference of two of these is a draw of the discrete Laplace distribution. */
  private static double geometric(double scale, SplittableRandom random) {
    return Math.floor(-Math.log(1 - random.nextDouble()) * scale);
  }

  @RepeatedTest(12)
  void barsHoldAsOftenAsTheySay(RepetitionInfo run) {
    SplittableRandom random = new SplittableRandom(run.getCurrentRepetition());
    List<SumDistribution.Draws> draws = draws(random);
    SumDistribution law = SumDistribution.of(draws);
    double width = law.within(0.95);
    double narrow = law.within(0.95) - 0.5;
    int inside = 0;
    int below = 0;
    for (int i = 0; i < TIMES; i++) {
      double error = Math.abs(drawn(draws, random));
      inside += error <= width ? 1 : 0;
      below += error <= narrow ? 1 : 0;
    }
    // A lone draw is a whole multiple of its coefficient, so no bar holds exactly so often.
    double atom = (double) (inside - below) / TIMES;
    double share = (double) inside / TIMES;
    assertTrue(share > 0.946 && share < 0.954 + atom, share + " of " + draws);
  }

  /** What stands for others has their variance, and what is small is normal. */
  @Test
  void fewTermsHaveTheVarianceOfMany() {
    SplittableRandom random = new SplittableRandom(5);
    List<SumDistribution.Draws> many = new ArrayList<>();
    double variance = 0;
    for (int i = 0; i < 5_000; i++) {
      SumDistribution.Draws one = new SumDistribution.Draws(random.nextDouble(-1, 1), 1, 7, false);
      many.add(one);
      variance += one.variance();
    }
    SumDistribution law = SumDistribution.of(many);
    assertEquals(variance, law.variance(), 1e-6 * variance);
    assertTrue(law.draws().size() < 100, "" + law.draws().size());
    assertEquals(1.96 * Math.sqrt(variance), law.within(0.95), 0.03 * Math.sqrt(variance));
  }

  @Test
  void sumsMadeInAnotherOrderAreTheSame() {
    List<SumDistribution.Draws> draws = draws(new SplittableRandom(9));
    assertEquals(SumDistribution.of(draws), SumDistribution.of(draws.reversed()));
  }

  @Test
  void nothingIsWithinNothing() {
    assertEquals(0, SumDistribution.NONE.within(0.95));
  }
}
