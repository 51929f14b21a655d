package flexdp.experiments.blocks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What blocks by the owner of rows estimate, and what others make of the noise of their mean. */
class BlocksByOwnerTest {
  private static final int ROWS = 200_000;
  private static final int DRIVERS = ROWS / 40;
  private static final int BLOCKS = 400;

  private static double correlation(double[] s) {
    double n = Math.max(1, s[0]);
    double x = s[3] - s[1] * s[1] / n;
    double y = s[4] - s[2] * s[2] / n;
    return x > 0 && y > 0 ? (s[5] - s[1] * s[2] / n) / Math.sqrt(x * y) : 0;
  }

  private static void add(double[] sums, double x, double y) {
    double[] more = {1, x, y, x * x, y * y, x * y};
    for (int i = 0; i < sums.length; i++) {
      sums[i] += more[i];
    }
  }

  /** Few drivers have most trips, so blocks of drivers differ. */
  @Test
  void theMedianBlockHasACorrelationOfATenthWhereAllRowsHaveMore() {
    SplittableRandom random = new SplittableRandom(11);
    double[] skill = new double[DRIVERS];
    for (int d = 0; d < DRIVERS; d++) {
      skill[d] = 0.25 * random.nextGaussian();
    }
    double[] all = new double[6];
    double[][] blocks = new double[BLOCKS][6];
    for (int i = 0; i < ROWS; i++) {
      double pareto = Math.pow(1 - random.nextDouble(), -1 / 1.6) - 1;
      int driver = (int) Math.min(pareto * DRIVERS / 8, DRIVERS - 1);
      double far =
          Math.min(50, -3 * Math.log((1 - random.nextDouble()) * (1 - random.nextDouble())));
      double fare = 3 + (1.8 + skill[driver]) * far + 3 * random.nextGaussian();
      double rate = Math.min(500, Math.max(0, fare)) / Math.max(far, 0.5);
      add(all, skill[driver], rate);
      add(blocks[FareRows.block(driver, BLOCKS)], skill[driver], rate);
    }
    double[] medians = Arrays.stream(blocks).mapToDouble(BlocksByOwnerTest::correlation).toArray();
    Arrays.sort(medians);
    double median = medians[BLOCKS / 2];
    assertEquals(0.15, correlation(all), 0.03);
    assertEquals(0.10, median, 0.03);
    assertTrue(median < 0.85 * correlation(all), median + " of " + correlation(all));
  }

  /**
   * Chorus divides the range of a mean of k blocks by 2εk; one block moves the mean by 1/k of it.
   */
  @Test
  void noiseOfHalfTheRangeOverEpsilonAndBlocksSpendsTwiceEpsilon() {
    double epsilon = 0.7;
    double range = 10;
    double moves = range / BLOCKS;
    double scale = range / (2 * epsilon * BLOCKS);
    double loss = 0;
    for (double x = -1; x <= 1; x += 0.001) {
      loss = Math.max(loss, (Math.abs(x - moves) - Math.abs(x)) / scale);
    }
    assertEquals(2 * epsilon, loss, 1e-9);
  }
}
