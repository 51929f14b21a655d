package flexdp.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class TailProbabilityTest {
  @Test
  void oneLaplaceDrawIsWithinItsKnownQuantile() {
    TailProbability tail = new TailProbability();
    tail.laplace(1, 1, 100);
    assertEquals(100 * Math.log(20), tail.within(0.95), 1);
    assertEquals(100 * Math.log(1000), tail.within(0.999), 2);
  }

  @Test
  void normalDrawsAddUp() {
    TailProbability tail = new TailProbability();
    tail.normal(3, 4, 5);
    tail.normal(1, 1, 7);
    assertEquals(Math.sqrt(949) * 1.959964, tail.within(0.95), 0.05);
  }

  @Test
  void aSumOfTwoIsTheirConvolution() {
    TailProbability tail = new TailProbability();
    tail.laplace(1, 2, 50);
    // P(|X + Y| > w) = e^(−w/b)·(1 + w/(2b)) for continuous ones.
    double w = tail.within(0.95) / 50;
    assertEquals(0.05, Math.exp(-w) * (1 + w / 2), 5e-4);
  }

  /** A draw times 1000 beside one times 1: values come in clusters that are far apart. */
  @Test
  void sumsOfFewValuesAreWithinWhatIsSure() {
    double missed = 1;
    for (double scale : new double[] {0.3, 0.5, 0.8, 1.3, 2, 5}) {
      for (int factor : new int[] {3, 10, 1000}) {
        TailProbability tail = new TailProbability();
        tail.laplace(factor, 1, scale);
        tail.laplace(1, 1, scale);
        missed = Math.min(missed, exact(factor, scale, tail.smoothed(0.95) + 0.5));
        double sure = tail.within(0.95);
        assertTrue(exact(factor, scale, sure) >= 0.95, scale + " and " + factor);
      }
    }
    assertTrue(missed < 0.94, "half a step beyond, " + missed);
  }

  /** Draws with one factor take its multiples, and the least that is enough is found. */
  @Test
  void sumsOfOneFactorEndAtAValue() {
    for (double scale : new double[] {0.2, 0.5, 1.7, 6, 31}) {
      double r = Math.exp(-1 / scale);
      int least = 0;
      while (2 * Math.pow(r, least + 1) / (1 + r) > 0.05) {
        least++;
      }
      TailProbability tail = new TailProbability();
      tail.laplace(-0.75, 1, scale);
      assertEquals(0.75 * least, tail.within(0.95), 1e-9, "scale " + scale);
    }
  }

  /** The discrete Gaussian is no continuous one where its deviation is small. */
  @Test
  void gaussianSumsOfOneFactorEndAtAValue() {
    for (double deviation : new double[] {0.3, 0.6, 1, 1.2, 3, 20}) {
      int far = (int) (12 * deviation) + 2;
      double all = 0;
      for (int z = -far; z <= far; z++) {
        all += Math.exp(-z * z / (2 * deviation * deviation));
      }
      double mass = 1 / all;
      int least = 0;
      while (mass < 0.95) {
        least++;
        mass += 2 * Math.exp(-least * least / (2 * deviation * deviation)) / all;
      }
      TailProbability tail = new TailProbability();
      tail.gaussian(0.75, 1, deviation);
      assertEquals(0.75 * least, tail.within(0.95), 1e-9, "deviation " + deviation);
    }
  }

  private static double exact(int factor, double scale, double within) {
    double r = Math.exp(-1 / scale);
    int far = (int) Math.ceil(45 * scale);
    double sum = 0;
    for (int x = -far; x <= far; x++) {
      for (int y = -far; y <= far; y++) {
        double p = Math.pow((1 - r) / (1 + r), 2) * Math.pow(r, Math.abs(x) + Math.abs(y));
        sum += Math.abs(factor * x + y) <= within ? p : 0;
      }
    }
    return sum;
  }
}
