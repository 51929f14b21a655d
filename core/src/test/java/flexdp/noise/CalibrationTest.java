package flexdp.noise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.noise.Flex.FlexDelta;
import flexdp.noise.Gaussian.GaussianDelta;
import flexdp.noise.Laplace.LabelThreshold;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CalibrationTest {
  private static BigDecimal dec(String text) {
    return new BigDecimal(text);
  }

  private static BigDecimal times(BigDecimal value, String factor) {
    return value.multiply(dec(factor));
  }

  @Test
  void laplaceScaleIsSensitivityOverEpsilon() {
    Laplace laplace = Laplace.of(dec("0.1"));
    assertEquals(Rational.of(1310), laplace.exactScale(dec("131")));
    assertEquals("laplace", laplace.name());
    assertEquals("released", new Laplace(dec("0.1"), true).name());
    assertTrue(laplace.smoothing().isEmpty());
    assertEquals(0, laplace.rho().orElseThrow().compareTo(dec("0.005")));
    assertTrue(Laplace.of(dec("0.3")).scale(dec("1")).multiply(dec("0.3")).compareTo(dec("1")) > 0);
  }

  /** Figures of guarantee §5: β = 0.15, a = 23/3, mean |noise| 1.30·S at ε = 1. */
  @Test
  void lomaxHasTheFiguresOfTheGuarantee() {
    Lomax lomax = Lomax.of(dec("1"));
    assertEquals(0, lomax.beta().compareTo(dec("0.15")));
    assertEquals(Rational.of(23, 3), lomax.a());
    double mean = 1 / (lomax.a().doubleValue() - 2) / lomax.c().doubleValue();
    assertEquals(1.30, mean, 0.005);
    double both = Math.expm1((1 - 0.15) / (23 / 3.0)) * Math.exp(0.15);
    assertEquals(Math.min(Math.expm1(3 / 23.0), both), lomax.c().doubleValue(), 1e-15);
    assertEquals(0.15 * (1 - 0x1p-40), lomax.smoothing().orElseThrow().doubleValue(), 1e-15);
    assertTrue(lomax.smoothing().orElseThrow().compareTo(lomax.beta()) < 0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e-9", "1e-4", "0.1", "1", "1000"})
  void aSmoothBoundMayBeRoundedUpToADouble(String epsilon) {
    Lomax lomax = Lomax.of(dec(epsilon));
    BigDecimal smoothing = lomax.smoothing().orElseThrow();
    assertTrue(smoothing.signum() > 0);
    assertEquals(0, smoothing.compareTo(new BigDecimal(smoothing.doubleValue())));
    BigDecimal slack = lomax.beta().subtract(smoothing);
    assertTrue(slack.compareTo(new BigDecimal(0x1p-51)) > 0);
    assertTrue(slack.compareTo(lomax.beta().multiply(new BigDecimal(0x1p-40))) >= 0);
  }

  @ParameterizedTest
  @CsvSource({"0.001,1", "0.1,1", "1,1", "10,1", "500,1", "0.1,2", "1,3", "1,7", "0.5,8", "3,64"})
  void lomaxCannotBeLoosened(String epsilon, int d) {
    Lomax sound = Lomax.of(dec(epsilon), d);
    BigDecimal e = sound.epsilon();
    String more = "1.000000000001";
    assertTrue(Lomax.isPrivate(e, d, sound.beta(), sound.tail(), sound.c()));
    assertFalse(Lomax.isPrivate(e, d, sound.beta(), sound.tail(), times(sound.c(), more)));
    assertFalse(Lomax.isPrivate(e, d, times(sound.beta(), more), sound.tail(), sound.c()));
    Rational heavier = sound.tail().times(Rational.of(dec(more)));
    assertFalse(Lomax.isPrivate(e, d, sound.beta(), heavier, sound.c()));
    assertThrows(
        IllegalArgumentException.class,
        () -> new Lomax(e, d, sound.beta(), sound.tail(), times(sound.c(), more)));
  }

  @ParameterizedTest
  @CsvSource({
    "0.1,1e-10,1",
    "1,1e-8,1",
    "0.7,1e-8,1",
    "20,1e-3,1",
    "0.01,1e-12,1",
    "1,1e-40,1",
    "1,1e-8,2",
    "0.1,1e-10,8",
    "1,1e-8,100",
    "1,1e-6,512"
  })
  void flexTakesTheLargestBetaThatMeetsDelta(String epsilon, String delta, int d) {
    BigDecimal e = dec(epsilon);
    BigDecimal t = dec(delta);
    Flex flex = Flex.of(e, t, d);
    assertTrue(FlexDelta.isAtMost(e, t, d, flex.beta()));
    assertFalse(FlexDelta.isAtMost(e, t, d, times(flex.beta(), "1.000001")));
    assertEquals(Rational.of(2).over(Rational.of(e)), flex.exactScale(dec("1")));
    assertTrue(flex.rho().isEmpty());
    assertThrows(
        IllegalArgumentException.class,
        () -> new Flex(e, t, d, times(flex.beta(), "1.000001"), false));
  }

  @Test
  void paperFlexIsThePaperToTheLetter() {
    Flex paper = Flex.paper(dec("0.7"), dec("1e-8"));
    double beta = 0.7 / (2 * Math.log(2e8));
    assertEquals(beta, paper.beta().doubleValue(), 1e-16);
    assertEquals(paper.beta(), paper.smoothing().orElseThrow());
    assertEquals(374.2857142857143, paper.scale(dec("131")).doubleValue(), 1e-10);
    // Exact calibration allows a larger β, hence a smaller S, than the paper's sufficient one.
    assertTrue(Flex.of(dec("0.7"), dec("1e-8"), 1).beta().compareTo(paper.beta()) > 0);
  }

  /** Erratum 9: the paper's β on d outputs does not give the paper's δ. */
  @Test
  void thePapersBetaIsNotPrivateForHistograms() {
    BigDecimal beta = Flex.paper(dec("1"), dec("1e-8")).beta();
    assertTrue(FlexDelta.isAtMost(dec("1"), dec("1e-8"), 1, beta));
    assertFalse(FlexDelta.isAtMost(dec("1"), dec("1e-8"), 100, beta));
  }

  @ParameterizedTest
  @CsvSource({"0.1,1e-10", "1,1e-8", "10,1e-3", "0.01,1e-30"})
  void gaussianTakesTheLargestRhoThatMeetsDelta(String epsilon, String delta) {
    Gaussian g = Gaussian.of(dec(epsilon), dec(delta));
    BigDecimal rho = g.concentration();
    assertFalse(GaussianDelta.isAtMost(g.epsilon(), g.delta(), times(rho, "1.000001")));
    assertThrows(
        IllegalArgumentException.class,
        () -> new Gaussian(g.epsilon(), g.delta(), times(rho, "1.000001")));
    // Never more noise than the textbook conversion ε = ρ + 2√(ρ ln(1/δ)).
    double e = g.epsilon().doubleValue();
    double l = -Math.log(g.delta().doubleValue());
    double textbook = Math.pow(Math.sqrt(l + e) - Math.sqrt(l), 2);
    assertTrue(rho.doubleValue() >= textbook);
    assertTrue(rho.doubleValue() <= 3 * textbook + 0.2 * e);
  }

  @Test
  void gaussianFromZcdpHasItsVariance() {
    Gaussian g = Gaussian.ofZcdp(dec("0.5"), dec("1e-6"));
    assertEquals(Rational.of(9), g.variance(dec("3")));
    assertEquals(3, g.scale(dec("3")).doubleValue(), 1e-12);
    assertEquals(0.5 + 2 * Math.sqrt(0.5 * Math.log(1e6)), g.epsilon().doubleValue(), 1e-12);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "1e-10", "1e5"})
  void epsilonOutOfRangeIsRefused(String epsilon) {
    assertThrows(IllegalArgumentException.class, () -> Laplace.of(dec(epsilon)));
    assertThrows(IllegalArgumentException.class, () -> Lomax.of(dec(epsilon)));
    assertThrows(IllegalArgumentException.class, () -> Flex.of(dec(epsilon), dec("1e-8"), 1));
    assertThrows(IllegalArgumentException.class, () -> new ExponentialMechanism(dec(epsilon)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "1", "1e-101"})
  void deltaOutOfRangeIsRefused(String delta) {
    assertThrows(IllegalArgumentException.class, () -> Flex.of(dec("1"), dec(delta), 1));
    assertThrows(IllegalArgumentException.class, () -> Flex.paper(dec("1"), dec(delta)));
    assertThrows(IllegalArgumentException.class, () -> Gaussian.of(dec("1"), dec(delta)));
  }

  @Test
  void aThresholdIsRoundedUpToTheGrid() {
    BigDecimal t =
        LabelThreshold.of(dec("1"), Rational.of(10), dec("1"), dec("1e-6"), BigDecimal.ONE);
    assertEquals(0, t.compareTo(dec(String.valueOf(1 + (int) Math.ceil(10 * Math.log(5e5))))));
    BigDecimal fine =
        LabelThreshold.of(dec("2.5"), Rational.of(10), dec("3"), dec("1e-6"), dec("0.01"));
    double exact = 2.5 + 10 * Math.log(1.5e6);
    assertTrue(fine.doubleValue() >= exact && fine.doubleValue() < exact + 0.01);
  }

  /**
   * A bin of one row that its neighbour lacks: with δ = 0.2, T = 1 it may pass one time in five.
   */
  @Test
  void aBinOfOneRowPassesTheThresholdNoMoreOftenThanDelta() {
    Rational scale = Rational.of(7, 2);
    BigDecimal threshold =
        LabelThreshold.of(BigDecimal.ONE, scale, BigDecimal.ONE, dec("0.2"), BigDecimal.ONE);
    DiscreteLaplace z = new DiscreteLaplace(scale);
    SeededBits bits = new SeededBits(1);
    int passed = 0;
    int n = 50_000;
    for (int i = 0; i < n; i++) {
      BigDecimal noisy = BigDecimal.ONE.add(new BigDecimal(z.sample(bits)));
      passed += noisy.compareTo(threshold) > 0 ? 1 : 0;
    }
    assertTrue(passed <= 0.2 * n, "passed: " + passed);
    assertTrue(passed >= 0.1 * n, "passed: " + passed);
  }
}
