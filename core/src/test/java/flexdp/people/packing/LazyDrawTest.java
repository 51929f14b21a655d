package flexdp.people.packing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.noise.LazyExponentialSampler;
import flexdp.noise.Rational;
import flexdp.noise.SeededBits;
import flexdp.people.packing.Hypergraphs.Result;
import flexdp.people.packing.PackingMechanism.Scores;
import java.math.BigDecimal;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The lazy draw has the law of the mechanism that looks at every level, however far it looked: by
 * the exact probabilities of a round. Two mutants must be caught.
 */
class LazyDrawTest {
  private static final int LEVELS = Hypergraphs.LEVELS.count();

  private static Scores scores(List<Result> results) {
    PackingValues values =
        new PackingValues(Hypergraphs.sets(results), Hypergraphs.LEVELS, new TableauSolver());
    return new Scores(new PackingMechanism(Hypergraphs.LEVELS, new BigDecimal("2"), true), values);
  }

  private static double[] law(double[] accepted) {
    double sum = 0;
    for (double a : accepted) {
      sum += a;
    }
    double[] law = accepted.clone();
    for (int j = 0; j < law.length; j++) {
      law[j] /= sum == 0 ? 1 : sum;
    }
    return law;
  }

  private static double prior(int level) {
    return Math.pow(2, -level / 2.0);
  }

  private static double[] full(List<Result> results) {
    Scores scores = scores(results);
    double[] weights = new double[LEVELS];
    for (int j = 0; j < LEVELS; j++) {
      weights[j] = prior(j) * Math.exp(scores.exact(j).doubleValue());
    }
    return law(weights);
  }

  private static double apart(double[] a, double[] b) {
    double worst = 0;
    for (int j = 0; j < a.length; j++) {
      worst = Math.max(worst, Math.abs(a[j] - b[j]));
    }
    return worst;
  }

  @Test
  void aRoundAcceptsByTheFullLaw() {
    run(300, 1);
  }

  @Test
  @Tag("soak")
  void aRoundAcceptsByTheFullLawAtLength() {
    run(5_000, 2);
  }

  private static void run(int cases, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int acceptedAlways = 0;
    int neverDrawn = 0;
    for (int i = 0; i < cases; i++) {
      List<Result> results = Hypergraphs.draw(random, 1 + random.nextInt(3));
      double[] full = full(results);
      for (int looked = LEVELS - 1; looked >= 0; looked--) {
        Scores scores = scores(results);
        scores.exact(looked);
        double[] round = new double[LEVELS];
        double[] always = new double[LEVELS];
        double[] never = new double[LEVELS];
        for (int j = 0; j < LEVELS; j++) {
          boolean known = scores.isKnown(j);
          Rational upper = scores.upper(j);
          // Looking changes what is known: each level by scores of its own.
          Rational exact = again(results, looked).exact(j);
          assertTrue(exact.compareTo(upper) <= 0, "an upper score below the score");
          assertTrue(!known || exact.equals(upper), "a known score is another");
          double drawn = prior(j) * Math.exp(upper.doubleValue());
          round[j] = drawn * Math.exp(exact.minus(upper).doubleValue());
          always[j] = drawn;
          never[j] = known ? drawn : 0;
        }
        assertTrue(apart(full, law(round)) <= 1e-12);
        acceptedAlways += apart(full, law(always)) > 1e-6 ? 1 : 0;
        neverDrawn += apart(full, law(never)) > 1e-6 ? 1 : 0;
      }
    }
    assertTrue(acceptedAlways > cases / 10, "accepting always was not caught: " + acceptedAlways);
    assertTrue(neverDrawn > cases / 10, "drawing what is known was not caught: " + neverDrawn);
  }

  private static Scores again(List<Result> results, int looked) {
    Scores scores = scores(results);
    scores.exact(looked);
    return scores;
  }

  /** Look by look an upper score comes down to the score, so that the ratios multiply to one. */
  @Test
  void everyLookLowersUpperScoresUntilTheyAreKnown() {
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 50; i++) {
      List<Result> results = Hypergraphs.draw(random, 3);
      for (int level = 0; level < LEVELS; level++) {
        Scores scores = scores(results);
        Rational before = scores.upper(level);
        while (!scores.isKnown(level)) {
          scores.look();
          assertTrue(scores.upper(level).compareTo(before) <= 0);
          before = scores.upper(level);
        }
        assertEquals(scores(results).exact(level), before);
      }
    }
  }

  @Test
  void drawnLevelsFollowTheFullLaw() {
    SplittableRandom random = new SplittableRandom(5);
    SeededBits bits = new SeededBits(6);
    int draws = 3_000;
    for (int i = 0; i < 4; i++) {
      List<Result> results = Hypergraphs.draw(random, 3);
      double[] full = full(results);
      int[] seen = new int[LEVELS];
      for (int d = 0; d < draws; d++) {
        seen[LazyExponentialSampler.choose(scores(results), bits)]++;
      }
      for (int j = 0; j < LEVELS; j++) {
        double off = Math.abs((double) seen[j] / draws - full[j]);
        // Hoeffding, a false alarm once in a million.
        assertTrue(off <= Math.sqrt(Math.log(2e6) / (2.0 * draws)), "level " + j);
      }
    }
  }

  /** Ten thousand levels above everybody's weight would cost nothing. */
  @Test
  void levelsAboveEverybodyAreKnownWithoutLooking() {
    List<Result> results =
        List.of(
            new Result(1, java.util.Set.of(new OwnerSets.Owner(0, 1), new OwnerSets.Owner(0, 2))));
    Scores scores = scores(results);
    for (int j = 0; j < LEVELS; j++) {
      assertTrue(scores.isKnown(j));
    }
    assertEquals(scores.exact(0), scores.upper(0));
  }
}
