package flexdp.noise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.noise.Laplace.LaplaceSum;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;

class LaplaceSumTest {
  private static final BigDecimal CONFIDENCE = new BigDecimal("0.95");

  /** The probability that a sum of discrete Laplace draws is further away, by convolution. */
  private static double beyond(double b, int draws, int width) {
    int reach = (int) (60 * b * Math.sqrt(draws)) + 60;
    double[] one = new double[2 * reach + 1];
    double r = Math.exp(-1 / b);
    for (int i = 0; i < one.length; i++) {
      one[i] = (1 - r) / (1 + r) * Math.pow(r, Math.abs(i - reach));
    }
    double[] sum = one;
    for (int n = 1; n < draws; n++) {
      double[] next = new double[one.length];
      for (int i = 0; i < next.length; i++) {
        for (int j = Math.max(0, i - reach); j < Math.min(one.length, i + reach + 1); j++) {
          next[i] += sum[j] * one[i - j + reach];
        }
      }
      sum = next;
    }
    double inside = 0;
    for (int i = Math.max(0, reach - width); i <= Math.min(one.length - 1, reach + width); i++) {
      inside += sum[i];
    }
    return 1 - inside;
  }

  @Test
  void sumsLieWithinTheirErrorBar() {
    for (String epsilon : new String[] {"2", "1", "0.3", "0.1"}) {
      double b = 1 / Double.parseDouble(epsilon);
      BigDecimal before = BigDecimal.ZERO;
      for (int draws : new int[] {1, 2, 3, 7, 16}) {
        BigDecimal width =
            LaplaceSum.halfWidth(
                Laplace.of(new BigDecimal(epsilon)),
                BigDecimal.ONE,
                BigDecimal.ONE,
                CONFIDENCE,
                draws);
        assertTrue(beyond(b, draws, width.intValueExact()) <= 0.05, epsilon + " × " + draws);
        assertTrue(width.compareTo(before) >= 0, "more draws, more noise");
        assertTrue(
            width.doubleValue() <= 6 * b * Math.sqrt(draws) + 2, "not much wider than need be");
        before = width;
      }
    }
  }

  @Test
  void coarseGridsAndNoNoise() {
    BigDecimal grid = new BigDecimal("0.01");
    Laplace mechanism = Laplace.of(BigDecimal.ONE);
    BigDecimal width = LaplaceSum.halfWidth(mechanism, BigDecimal.ONE, grid, CONFIDENCE, 4);
    assertEquals(0, width.remainder(grid).signum());
    assertEquals(0, LaplaceSum.halfWidth(mechanism, BigDecimal.ZERO, grid, CONFIDENCE, 4).signum());
    BigDecimal tiny = new BigDecimal("0.0001");
    assertEquals(0, LaplaceSum.halfWidth(mechanism, tiny, BigDecimal.ONE, CONFIDENCE, 4).signum());
  }
}
