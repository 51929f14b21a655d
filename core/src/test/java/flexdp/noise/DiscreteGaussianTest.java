package flexdp.noise;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DiscreteGaussianTest {
  private static final int N = 200_000;

  private static double[] probabilities(double variance, int span) {
    double[] p = new double[2 * span + 1];
    double sum = 0;
    for (int z = -span; z <= span; z++) {
      p[z + span] = Math.exp(-z * (double) z / (2 * variance));
      sum += p[z + span];
    }
    for (int i = 0; i < p.length; i++) {
      p[i] /= sum;
    }
    return p;
  }

  @ParameterizedTest
  @CsvSource({"0.15", "0.3", "1", "2.5", "100", "1234.56"})
  void followsItsDistributionValueByValue(String text) {
    BigDecimal variance = new BigDecimal(text);
    int span = (int) (8 * Math.sqrt(variance.doubleValue())) + 8;
    DiscreteGaussian z = new DiscreteGaussian(Rational.of(variance));
    SeededBits bits = new SeededBits(1);
    long[] seen = new long[2 * span + 1];
    for (int i = 0; i < N; i++) {
      seen[(int) Math.clamp(z.sample(bits).longValueExact() + span, 0, 2 * span)]++;
    }
    assertTrue(Fit.chiSquare(seen, probabilities(variance.doubleValue(), span)));
    assertFalse(Fit.chiSquare(seen, probabilities(variance.doubleValue() * 1.06, span)));
  }

  @ParameterizedTest
  @CsvSource({"1e6", "1e12"})
  void largeDeviationsFollowTheNormalDistribution(String text) {
    BigDecimal sigma = new BigDecimal(text);
    DiscreteGaussian z = new DiscreteGaussian(Rational.of(sigma.multiply(sigma)));
    SeededBits bits = new SeededBits(2);
    double[] sample = new double[N / 4];
    for (int i = 0; i < N / 4; i++) {
      sample[i] = Math.abs(z.sample(bits).doubleValue() / sigma.doubleValue());
    }
    assertTrue(Fit.distribution(sample, DiscreteGaussianTest::within));
    assertFalse(Fit.distribution(sample, x -> within(x * 1.06)));
  }

  /** P(|N| ≤ z) by Simpson's rule. */
  private static double within(double z) {
    int steps = 200;
    double h = Math.min(z, 9) / steps;
    double sum = 0;
    for (int i = 0; i <= steps; i++) {
      double weight = i == 0 || i == steps ? 1 : i % 2 == 1 ? 4 : 2;
      sum += weight * Math.exp(-(i * h) * (i * h) / 2);
    }
    return Math.sqrt(2 / Math.PI) * sum * h / 3;
  }
}
