package flexdp.noise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Losses are computed from exact laws of all outputs, not from samples. */
class SparseVectorTest {
  private static final int STEP = 2; // Δ
  private static final int QUESTIONS = 7;

  private static SparseVector vector(int hits, boolean monotone) {
    return new SparseVector(
        BigDecimal.ONE, hits, monotone, BigDecimal.valueOf(STEP), BigDecimal.ONE);
  }

  private static SparseLaw law(SparseVector vector) {
    return new SparseLaw(
        vector.thresholdScale().doubleValue(), vector.questionScale().doubleValue(), vector.hits());
  }

  /** The largest loss over neighbours that move each question by at most Δ. */
  private static double worst(SparseLaw law, boolean monotone) {
    double worst = 0;
    for (int[][] pair : neighbours(monotone)) {
      worst = Math.max(worst, law.loss(pair[0], pair[1]));
    }
    return worst;
  }

  private static List<int[][]> neighbours(boolean monotone) {
    List<int[][]> pairs = new ArrayList<>();
    for (int base : new int[] {0, -1, -3, 3}) {
      int[] here = filled(base, base);
      pairs.add(new int[][] {here, filled(base + STEP, base + STEP)});
      pairs.add(new int[][] {here, filled(base - STEP, base - STEP)});
    }
    if (!monotone) {
      pairs.add(new int[][] {filled(0, 0), filled(STEP, -STEP)});
      pairs.add(new int[][] {filled(-STEP, STEP), filled(0, 0)});
      pairs.add(new int[][] {filled(0, STEP), filled(STEP, 0)});
    }
    Random random = new Random(7);
    for (int n = 0; n < 60; n++) {
      int[] here = new int[QUESTIONS];
      int[] there = new int[QUESTIONS];
      for (int i = 0; i < QUESTIONS; i++) {
        here[i] = random.nextInt(13) - 6;
        there[i] =
            here[i] + (monotone ? random.nextInt(STEP + 1) : random.nextInt(2 * STEP + 1) - STEP);
      }
      pairs.add(new int[][] {here, there});
      if (!monotone) {
        pairs.add(new int[][] {here, moved(here, random)});
      }
    }
    return pairs;
  }

  /** Each question as far as it may be, either way. */
  private static int[] moved(int[] here, Random random) {
    int[] there = here.clone();
    for (int i = 0; i < there.length; i++) {
      there[i] += random.nextBoolean() ? STEP : -STEP;
    }
    return there;
  }

  /** The first three questions have one value, the others another. */
  private static int[] filled(int first, int rest) {
    int[] all = new int[QUESTIONS];
    for (int i = 0; i < QUESTIONS; i++) {
      all[i] = i < QUESTIONS / 2 ? first : rest;
    }
    return all;
  }

  @Test
  void theLossIsAtMostEpsilonForOneToThreeHits() {
    for (int hits = 1; hits <= 3; hits++) {
      double worst = worst(law(vector(hits, false)), false);
      assertTrue(worst <= 1 && worst > 0.6, hits + " hits lose " + worst);
    }
  }

  @Test
  void whereAllQuestionsGoOneWayHalfTheNoiseWillDo() {
    for (int hits = 1; hits <= 3; hits++) {
      double worst = worst(law(vector(hits, true)), true);
      assertTrue(worst <= 1 && worst > 0.6, hits + " hits lose " + worst);
      assertTrue(
          vector(hits, true).questionScale().compareTo(vector(hits, false).questionScale()) < 0);
    }
  }

  @Test
  void halfTheNoiseOnMixedQuestionsLosesMore() {
    double[] least = {1.4, 1.2, 1.1};
    for (int hits = 1; hits <= 3; hits++) {
      double worst = worst(law(vector(hits, true)), false);
      assertTrue(worst > least[hits - 1], hits + " hits lose " + worst);
    }
  }

  @Test
  void noiseWithoutTheNumberOfHitsLosesMore() {
    assertTrue(worst(new SparseLaw(STEP / 0.5, 2 * STEP / 0.5, 2), false) > 1.05);
    assertTrue(worst(new SparseLaw(STEP / 0.5, 2 * STEP / 0.5, 3), false) > 1.3);
  }

  @Test
  void questionsWithoutNoiseLoseWithoutBound() {
    assertTrue(worst(new SparseLaw(STEP / 0.5, 0, QUESTIONS), false) > 100);
  }

  @Test
  void goingOnAfterTheLastHitLosesMore() {
    SparseVector one = vector(1, false);
    double worst =
        worst(
            new SparseLaw(one.thresholdScale().doubleValue(), one.questionScale().doubleValue(), 4),
            false);
    assertTrue(worst > 1.1, "loses " + worst);
  }

  @Test
  void showingWhatWasComparedLosesAQuarterForEveryMiss() {
    double[] seen = {0, 1.75, 15.75, 127.75};
    int[] misses = {1, 8, 64, 512};
    for (int i = 0; i < misses.length; i++) {
      double loss = SparseLaw.ofShownValue(misses[i], STEP, STEP / 0.5, 2 * STEP / 0.5);
      assertEquals(seen[i], loss, 0.01, misses[i] + " misses");
    }
  }

  @Test
  void gapsOfHitsCostNothing() {
    for (int hits = 1; hits <= 3; hits++) {
      for (boolean monotone : new boolean[] {false, true}) {
        SparseLaw law = law(vector(hits, monotone));
        Random random = new Random(hits);
        double worst = 0;
        for (int n = 0; n < 25; n++) {
          int[] here = new int[4];
          int[] there = new int[4];
          boolean up = random.nextBoolean();
          for (int i = 0; i < here.length; i++) {
            here[i] = random.nextInt(12) - 8;
            int by = n < 2 ? STEP : random.nextInt(STEP + 1);
            there[i] = here[i] + ((monotone ? up : random.nextBoolean()) ? by : -by);
          }
          worst = Math.max(worst, law.lossWithGaps(here, there));
        }
        assertTrue(worst <= 1 && worst > 0.4, hits + " hits with gaps lose " + worst);
      }
    }
  }

  @Test
  void drawsFollowTheLaw() {
    SparseVector vector = vector(1, false);
    int[] exact = {-3, 0, 2};
    double[] expected = law(vector).firstHits(exact);
    BitSource bits = new SeededBits(11);
    int[] seen = new int[exact.length + 1];
    int runs = 20_000;
    for (int n = 0; n < runs; n++) {
      SparseVector.Comparison comparison = vector.comparison(vector.threshold(bits), bits);
      int first = exact.length;
      for (int i = 0; i < exact.length && first == exact.length; i++) {
        Optional<BigInteger> gap = comparison.gap(BigInteger.valueOf(exact[i]), BigInteger.ZERO);
        first = gap.isPresent() ? i : first;
      }
      seen[first]++;
    }
    for (int i = 0; i < seen.length; i++) {
      double sigma = Math.sqrt(expected[i] * (1 - expected[i]) / runs);
      assertEquals(expected[i], seen[i] / (double) runs, 5 * sigma, "first hit " + i);
    }
  }

  @Test
  void bothPartsAreTheWholeExactly() {
    for (int hits : new int[] {1, 2, 5, 1000}) {
      for (boolean monotone : new boolean[] {false, true}) {
        SparseVector v =
            new SparseVector(new BigDecimal("0.1"), hits, monotone, BigDecimal.ONE, BigDecimal.ONE);
        assertEquals(0, v.ofThreshold().add(v.ofQuestions()).compareTo(v.epsilon()));
        double parts = Math.pow((monotone ? 1 : 2) * hits, 2.0 / 3);
        assertEquals(
            parts, v.ofQuestions().doubleValue() / v.ofThreshold().doubleValue(), 1e-4 * parts);
      }
    }
  }

  @Test
  void thresholdsBetweenStepsAreTheNextStep() {
    SparseVector cents =
        new SparseVector(BigDecimal.ONE, 1, false, new BigDecimal("5.00"), new BigDecimal("0.01"));
    assertEquals(BigInteger.valueOf(1235), cents.steps(new BigDecimal("12.345")));
    assertEquals(BigInteger.valueOf(-1234), cents.steps(new BigDecimal("-12.345")));
  }

  @Test
  void whatDoesNotFitIsRefused() {
    BigDecimal one = BigDecimal.ONE;
    assertThrows(IllegalArgumentException.class, () -> new SparseVector(one, 0, false, one, one));
    assertThrows(
        IllegalArgumentException.class,
        () -> new SparseVector(one, 1, false, BigDecimal.ZERO, one));
    assertThrows(
        IllegalArgumentException.class,
        () -> new SparseVector(one, 1, false, new BigDecimal("1.5"), one));
  }
}
