package flexdp.experiments.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.noise.Flex;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;

class HistogramDeltaTest {
  @Test
  void theErrataOfTheOneDimensionalBeta() {
    double beta = HistogramDelta.paperBeta(1, 1e-8);
    assertEquals(3.8e-5, HistogramDelta.atLeast(1, beta, 100), 0.05e-5);
    assertEquals(0.074, HistogramDelta.atLeast(1, beta, 1_000), 0.0005);
    assertEquals(0.70, HistogramDelta.atLeast(1, beta, 10_000), 0.005);
    assertTrue(HistogramDelta.atLeast(1, beta, 1) <= 1e-8);
  }

  @Test
  void theSoundBetaAgreesWithTheCertainCalibration() {
    for (int bins : new int[] {2, 7, 40}) {
      double certain =
          Flex.of(new BigDecimal("0.1"), new BigDecimal("1e-9"), bins).beta().doubleValue();
      assertEquals(certain, HistogramDelta.soundBeta(0.1, 1e-9, bins), 1e-6 * certain);
    }
  }
}
