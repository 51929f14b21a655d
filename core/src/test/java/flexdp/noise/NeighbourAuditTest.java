package flexdp.noise;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.noise.ExponentialSampler.Segment;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Samples the mechanisms on two neighbours and looks for an output that tells them apart. A finding
 * is an event whose probabilities differ by more than e^ε (and δ) even after six standard
 * deviations are granted, so a sound mechanism fails less than once in a hundred thousand runs, all
 * events together. The audit has teeth: noise scaled by 0.8 is found out.
 */
class NeighbourAuditTest {
  private static final double GRANTED = 6;

  private static final int SPAN = 80;
  private static final int[] WIDTHS = {1, 3, 7, SPAN, 2 * SPAN};

  /** A mechanism at work: so many answers. */
  private interface Answers {
    List<BigDecimal> draw(int n, BitSource bits);
  }

  /** Windows of several widths, and both tails, each way round. */
  private static boolean isFoundOut(
      Answers one, Answers other, int n, double epsilon, double delta) {
    double[] p = cumulated(one, n, 1);
    double[] q = cumulated(other, n, 2);
    boolean found = false;
    for (int width : WIDTHS) {
      for (int from = -width; from < p.length; from++) {
        int low = Math.max(0, from);
        int high = Math.min(p.length - 1, from + width);
        double inP = p[high] - p[low];
        double inQ = q[high] - q[low];
        found |= exceeds(inP, inQ, n, epsilon, delta) || exceeds(inQ, inP, n, epsilon, delta);
      }
    }
    return found;
  }

  private static boolean exceeds(double p, double q, int n, double epsilon, double delta) {
    if (p * n < 200) {
      return false;
    }
    double e = Math.exp(epsilon);
    double deviation = Math.sqrt((p + e * e * Math.max(q, 50.0 / n)) / n);
    return p - e * q - delta > GRANTED * deviation;
  }

  /** Entry i is the share of answers below i − SPAN; answers beyond the span count at its ends. */
  private static double[] cumulated(Answers answers, int n, long seed) {
    double[] below = new double[2 * SPAN + 2];
    for (BigDecimal answer : answers.draw(n, new SeededBits(seed))) {
      below[(int) Math.clamp(answer.longValueExact() + SPAN, 0, 2 * SPAN) + 1] += 1.0 / n;
    }
    for (int i = 1; i < below.length; i++) {
      below[i] += below[i - 1];
    }
    return below;
  }

  private static Answers histogram(Mechanism.Additive m, String exact, String sensitivity) {
    return (n, bits) ->
        new Noise(bits)
            .add(m, dec(sensitivity), Collections.nCopies(n, dec(exact)), BigDecimal.ONE);
  }

  private static Answers scalar(Mechanism.Additive m, String exact, BigDecimal sensitivity) {
    return (n, bits) ->
        Stream.generate(() -> new Noise(bits).add(m, sensitivity, dec(exact), BigDecimal.ONE))
            .limit(n)
            .toList();
  }

  private static BigDecimal dec(String text) {
    return new BigDecimal(text);
  }

  @Test
  void laplaceKeepsItsPromiseAndLessNoiseDoesNot() {
    Laplace m = Laplace.of(BigDecimal.ONE);
    assertFalse(isFoundOut(histogram(m, "0", "3"), histogram(m, "3", "3"), 100_000, 1, 0));
    assertTrue(isFoundOut(histogram(m, "0", "2.4"), histogram(m, "3", "2.4"), 100_000, 1, 0));
  }

  /** 0.6, because the way from zCDP to (ε, δ) leaves room that 0.8 does not use up. */
  @Test
  void gaussianKeepsItsPromiseAndLessNoiseDoesNot() {
    Gaussian m = Gaussian.of(BigDecimal.ONE, dec("1e-2"));
    assertFalse(isFoundOut(histogram(m, "0", "5"), histogram(m, "5", "5"), 200_000, 1, 1e-2));
    assertTrue(isFoundOut(histogram(m, "0", "3"), histogram(m, "5", "3"), 200_000, 1, 1e-2));
  }

  @Test
  void lomaxKeepsItsPromiseAndLessNoiseDoesNot() {
    Lomax m = Lomax.of(BigDecimal.ONE);
    BigDecimal s = dec("20");
    BigDecimal stretched = s.multiply(BigDecimal.valueOf(Math.exp(0.15)));
    assertFalse(isFoundOut(scalar(m, "0", s), scalar(m, "20", stretched), 100_000, 1, 0));
    BigDecimal less = dec("0.8");
    assertTrue(
        isFoundOut(
            scalar(m, "0", s.multiply(less)),
            scalar(m, "20", stretched.multiply(less)),
            100_000,
            1,
            0));
  }

  private static Answers choice(String sensitivity, int one, int rest) {
    List<Segment> segments =
        List.of(
            new Segment(BigInteger.ONE, Rational.of(one)),
            new Segment(BigInteger.valueOf(30), Rational.of(rest)));
    ExponentialMechanism m = new ExponentialMechanism(BigDecimal.TWO);
    return (n, bits) ->
        Stream.generate(
                () -> ExponentialSampler.choose(m, dec(sensitivity), segments, bits).segment())
            .map(i -> BigDecimal.valueOf(i))
            .limit(n)
            .toList();
  }

  @Test
  void exponentialKeepsItsPromiseAndLessNoiseDoesNot() {
    assertFalse(isFoundOut(choice("1", 1, 0), choice("1", 0, 1), 60_000, 2, 0));
    assertTrue(isFoundOut(choice("0.8", 1, 0), choice("0.8", 0, 1), 60_000, 2, 0));
  }
}
