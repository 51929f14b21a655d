package flexdp.noise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.noise.ProposeTestRelease.Confirmation;
import java.math.BigDecimal;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

/**
 * What a proposal is worth: the mean noise of a bin at ε = 1 and δ = 1e-9, when the proposal is as
 * small as passes in 99 of 100 cases, against noise by released metrics and against smooth noise.
 */
class ProposeWorthTest {
  private static final double DELTA = 1e-9;

  /** F of a metric that everything in the formula has, how large that is, and how often it is. */
  private record Formula(DoubleUnaryOperator bound, double most, int metrics) {
    double at(double distance) {
      return bound.applyAsDouble(most + distance);
    }
  }

  private static final Formula JOIN = new Formula(m -> m, 65, 1);
  private static final Formula TRIANGLE = new Formula(m -> 3 * m + 1, 65, 2);
  private static final Formula CUBIC = new Formula(m -> 4 * m * m * m, 12, 4);

  private static double proposed(Formula formula, double test) {
    BigDecimal epsilon = BigDecimal.valueOf(test);
    int threshold =
        new Confirmation(epsilon, BigDecimal.valueOf(DELTA)).threshold().intValueExact();
    double passes = Math.ceil(Math.log(100 / (1 + Math.exp(-test))) / test);
    return formula.at(threshold + passes) / (1 - test);
  }

  /** The best of many ways to share ε. */
  private static double best(IntToDoubleFunction noiseAtHundredths) {
    double best = Double.POSITIVE_INFINITY;
    for (int i = 5; i <= 80; i++) {
      best = Math.min(best, noiseAtHundredths.applyAsDouble(i));
    }
    return best;
  }

  private static double proposed(Formula formula) {
    return best(i -> proposed(formula, i / 100.0));
  }

  private static double measured(Formula formula, double release) {
    int q = formula.metrics();
    return formula.at(q / release * Math.log(q / DELTA));
  }

  private static double releasedForIt(Formula formula) {
    return best(i -> measured(formula, i / 100.0) / (1 - i / 100.0));
  }

  @Test
  void withSeveralMetricsItIsBetterThanAReleaseForThatQuestionAlone() {
    assertEquals(1.4, releasedForIt(TRIANGLE) / proposed(TRIANGLE), 0.1);
    assertEquals(24, releasedForIt(CUBIC) / proposed(CUBIC), 3);
    double usual =
        new ProposeTestRelease(BigDecimal.ONE, new BigDecimal("1e-9"), false)
            .testing()
            .doubleValue();
    assertEquals(0.3, usual);
    assertTrue(releasedForIt(TRIANGLE) / proposed(TRIANGLE, usual) > 1.3);
    assertTrue(releasedForIt(CUBIC) / proposed(CUBIC, usual) > 6);
  }

  @Test
  void againstOneMetricThatWasReleasedBeforeItLosesTwofold() {
    assertEquals(2, proposed(JOIN) / measured(JOIN, 0.5), 0.2);
  }

  /** The mean of one coordinate. */
  private static double smooth(Formula formula, int bins) {
    Lomax lomax = Lomax.of(BigDecimal.ONE, bins);
    double beta = lomax.beta().doubleValue();
    double most = 0;
    for (double k = 0; k < 60 / beta; k++) {
      most = Math.max(most, Math.exp(-beta * k) * formula.at(k));
    }
    double tail = lomax.tail().decimal(java.math.MathContext.DECIMAL64).doubleValue();
    return most / lomax.c().doubleValue() / (tail - 1);
  }

  /** So 20 bins may be had without a release where the bound is linear, and 8 otherwise. */
  @Test
  void smoothNoiseKeepsUpWithReleasedMetricsForTwentyBinsWhereTheBoundIsLinear() {
    assertTrue(smooth(JOIN, 20) < 1.5 * measured(JOIN, 0.5), smooth(JOIN, 20) + "");
    assertTrue(smooth(JOIN, 64) > 1.5 * measured(JOIN, 0.5), smooth(JOIN, 64) + "");
    assertTrue(smooth(CUBIC, 8) > 100 * smooth(CUBIC, 1), smooth(CUBIC, 8) + "");
  }
}
