package flexdp.noise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.noise.ProposeTestRelease.Confirmation;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Propose-test-release by its exact law: for all pairs of distances that neighbours can have, and
 * answers as far apart as the proof allows, the hockey-stick divergence at ε is at most δ.
 */
class ProposeTestReleaseLawTest {
  private static final int SPAN = 700;
  private static final double FAR = 300;

  /** The law of one answer: not confirmed, or a value. */
  private record Law(double fails, double[] values) {
    static Law of(long distance, long threshold, double testing, double scale, double answer) {
      double r = Math.exp(-testing);
      // P(Z > t − γ)
      long beyond = threshold - distance + 1;
      double passes =
          beyond > 0 ? Math.pow(r, beyond) / (1 + r) : 1 - Math.pow(r, 1 - beyond) / (1 + r);
      double q = Math.exp(-1 / scale);
      double[] values = new double[2 * SPAN + 1];
      for (int v = -SPAN; v <= SPAN; v++) {
        values[v + SPAN] = passes * (1 - q) / (1 + q) * Math.pow(q, Math.abs(v - answer));
      }
      return new Law(1 - passes, values);
    }

    double beyond(Law other, double epsilon) {
      double factor = Math.exp(epsilon);
      double sum = Math.max(0, fails - factor * other.fails);
      for (int i = 0; i < values.length; i++) {
        sum += Math.max(0, values[i] - factor * other.values[i]);
      }
      return sum;
    }
  }

  private interface Design {
    Law law(long distance, double answer);
  }

  /** The largest divergence over all pairs that the proof speaks of. */
  private static double worst(Design design, int most, int b, double epsilon) {
    double worst = 0;
    for (long one = 0; one <= most; one++) {
      for (long two = Math.max(0, one - 1); two <= one + 1; two++) {
        double apart = Math.max(one, two) >= 1 ? b : FAR;
        Law x = design.law(one, 0);
        Law y = design.law(two, apart);
        worst = Math.max(worst, Math.max(x.beyond(y, epsilon), y.beyond(x, epsilon)));
      }
    }
    return worst;
  }

  private static Design real(ProposeTestRelease mechanism, int b) {
    Confirmation test = new Confirmation(mechanism.testing(), mechanism.delta());
    long t = test.threshold().longValueExact();
    double scale = mechanism.scale(BigDecimal.valueOf(b)).doubleValue();
    return (distance, answer) ->
        Law.of(distance, t, mechanism.testing().doubleValue(), scale, answer);
  }

  @Test
  void theHockeyStickIsAtMostDelta() {
    for (String epsilon : List.of("0.5", "1", "3")) {
      for (String delta : List.of("0.1", "1e-3", "1e-6")) {
        for (int b : List.of(1, 4)) {
          ProposeTestRelease mechanism =
              ProposeTestRelease.of(new BigDecimal(epsilon), new BigDecimal(delta));
          double worst = worst(real(mechanism, b), 120, b, Double.parseDouble(epsilon));
          double limit = Double.parseDouble(delta);
          assertTrue(
              worst <= limit * (1 + 1e-9) + 1e-12, epsilon + " " + delta + " " + b + ": " + worst);
          assertTrue(worst > limit / 10, "the bound is nearly reached: " + worst);
        }
      }
    }
  }

  @Test
  void wrongDesignsAreCaught() {
    BigDecimal epsilon = BigDecimal.ONE;
    BigDecimal delta = new BigDecimal("1e-3");
    ProposeTestRelease right = ProposeTestRelease.of(epsilon, delta);
    int b = 4;
    double testing = right.testing().doubleValue();
    double scale = right.scale(BigDecimal.valueOf(b)).doubleValue();
    long t = new Confirmation(right.testing(), delta).threshold().longValueExact();
    // No test at all.
    assertTrue(worst((d, q) -> Law.of(1_000, 0, testing, scale, q), 5, b, 1) > 0.1);
    // A threshold that does not look at δ.
    assertTrue(worst((d, q) -> Law.of(d, 2, testing, scale, q), 60, b, 1) > 0.1);
    // One step too low.
    assertTrue(worst((d, q) -> Law.of(d, t - 1, testing, scale, q), 60, b, 1) > 1e-3);
    // All of ε for the noise, as if the test were free.
    assertTrue(worst((d, q) -> Law.of(d, t, testing, b, q), 60, b, 1) > 1e-3);
  }

  @Test
  void theThresholdIsTheLeastThatWillDo() {
    for (String epsilon : List.of("0.03", "0.3", "2", "40")) {
      for (String delta : List.of("0.4", "1e-3", "1e-9", "1e-60")) {
        Confirmation test = new Confirmation(new BigDecimal(epsilon), new BigDecimal(delta));
        double r = Math.exp(-Double.parseDouble(epsilon));
        double t = test.threshold().doubleValue();
        double log = Math.log(Double.parseDouble(delta));
        assertTrue((t + 1) * Math.log(r) - Math.log1p(r) <= log + 1e-9);
        assertTrue(t == 0 || t * Math.log(r) - Math.log1p(r) > log - 1e-9);
      }
    }
  }

  @Test
  void theTestPassesAsOftenAsItsLawSays() {
    Confirmation test = new Confirmation(new BigDecimal("0.3"), new BigDecimal("1e-3"));
    BitSource bits = new SeededBits(5);
    BigInteger t = test.threshold();
    int passed = 0;
    for (int i = 0; i < 20_000; i++) {
      passed += test.passes(t, bits) ? 1 : 0;
    }
    double r = Math.exp(-0.3);
    assertEquals(r / (1 + r), passed / 20_000.0, 0.015);
    assertTrue(test.passes(test.farEnough(), bits));
  }

  @Test
  void nothingIsDrawnWithoutATest() {
    Noise noise = new Noise(new SeededBits(1), new LaplaceCache());
    ProposeTestRelease untested = ProposeTestRelease.of(BigDecimal.ONE, new BigDecimal("1e-9"));
    assertThrows(
        IllegalStateException.class,
        () -> noise.add(untested, BigDecimal.ONE, List.of(BigDecimal.TEN), BigDecimal.ONE));
    noise.add(untested.tested(), BigDecimal.ONE, List.of(BigDecimal.TEN), BigDecimal.ONE);
  }
}
