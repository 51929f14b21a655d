package flexdp.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class TailTest {
  @Test
  void oneLaplaceDrawIsWithinItsKnownQuantile() {
    Tail tail = new Tail();
    tail.laplace(1, 1, 100);
    assertEquals(100 * Math.log(20), tail.within(0.95), 1);
    assertEquals(100 * Math.log(1000), tail.within(0.999), 2);
  }

  @Test
  void normalDrawsAddUp() {
    Tail tail = new Tail();
    tail.normal(3, 4, 5);
    tail.normal(1, 1, 7);
    assertEquals(Math.sqrt(949) * 1.959964, tail.within(0.95), 0.05);
  }

  @Test
  void aSumOfTwoIsTheirConvolution() {
    Tail tail = new Tail();
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
        Tail tail = new Tail();
        tail.laplace(factor, 1, scale);
        tail.laplace(1, 1, scale);
        missed = Math.min(missed, exact(factor, scale, tail.within(0.95) + 0.5));
        double sure = tail.surely(0.95);
        assertTrue(exact(factor, scale, sure) >= 0.95, scale + " and " + factor);
      }
    }
    assertTrue(missed < 0.94, "half a step beyond, " + missed);
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
