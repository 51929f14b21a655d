package flexdp.noise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Collections;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SmoothNoiseTest {
  private static final int N = 40_000;
  private static final Rational TAIL = Rational.of(20, 3);

  /** Continuous Z, rounded to whole numbers: P(value ≤ k) = F((k + ½)/scale). */
  private static DoubleUnaryOperator rounded(DoubleUnaryOperator upperTail, double scale) {
    return k -> {
      double x = (k + 0.5) / scale;
      return x < 0 ? upperTail.applyAsDouble(-x) : 1 - upperTail.applyAsDouble(x);
    };
  }

  private static double lomaxTail(double x, double tail) {
    return Math.pow(1 + x, -tail) / 2;
  }

  private static double[] lomax(Rational scale, int n, long seed) {
    SeededBits bits = new SeededBits(seed);
    double[] sample = new double[n];
    for (int i = 0; i < n; i++) {
      sample[i] =
          SmoothNoise.lomax(List.of(BigInteger.ZERO), TAIL, scale, bits).getFirst().doubleValue();
    }
    return sample;
  }

  @ParameterizedTest
  @CsvSource({"1", "7.35", "961.5", "1e9", "1e20"})
  void roundedLomaxFollowsItsDistribution(String text) {
    BigDecimal scale = new BigDecimal(text);
    double[] sample = lomax(Rational.of(scale), N, 1);
    double tail = TAIL.doubleValue();
    double s = scale.doubleValue();
    assertTrue(Fit.distribution(sample, rounded(x -> lomaxTail(x, tail), s)));
    assertFalse(Fit.distribution(sample, rounded(x -> lomaxTail(x, tail), s * 1.5)));
    assertFalse(Fit.distribution(sample, rounded(x -> lomaxTail(x, tail), s * 0.7)));
  }

  @Test
  void lomaxFollowsItsDistributionValueByValue() {
    double[] sample = lomax(Rational.of(15, 2), 2 * N, 2);
    int span = 12;
    long[] seen = new long[2 * span + 1];
    double[] p = new double[2 * span + 1];
    for (double x : sample) {
      seen[(int) Math.clamp((long) x + span, 0, 2 * span)]++;
    }
    DoubleUnaryOperator cdf = rounded(x -> lomaxTail(x, 20 / 3.0), 7.5);
    for (int k = -span; k <= span; k++) {
      double below = k == -span ? 0 : cdf.applyAsDouble(k - 1);
      p[k + span] = (k == span ? 1 : cdf.applyAsDouble(k)) - below;
    }
    assertTrue(Fit.chiSquare(seen, p));
  }

  @ParameterizedTest
  @CsvSource({"0.4", "20", "1e12"})
  void roundedLaplaceFollowsItsDistribution(String text) {
    BigDecimal scale = new BigDecimal(text);
    SeededBits bits = new SeededBits(3);
    double[] sample = new double[N];
    for (int i = 0; i < N; i++) {
      sample[i] = SmoothNoise.laplace(BigInteger.ZERO, Rational.of(scale), bits).doubleValue();
    }
    double s = scale.doubleValue();
    assertTrue(Fit.distribution(sample, rounded(x -> Math.exp(-x) / 2, s)));
    assertFalse(Fit.distribution(sample, rounded(x -> Math.exp(-x) / 2, s * 1.08)));
  }

  /** Norm Beta-prime(d, tail), every coordinate Lomax(tail), direction uniform, signs fair. */
  @ParameterizedTest
  @CsvSource({"2", "3", "8"})
  void lomaxOfSeveralOutputsHasItsMarginals(int d) {
    int n = 60_000 / d;
    Rational tail = Rational.of(20 * d, 3);
    Rational scale = Rational.of(1_000_000);
    SeededBits bits = new SeededBits(4);
    double[] norms = new double[n];
    double[] shares = new double[n];
    double[][] coordinates = new double[d][n];
    long sameSign = 0;
    List<BigInteger> zero = Collections.nCopies(d, BigInteger.ZERO);
    for (int i = 0; i < n; i++) {
      List<BigInteger> z = SmoothNoise.lomax(zero, tail, scale, bits);
      for (int j = 0; j < d; j++) {
        coordinates[j][i] = z.get(j).doubleValue() / 1e6;
        norms[i] += Math.abs(coordinates[j][i]);
      }
      shares[i] = Math.abs(coordinates[d - 1][i]) / norms[i];
      sameSign += coordinates[0][i] < 0 == coordinates[1][i] < 0 ? 1 : 0;
    }
    double k = tail.doubleValue();
    for (double[] coordinate : coordinates) {
      assertTrue(Fit.distribution(coordinate, x -> x < 0 ? lomaxTail(-x, k) : 1 - lomaxTail(x, k)));
    }
    // The share of one coordinate of a uniform direction is Beta(1, d−1).
    assertTrue(Fit.distribution(shares, x -> 1 - Math.pow(1 - x, d - 1)));
    assertTrue(Fit.distribution(norms, x -> betaPrime(d, k, x)));
    Fit.assertProportion(0.5, sameSign, n);
  }

  /** P(Beta-prime(d, k) ≤ x) for whole d: P(1+R > v) = v^(−k)·Σ_{j&lt;d} (k)_j/j!·(1−1/v)^j. */
  private static double betaPrime(int d, double k, double x) {
    double v = 1 + x;
    double term = Math.pow(v, -k);
    double above = term;
    for (int j = 1; j < d; j++) {
      term *= (k + j - 1) / j * (1 - 1 / v);
      above += term;
    }
    return 1 - above;
  }

  @Test
  void noiseLiesOnTheGridAndIsCentredOnTheValue() {
    Noise noise = new Noise(new SeededBits(5));
    BigDecimal grid = new BigDecimal("0.05");
    BigDecimal exact = new BigDecimal("12345678901234567890.35");
    Flex flex = Flex.of(new BigDecimal("1"), new BigDecimal("1e-9"), 1);
    for (Mechanism.Additive m :
        List.of(
            Laplace.of(BigDecimal.ONE),
            Lomax.of(BigDecimal.ONE),
            flex,
            Gaussian.of(BigDecimal.ONE, new BigDecimal("1e-9")))) {
      long above = 0;
      for (int i = 0; i < 2000; i++) {
        BigDecimal noisy = noise.add(m, new BigDecimal("100"), exact, grid);
        assertEquals(0, noisy.remainder(grid).signum());
        above += noisy.compareTo(exact) > 0 ? 1 : 0;
      }
      Fit.assertProportion(0.5, above, 2000);
    }
  }

  @Test
  void aSmoothMechanismServesNoMoreOutputsThanItIsCalibratedFor() {
    Noise noise = new Noise(new SeededBits(6));
    List<BigDecimal> two = List.of(BigDecimal.ONE, BigDecimal.ONE);
    Flex flex = Flex.of(new BigDecimal("1"), new BigDecimal("1e-9"), 1);
    for (Mechanism.Additive m : List.of(Lomax.of(BigDecimal.ONE), flex)) {
      assertThrows(
          IllegalArgumentException.class, () -> noise.add(m, BigDecimal.ONE, two, BigDecimal.ONE));
    }
    assertEquals(
        2, noise.add(Lomax.of(BigDecimal.ONE, 2), BigDecimal.ONE, two, BigDecimal.ONE).size());
  }

  @Test
  void valuesOffTheGridAreRefusedWithoutBeingNamed() {
    Noise noise = new Noise(new SeededBits(7));
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                noise.add(
                    Laplace.of(BigDecimal.ONE),
                    BigDecimal.ONE,
                    new BigDecimal("77.5"),
                    BigDecimal.ONE));
    assertFalse(refused.getMessage().contains("77"));
  }

  @Test
  void whatNeverMovesNeedsNoNoise() {
    Noise noise = new Noise(new SeededBits(8));
    assertEquals(
        BigDecimal.TEN,
        noise.add(Laplace.of(BigDecimal.ONE), BigDecimal.ZERO, BigDecimal.TEN, BigDecimal.ONE));
  }
}
