package flexdp.noise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.noise.DiscreteLaplace.Coins;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DiscreteLaplaceTest {
  private static final int N = 200_000;

  private static long[] histogram(Rational scale, int span, long seed) {
    DiscreteLaplace z = new DiscreteLaplace(scale);
    SeededBits bits = new SeededBits(seed);
    long[] seen = new long[2 * span + 1];
    for (int i = 0; i < N; i++) {
      long value = z.sample(bits).longValueExact();
      seen[(int) Math.clamp(value + span, 0, 2 * span)]++;
    }
    return seen;
  }

  /** P(z) inside the span; both ends hold the tails. */
  private static double[] probabilities(double scale, int span) {
    double r = Math.exp(-1 / scale);
    double[] p = new double[2 * span + 1];
    for (int z = -span; z <= span; z++) {
      p[z + span] =
          Math.abs(z) == span
              ? Math.pow(r, span) / (1 + r)
              : (1 - r) / (1 + r) * Math.pow(r, Math.abs(z));
    }
    return p;
  }

  @ParameterizedTest
  @CsvSource({"1,10", "1,3", "1,1", "7,3", "10,1", "3,2", "2,1", "4,1", "100,7", "1310,1"})
  void followsItsDistributionValueByValue(long numerator, long denominator) {
    double scale = (double) numerator / denominator;
    int span = (int) Math.ceil(scale * 9) + 1;
    long[] seen = histogram(Rational.of(numerator, denominator), span, numerator);
    assertTrue(Fit.chiSquare(seen, probabilities(scale, span)));
  }

  @Test
  void theTestSeesAScaleThatIsOffByThreePercent() {
    long[] seen = histogram(Rational.of(7, 3), 22, 7);
    assertTrue(Fit.chiSquare(seen, probabilities(7 / 3.0, 22)));
    assertFalse(Fit.chiSquare(seen, probabilities(7 / 3.0 * 1.03, 22)));
    assertFalse(Fit.chiSquare(seen, probabilities(7 / 3.0 * 0.97, 22)));
  }

  @ParameterizedTest
  @CsvSource({"1310", "1e6", "1e12", "4611686018427387904", "1e25", "1e40", "123456789.123"})
  void largeScalesFollowTheirDistribution(String scale) {
    BigDecimal b = new BigDecimal(scale);
    DiscreteLaplace z = new DiscreteLaplace(Rational.of(b));
    SeededBits bits = new SeededBits(5);
    double[] sample = new double[N];
    long negative = 0;
    long odd = 0;
    for (int i = 0; i < N; i++) {
      BigInteger value = z.sample(bits);
      sample[i] = value.doubleValue() / b.doubleValue();
      negative += value.signum() < 0 ? 1 : 0;
      odd += value.testBit(0) ? 1 : 0;
    }
    double b0 = b.doubleValue();
    double r = Math.exp(-1 / b0);
    assertTrue(
        Fit.distribution(
            sample, x -> x < 0 ? Math.exp(x) / (1 + r) : 1 - Math.exp(-x - 1 / b0) / (1 + r)));
    Fit.assertProportion(0.5, negative, N);
    Fit.assertProportion(0.5, odd, N);
  }

  @Test
  void tailsGoOnBeyondTheFirstDigits() {
    DiscreteLaplace z = new DiscreteLaplace(Rational.of(1000));
    SeededBits bits = new SeededBits(11);
    long far = 0;
    for (int i = 0; i < N; i++) {
      far += z.sample(bits).abs().longValueExact() > 5000 ? 1 : 0;
    }
    double r = Math.exp(-0.001);
    Fit.assertProportion(2 * Math.pow(r, 5001) / (1 + r), far, N);
    assertTrue(far > 1000);
  }

  @Test
  void aTinyScaleAlmostNeverMoves() {
    DiscreteLaplace z = new DiscreteLaplace(Rational.of(1, 1000));
    SeededBits bits = new SeededBits(12);
    for (int i = 0; i < 1000; i++) {
      assertEquals(BigInteger.ZERO, z.sample(bits));
    }
  }

  @Test
  void digitsThatAreComputedLateAreTheSame() {
    List<IntFunction<Enclosure>> probabilities = new ArrayList<>();
    for (int i = 1; i < 12; i++) {
      Rational x = Rational.of(-i, 5);
      probabilities.add(p -> Enclosure.of(x, p).exp());
    }
    Coins early = new Coins(probabilities);
    Coins late = new Coins(probabilities, 2);
    SeededBits a = new SeededBits(13);
    SeededBits b = new SeededBits(13);
    for (int i = 0; i < 300; i++) {
      assertEquals(early.flip(a), late.flip(b));
    }
  }

  @Test
  void refusesScalesThatAreNotPositive() {
    assertThrows(IllegalArgumentException.class, () -> new DiscreteLaplace(Rational.ZERO));
    assertThrows(IllegalArgumentException.class, () -> new DiscreteLaplace(Rational.of(-1)));
  }

  /** Time of this thread, so that a busy machine does not count. */
  @Tag("slow")
  @ParameterizedTest
  @CsvSource({"1", "1310", "1e12"})
  void aHundredThousandBinsTakeATenthOfASecond(String sensitivity) {
    List<BigDecimal> exact = new ArrayList<>();
    for (int i = 0; i < 100_000; i++) {
      exact.add(BigDecimal.valueOf(i % 1000));
    }
    Laplace mechanism = Laplace.of(new BigDecimal("0.1"));
    long best = Long.MAX_VALUE;
    for (int round = 0; round < 20; round++) {
      long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
      Noise.secure().add(mechanism, new BigDecimal(sensitivity), exact, BigDecimal.ONE);
      best = Math.min(best, ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start);
    }
    long micros = best / 1000;
    assertTrue(micros < 100_000L, () -> micros + " µs");
  }
}
