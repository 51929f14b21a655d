package flexdp.noise;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The promise itself, from the densities: no output is more than e^ε times likelier (but for δ)
 * under a neighbour whose smooth bound differs by a factor of up to e^β and whose answer is shifted
 * by up to the smaller of the two bounds. Each check fails when the calibration is loosened a
 * little.
 */
class DensityTest {
  /** The largest |log ratio| of two-sided Lomax densities over shifts, stretches and outputs. */
  private static double worstLomax(double beta, double a, double c) {
    double worst = 0;
    for (int ratio = -40; ratio <= 40; ratio++) {
      double t = Math.exp(beta * ratio / 40);
      for (int step = 0; step <= 20; step++) {
        double shift = Math.min(1, t) * step / 20;
        for (int x = -600; x <= 600; x++) {
          double at = Math.signum(x) * Math.expm1(Math.abs(x) / 25.0);
          worst = Math.max(worst, logRatio(at, shift, t, a, c));
          worst = Math.max(worst, logRatio(at + shift, shift, t, a, c));
        }
      }
    }
    return worst;
  }

  private static double logRatio(double x, double shift, double t, double a, double c) {
    double one = -a * Math.log1p(c * Math.abs(x));
    double two = -Math.log(t) - a * Math.log1p(c * Math.abs(x - shift) / t);
    return Math.abs(one - two);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.01, 0.1, 1, 5})
  void lomaxIsPrivate(double epsilon) {
    Lomax m = Lomax.of(BigDecimal.valueOf(epsilon));
    double beta = m.beta().doubleValue();
    double a = m.a().doubleValue();
    double c = m.c().doubleValue();
    assertTrue(worstLomax(beta, a, c) <= epsilon * (1 + 1e-9));
    assertTrue(worstLomax(beta, a, c) > epsilon * 0.99, "the grid reaches the worst case");
    assertTrue(worstLomax(beta, a, c * 1.03) > epsilon * 1.001);
    assertTrue(worstLomax(beta * 1.05, a, c) > epsilon * 1.001);
    assertTrue(worstLomax(beta, a, c / 0.8) > epsilon * 1.1, "noise scaled by 0.8");
  }

  /** d dimensions, along the axes and the diagonal, where the norms are extreme. */
  private static double worstLomax(int d, double beta, double a, double c) {
    double worst = 0;
    for (int ratio = -20; ratio <= 20; ratio++) {
      double t = Math.exp(beta * ratio / 20);
      for (double shift = 0; shift <= 1; shift += 0.25) {
        double v = shift * Math.min(1, t);
        for (int k = 0; k <= 400; k++) {
          double r = Math.expm1(k / 12.0);
          for (double towards : new double[] {Math.abs(r - v), r + v}) {
            double one = -a * Math.log1p(c * r);
            double two = -d * Math.log(t) - a * Math.log1p(c * towards / t);
            double three = -a * Math.log1p(c * towards);
            double four = -d * Math.log(t) - a * Math.log1p(c * r / t);
            worst = Math.max(worst, Math.max(Math.abs(one - two), Math.abs(three - four)));
          }
        }
      }
    }
    return worst;
  }

  @ParameterizedTest
  @CsvSource({"1,2", "1,8", "0.1,3", "4,5"})
  void lomaxOfSeveralOutputsIsPrivate(double epsilon, int d) {
    Lomax m = Lomax.of(BigDecimal.valueOf(epsilon), d);
    double beta = m.beta().doubleValue();
    double a = m.a().doubleValue();
    double c = m.c().doubleValue();
    assertTrue(worstLomax(d, beta, a, c) <= epsilon * (1 + 1e-9));
    assertTrue(worstLomax(d, beta, a, c) > epsilon * 0.99);
    assertTrue(worstLomax(d, beta, a, c * 1.03) > epsilon * 1.001);
    assertTrue(worstLomax(d, beta * 1.05, a, c) > epsilon * 1.001);
    assertTrue(worstLomax(d, beta * d, a, c) > epsilon * 1.1, "the one-dimensional β");
  }

  /** δ of one Laplace output: ∫ max(0, f − e^ε·g), by steps far finer than either scale. */
  private static double flexDelta(double epsilon, double t, double shift) {
    double b = 2 / epsilon;
    DoubleUnaryOperator f = x -> Math.exp(-Math.abs(x) / b) / (2 * b);
    DoubleUnaryOperator g = x -> Math.exp(-Math.abs(x - shift) / (b * t)) / (2 * b * t);
    double there = 0;
    double back = 0;
    double step = b / 80;
    for (double x = -45 * b; x <= 45 * b; x += step) {
      double p = f.applyAsDouble(x);
      double q = g.applyAsDouble(x);
      there += Math.max(0, p - Math.exp(epsilon) * q) * step;
      back += Math.max(0, q - Math.exp(epsilon) * p) * step;
    }
    return Math.max(there, back);
  }

  private static double worstFlex(double epsilon, double beta) {
    double worst = 0;
    for (double ratio = -1; ratio <= 1; ratio += 0.25) {
      double t = Math.exp(ratio * beta);
      for (double shift = 0; shift <= 1; shift += 0.25) {
        worst = Math.max(worst, flexDelta(epsilon, t, shift * Math.min(1, t)));
      }
    }
    return worst;
  }

  @ParameterizedTest
  @CsvSource({"1,1e-3", "1,1e-8", "0.1,1e-6", "3,1e-5"})
  void flexMeetsItsDelta(double epsilon, double delta) {
    Flex m = Flex.of(BigDecimal.valueOf(epsilon), BigDecimal.valueOf(delta), 1);
    double beta = m.beta().doubleValue();
    double worst = worstFlex(epsilon, beta);
    assertTrue(worst <= delta * 1.01, () -> worst + " > " + delta);
    assertTrue(worst >= delta * 0.9, () -> "δ is not used up: " + worst);
    assertTrue(worstFlex(epsilon, beta * 1.1) > delta * 1.05);
  }

  /**
   * d Laplace outputs without shift, where the loss depends on the norm alone: ∫ over its Gamma(d)
   * density. What the shift costs is checked by halving ε, as the proof does.
   */
  private static double stretchDelta(int d, double loss, double beta) {
    double sum = 0;
    double logFactorial = 0;
    for (int j = 2; j < d; j++) {
      logFactorial += Math.log(j);
    }
    double step = 0.002;
    for (double g = step / 2; g < 40 * d + 200; g += step) {
      double wide = (d - 1) * Math.log(g) - g - logFactorial;
      double narrow = d * beta + (d - 1) * Math.log(g) - g * Math.exp(beta) - logFactorial;
      sum += Math.max(0, Math.exp(wide) - Math.exp(loss + narrow)) * step;
    }
    return sum;
  }

  @ParameterizedTest
  @CsvSource({"1,1e-6,2", "1,1e-8,8", "1,1e-9,30"})
  void flexOfSeveralOutputsMeetsItsDelta(double epsilon, double delta, int d) {
    Flex m = Flex.of(BigDecimal.valueOf(epsilon), BigDecimal.valueOf(delta), d);
    double beta = m.beta().doubleValue();
    double worst = stretchDelta(d, epsilon / 2, beta);
    assertTrue(worst <= delta * 1.01, () -> worst + " > " + delta);
    assertTrue(worst >= delta * 0.9, () -> "δ is not used up: " + worst);
    assertTrue(stretchDelta(d, epsilon / 2, beta * 1.1) > delta * 1.2);
  }
}
