package flexdp.noise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.noise.Quantiles.Bucket;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuantilesTest {
  private static final Exponential ONE = new Exponential(BigDecimal.ONE);

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
          Quantiles.choose(
              ONE,
              fraction,
              fraction.max(BigDecimal.ONE.subtract(fraction)),
              big(1_000_000),
              rows(),
              new SeededBits(seed));
      far += chosen.subtract(big(expected)).abs().longValueExact() > 3 ? 1 : 0;
    }
    assertTrue(far <= 2, "far away: " + far);
  }

  /** Weights by hand: three candidates, rows 1, 0, 2, the median wanted at rank 1.5. */
  @Test
  void candidatesHaveTheProbabilitiesOfTheirScores() {
    List<Bucket> buckets = List.of(new Bucket(big(0), big(1)), new Bucket(big(2), big(2)));
    SeededBits bits = new SeededBits(1);
    long[] seen = new long[4];
    for (int i = 0; i < 40_000; i++) {
      BigInteger chosen = Quantiles.choose(ONE, HALF, HALF, big(4), buckets, bits);
      seen[chosen.intValueExact()]++;
    }
    // Scores −½, −½, 0, −1.5 and sensitivity ½: weights e^(score).
    double[] p = {Math.exp(-0.5), Math.exp(-0.5), 1, Math.exp(-1.5)};
    double sum = p[0] + p[1] + p[2] + p[3];
    for (int i = 0; i < 4; i++) {
      p[i] /= sum;
    }
    assertTrue(Fit.chiSquare(seen, p));
  }

  /** The chance of another candidate is below a million times e^(-2500). */
  @Test
  void whereThereIsHardlyNoiseTheEndsThemselvesAreChosen() {
    Exponential sure = new Exponential(BigDecimal.valueOf(10_000));
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
      Exponential mechanism, BigDecimal fraction, List<Bucket> rows, int seed) {
    return Quantiles.choose(
        mechanism, fraction, BigDecimal.ONE, big(1_000_000), rows, new SeededBits(seed));
  }

  @Test
  void anEmptyTableGivesSomeCandidate() {
    BigInteger chosen = Quantiles.choose(ONE, HALF, HALF, big(10), List.of(), new SeededBits(1));
    assertTrue(chosen.signum() >= 0 && chosen.compareTo(big(10)) < 0);
  }

  @Test
  void bucketsMustAscendWithinTheCandidates() {
    Bucket late = new Bucket(big(10), big(1));
    Bucket early = new Bucket(big(3), big(1));
    for (List<Bucket> wrong : List.of(List.of(late), List.of(early, early))) {
      assertThrows(
          IllegalArgumentException.class,
          () ->
              Quantiles.choose(
                  ONE, BigDecimal.ONE, BigDecimal.ONE, big(10), wrong, new SeededBits(1)));
    }
  }
}
