package flexdp.noise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.noise.PrivateQuantiles.Bucket;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrivateQuantilesTest {
  private static final ExponentialMechanism ONE = new ExponentialMechanism(BigDecimal.ONE);

  private static final BigDecimal HALF = new BigDecimal("0.5");

  private static BigInteger big(long value) {
    return BigInteger.valueOf(value);
  }

  /** 10,000 rows at 1,000 candidates from 5,000 to 5,999 of 1,000,000. */
  private static List<Bucket> rows() {
    List<Bucket> buckets = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      buckets.add(new Bucket(big(5000 + i), big(10)));
    }
    return buckets;
  }

  @ParameterizedTest
  @CsvSource({"0,5003", "0.25,5250", "0.5,5500", "0.9,5900", "1,5996"})
  void quantilesAreCloseToTheTruth(BigDecimal fraction, long expected) {
    int far = 0;
    for (int seed = 0; seed < 50; seed++) {
      BigInteger chosen =
          PrivateQuantiles.choose(
                  ONE,
                  fraction,
                  BigDecimal.ONE,
                  BigInteger.ONE,
                  big(1_000_000),
                  rows(),
                  new SeededBits(seed))
              .orElseThrow();
      far += chosen.subtract(big(expected)).abs().longValueExact() > 3 ? 1 : 0;
    }
    assertTrue(far <= 2, "far away: " + far);
  }

  /** Weights by hand: four candidates, rows 5, 0, 6, 0, the median wanted at rank 5.5. */
  @Test
  void candidatesHaveTheProbabilitiesOfTheirScores() {
    List<Bucket> buckets = List.of(new Bucket(big(0), big(5)), new Bucket(big(2), big(6)));
    SeededBits bits = new SeededBits(1);
    long[] seen = new long[5];
    for (int i = 0; i < 40_000; i++) {
      Optional<BigInteger> chosen =
          PrivateQuantiles.choose(ONE, HALF, BigDecimal.ONE, BigInteger.ONE, big(4), buckets, bits);
      seen[chosen.map(BigInteger::intValueExact).orElse(4)]++;
    }
    // Scores −½, −½, 0, −5.5, nothing ½·(⌈2·ln 400⌉ − 11), and sensitivity ½: weights e^(score).
    double[] p = {Math.exp(-0.5), Math.exp(-0.5), 1, Math.exp(-5.5), Math.exp(0.5)};
    double sum = p[0] + p[1] + p[2] + p[3] + p[4];
    for (int i = 0; i < 5; i++) {
      p[i] /= sum;
    }
    assertTrue(Fit.chiSquare(seen, p));
  }

  /** The chance of another candidate is below a million times e^(-2500). */
  @Test
  void whereThereIsHardlyNoiseTheEndsThemselvesAreChosen() {
    ExponentialMechanism sure = new ExponentialMechanism(BigDecimal.valueOf(10_000));
    List<Bucket> few = List.of(new Bucket(big(70), big(1)), new Bucket(big(900), big(2)));
    List<Bucket> one = List.of(new Bucket(big(123), big(1)));
    for (int seed = 0; seed < 20; seed++) {
      assertEquals(big(70), end(sure, BigDecimal.ZERO, few, seed));
      assertEquals(big(900), end(sure, BigDecimal.ONE, few, seed));
      assertEquals(big(123), end(sure, BigDecimal.ZERO, one, seed));
      assertEquals(big(123), end(sure, BigDecimal.ONE, one, seed));
    }
  }

  private static BigInteger end(
      ExponentialMechanism mechanism, BigDecimal fraction, List<Bucket> rows, int seed) {
    return PrivateQuantiles.choose(
            mechanism,
            fraction,
            BigDecimal.ONE,
            BigInteger.ONE,
            big(1_000_000),
            rows,
            new SeededBits(seed))
        .orElseThrow();
  }

  /** And a few rows give a value nearly always, where ε is large always. */
  @ParameterizedTest
  @CsvSource({"0", "0.1", "0.5", "0.75", "1"})
  void ofNoRowsThereIsNothing(BigDecimal fraction) {
    List<Bucket> one = List.of(new Bucket(big(123), big(1)));
    int none = 0;
    int some = 0;
    for (int seed = 0; seed < 500; seed++) {
      none += isNothing(ONE, fraction, List.of(), seed) ? 1 : 0;
      some += isNothing(ONE, fraction, List.of(new Bucket(big(9), big(80))), seed) ? 1 : 0;
      if (seed < 20) {
        ExponentialMechanism sure = new ExponentialMechanism(BigDecimal.valueOf(10_000));
        assertTrue(isNothing(sure, fraction, List.of(), seed));
        assertFalse(isNothing(sure, fraction, one, seed));
      }
    }
    assertTrue(none > 480, "something of nothing: " + (500 - none));
    assertEquals(0, some);
  }

  private static boolean isNothing(
      ExponentialMechanism mechanism, BigDecimal fraction, List<Bucket> rows, int seed) {
    return PrivateQuantiles.choose(
            mechanism,
            fraction,
            BigDecimal.ONE,
            BigInteger.ONE,
            big(1_000_000),
            rows,
            new SeededBits(seed))
        .isEmpty();
  }

  /** Exact laws of all neighbours with few rows: one row more moves no probability beyond e^ε. */
  @ParameterizedTest
  @CsvSource({"0, 1", "0.25, 1", "0.5, 1", "0.9, 1", "1, 1", "0.5, 0.1", "1, 3", "0, 0.5"})
  void neighboursAreWithinEpsilonWithNothingToo(BigDecimal fraction, double epsilon) {
    double worst = 0;
    double most = 0;
    for (int rows = 0; rows < 81; rows++) {
      int[] counts = {rows % 3 * 7, rows / 3 % 3 * 4, rows / 9 % 3 * 9, rows / 27 * 5};
      for (int i = 0; i < 4; i++) {
        int[] more = counts.clone();
        more[i]++;
        double[] here = law(fraction, epsilon, counts);
        double[] there = law(fraction, epsilon, more);
        for (int j = 0; j < 5; j++) {
          worst = Math.max(worst, Math.abs(Math.log(here[j] / there[j])));
        }
        most = Math.max(most, here[4]);
      }
    }
    assertTrue(worst <= epsilon + 1e-9 && worst > epsilon / 2, "the worst loss is " + worst);
    assertTrue(most > 0.99);
  }

  /** By the words of the class, in doubles; nothing is the last. */
  private static double[] law(BigDecimal fraction, double epsilon, int[] counts) {
    double q = fraction.doubleValue();
    int rows = java.util.Arrays.stream(counts).sum();
    double inside = Math.ceil(2 / epsilon * Math.log(100.0 * counts.length));
    double wanted = q == 0 ? inside : q == 1 ? rows - inside : q * rows;
    double perRow = Math.max(q, 1 - q);
    double[] law = new double[counts.length + 1];
    int below = 0;
    double sum = 0;
    for (int i = 0; i < counts.length; i++) {
      double away = Math.max(0, Math.max(below - wanted, wanted - below - counts[i]));
      law[i] = Math.exp(-away * epsilon / 2 / perRow);
      below += counts[i];
      sum += law[i];
    }
    double least = q == 0 || q == 1 ? 0 : inside;
    law[counts.length] = Math.exp((least - rows) * epsilon / 2);
    sum += law[counts.length];
    for (int i = 0; i < law.length; i++) {
      law[i] /= sum;
    }
    return law;
  }

  @Test
  void bucketsMustAscendWithinTheCandidates() {
    Bucket late = new Bucket(big(10), big(1));
    Bucket early = new Bucket(big(3), big(1));
    for (List<Bucket> wrong : List.of(List.of(late), List.of(early, early))) {
      assertThrows(
          IllegalArgumentException.class,
          () ->
              PrivateQuantiles.choose(
                  ONE,
                  BigDecimal.ONE,
                  BigDecimal.ONE,
                  BigInteger.ONE,
                  big(10),
                  wrong,
                  new SeededBits(1)));
    }
  }
}
