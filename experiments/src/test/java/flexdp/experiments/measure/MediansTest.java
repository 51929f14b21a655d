package flexdp.experiments.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import flexdp.noise.Laplace;
import flexdp.noise.Lomax;
import flexdp.noise.Noise;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;

class MediansTest {
  @Test
  void theMiddleOfSortedNumbers() {
    assertEquals(2, Medians.of(new double[] {3, 1, 2}));
    assertEquals(2.5, Medians.of(new double[] {4, 1, 2, 3}));
  }

  @Test
  void laplaceNoiseHasTheMedianScaleTimesLogarithmOfTwo() {
    Law law = Law.of(Laplace.of(new BigDecimal("0.1")), BigDecimal.ONE);
    assertEquals(10 * Math.log(2), law.median(), 1e-9);
    assertEquals(Math.log(2), Medians.expected(law, new double[] {1000}), 1e-9);
  }

  @Test
  void drawsAgreeWithTheLaw() {
    Law lomax = Law.of(Lomax.of(BigDecimal.ONE), new BigDecimal(500));
    double[] cells = {1000, 2000, 5000};
    double expected = Medians.expected(lomax, cells);
    assertEquals(expected, Medians.sampled(lomax, cells, 600, Noise.secure()), 0.25 * expected);
  }
}
