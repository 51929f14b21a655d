package flexdp.noise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.noise.ExponentialSampler.Choice;
import flexdp.noise.ExponentialSampler.Segment;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExponentialSamplerTest {
  private static final ExponentialMechanism ONE = new ExponentialMechanism(BigDecimal.ONE);

  private static Segment segment(long candidates, long score) {
    return new Segment(BigInteger.valueOf(candidates), Rational.of(score));
  }

  @Test
  void candidatesAreChosenInProportionToTheirWeight() {
    List<Segment> segments = List.of(segment(3, -4), segment(1, 0), segment(5, -1), segment(1, -9));
    SeededBits bits = new SeededBits(1);
    int n = 60_000;
    long[] seen = new long[10];
    int[] first = {0, 3, 4, 9};
    for (int i = 0; i < n; i++) {
      Choice c = ExponentialSampler.choose(ONE, BigDecimal.valueOf(2), segments, bits);
      seen[first[c.segment()] + c.offset().intValueExact()]++;
    }
    assertTrue(Fit.chiSquare(seen, weights(segments, 0.25)));
    assertFalse(Fit.chiSquare(seen, weights(segments, 0.3)));
  }

  private static double[] weights(List<Segment> segments, double rate) {
    List<Double> weights = new ArrayList<>();
    for (Segment s : segments) {
      for (int i = 0; i < s.candidates().intValueExact(); i++) {
        weights.add(Math.exp(rate * s.score().doubleValue()));
      }
    }
    double sum = weights.stream().mapToDouble(Double::doubleValue).sum();
    return weights.stream().mapToDouble(w -> w / sum).toArray();
  }

  @Test
  void aHugeFlatRangeAgainstOneGoodCandidate() {
    // 10^18 candidates of weight e^(-40) against one of weight 1: about 0.81 to 0.19.
    List<Segment> segments =
        List.of(new Segment(BigInteger.TEN.pow(18), Rational.of(-80)), segment(1, 0));
    SeededBits bits = new SeededBits(2);
    int n = 20_000;
    long flat = 0;
    for (int i = 0; i < n; i++) {
      flat += ExponentialSampler.choose(ONE, BigDecimal.ONE, segments, bits).segment() == 0 ? 1 : 0;
    }
    double weight = 1e18 * Math.exp(-40);
    Fit.assertProportion(weight / (weight + 1), flat, n);
  }

  @Test
  void scoresFarBelowTheBestAreNeverReached() {
    List<Segment> segments = List.of(segment(1, -1_000_000_000L), segment(1, 5));
    SeededBits bits = new SeededBits(3);
    for (int i = 0; i < 1000; i++) {
      assertEquals(1, ExponentialSampler.choose(ONE, BigDecimal.ONE, segments, bits).segment());
    }
  }

  @Test
  void uniformNumbersStayBelowTheirLimit() {
    SeededBits bits = new SeededBits(4);
    long[] seen = new long[7];
    for (int i = 0; i < 70_000; i++) {
      seen[ExponentialSampler.below(BigInteger.valueOf(7), bits).intValueExact()]++;
    }
    double[] sevenths = new double[7];
    Arrays.fill(sevenths, 1 / 7.0);
    assertTrue(Fit.chiSquare(seen, sevenths));
    BigInteger huge = BigInteger.TEN.pow(40);
    assertTrue(ExponentialSampler.below(huge, bits).compareTo(huge) < 0);
  }

  @Test
  void anEmptySegmentIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> segment(0, 1));
  }
}
