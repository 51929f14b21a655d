package flexdp.noise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The most frequent candidate has the law of the exponential mechanism, and that law is private.
 */
class PrivateModeTest {
  private static int choose(int[] counts, String epsilon, String moved, BitSource bits) {
    List<PrivateQuantiles.Bucket> buckets = new ArrayList<>();
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] > 0) {
        buckets.add(
            new PrivateQuantiles.Bucket(BigInteger.valueOf(i), BigInteger.valueOf(counts[i])));
      }
    }
    return PrivateMode.choose(
            new ExponentialMechanism(new BigDecimal(epsilon)),
            new BigDecimal(moved),
            BigInteger.ONE,
            BigInteger.valueOf(counts.length),
            buckets,
            bits)
        .map(BigInteger::intValueExact)
        .orElse(counts.length);
  }

  private static double[] law(int[] counts, double epsilon, double moved) {
    double[] law = new double[counts.length + 1];
    double rows = Math.max(0.5, moved / epsilon * Math.log(100.0 * counts.length));
    double nothing = rows < 1 ? Math.ceil(1000 * rows) / 1000 : Math.ceil(rows);
    double sum = 0;
    for (int i = 0; i < law.length; i++) {
      law[i] = Math.exp(epsilon * (i < counts.length ? counts[i] : nothing) / moved);
      sum += law[i];
    }
    for (int i = 0; i < law.length; i++) {
      law[i] /= sum;
    }
    return law;
  }

  @ParameterizedTest
  @CsvSource({"0.5, 1", "1, 1", "1, 3", "2, 5"})
  void drawsHaveTheLawOfTheMechanism(String epsilon, String moved) {
    int[] counts = {15, 13, 0, 17, 0, 0, 9};
    double[] law = law(counts, Double.parseDouble(epsilon), Double.parseDouble(moved));
    int draws = 20_000;
    int[] seen = new int[counts.length + 1];
    BitSource bits = new SeededBits(31);
    for (int i = 0; i < draws; i++) {
      seen[choose(counts, epsilon, moved, bits)]++;
    }
    double distance = 0;
    for (int i = 0; i < seen.length; i++) {
      double expected = draws * law[i];
      distance += (seen[i] - expected) * (seen[i] - expected) / expected;
    }
    // Seven degrees of freedom: above 29.9 with probability 1e-4.
    assertTrue(distance < 29.9, "chi-square " + distance);
  }

  /** Rows come and go, at most so many together. */
  @Test
  void neighboursAreWithinEpsilon() {
    Random random = new Random(7);
    double worst = 0;
    for (int round = 0; round < 20_000; round++) {
      int[] one = random.ints(2 + random.nextInt(6), 0, 30).toArray();
      int moved = 1 + random.nextInt(4);
      int[] other = one.clone();
      for (int i = 0; i < moved; i++) {
        other[random.nextInt(other.length)] += random.nextBoolean() ? 1 : -1;
      }
      worst = Math.max(worst, loss(law(one, 1, moved), law(other, 1, moved)));
    }
    assertTrue(worst <= 1 + 1e-9 && worst > 0.95, "the worst loss is " + worst);
  }

  /** The rate rests on what all scores do together: where each may move by so much, it is wrong. */
  @Test
  void scoresThatMoveApartWouldNeedHalfTheRate() {
    assertTrue(loss(law(new int[] {40, 0, 0}, 1, 1), law(new int[] {39, 1, 0}, 1, 1)) > 1.9);
    assertTrue(loss(law(new int[] {40, 0, 0}, 1, 2), law(new int[] {39, 1, 0}, 1, 2)) <= 1);
  }

  @Test
  void theGreatestIsChosenWhereItStandsOut() {
    BitSource bits = new SeededBits(3);
    for (int i = 0; i < 200; i++) {
      assertEquals(2, choose(new int[] {5, 0, 400, 7}, "1", "1", bits));
    }
  }

  private static double loss(double[] one, double[] two) {
    double worst = 0;
    for (int i = 0; i < one.length; i++) {
      worst = Math.max(worst, Math.abs(Math.log(one[i] / two[i])));
    }
    return worst;
  }
}
