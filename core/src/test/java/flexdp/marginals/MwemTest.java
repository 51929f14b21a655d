package flexdp.marginals;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.noise.LaplaceCache;
import flexdp.noise.Noise;
import flexdp.noise.Rational;
import flexdp.noise.SeededBits;
import flexdp.workload.BudgetNorm;
import flexdp.workload.MultiplicativeWeights;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Multiplicative weights: scores are exact, parts add up, a guess agrees with what was measured.
 */
class MwemTest {
  private static final KeyDomain FRAME =
      KeyDomain.of(
              List.of(
                  BinIndex.Listed.of(List.of("a", "b", "c"), true),
                  BinIndex.Listed.of(List.of("x", "y"), true),
                  BinIndex.Listed.of(List.of(1, 2, 3, 4), true)))
          .orElseThrow();
  private static final List<Integer> PAIRS =
      List.of(
          FRAME.cuboid(List.of(0, 1)), FRAME.cuboid(List.of(0, 2)), FRAME.cuboid(List.of(1, 2)));
  private static final int NOTHING = FRAME.cuboid(List.of());

  /** Rows as cells of all keys together. */
  private static List<BigInteger> cells(int cuboid, long[] rows) {
    double[] sums = new double[(int) FRAME.lattice().cells(cuboid)];
    int at = 0;
    for (Object a : List.of("a", "b", "c")) {
      for (Object b : List.of("x", "y")) {
        for (Object c : List.of(1, 2, 3, 4)) {
          sums[FRAME.cell(cuboid, List.of(a, b, c))] += rows[at++];
        }
      }
    }
    return Arrays.stream(sums).mapToObj(v -> BigInteger.valueOf((long) v)).toList();
  }

  private static Mwem mwem(String epsilon, int moves) {
    return Mwem.of(
        PAIRS,
        new BigDecimal(epsilon),
        BudgetNorm.SUM,
        BigDecimal.valueOf(moves),
        BigDecimal.valueOf(moves));
  }

  @Test
  void scoresMoveByExactlyAsMuchAsTheCellsAndNeverMore() {
    SplittableRandom random = new SplittableRandom(3);
    Mwem mwem = mwem("0.1", 2);
    Rational most = Rational.ZERO;
    for (int round = 0; round < 4_000; round++) {
      long[] rows = random.longs(24, 0, 50).toArray();
      long[] other = rows.clone();
      other[random.nextInt(24)] += 1;
      other[random.nextInt(24)] += random.nextBoolean() ? 1 : -1;
      double[] guess = new double[24];
      for (int i = 0; i < 24; i++) {
        guess[i] = random.nextDouble(60) + (random.nextInt(5) == 0 ? 0.5 : 0);
      }
      for (int cuboid : PAIRS) {
        double[] own = Arrays.copyOf(guess, (int) FRAME.lattice().cells(cuboid));
        Rational apart =
            mwem.score(cells(cuboid, rows), own, BigDecimal.ONE)
                .minus(mwem.score(cells(cuboid, other), own, BigDecimal.ONE));
        Rational size = apart.signum() < 0 ? apart.negate() : apart;
        most = size.compareTo(most) > 0 ? size : most;
      }
    }
    assertEquals(Rational.of(2), most, "the sensitivity is reached and not exceeded, to the digit");
  }

  /** The law of one choice on neighbours; half the sensitivity, as in others, is too little. */
  @Test
  void aChoiceIsPrivateByItsPart() {
    double worst = 0;
    double careless = 0;
    SplittableRandom random = new SplittableRandom(5);
    Mwem mwem = mwem("30", 1);
    double epsilon = mwem.each().doubleValue();
    for (int round = 0; round < 2_000; round++) {
      long[] rows = random.longs(24, 0, 3).toArray();
      long[] other = rows.clone();
      other[random.nextInt(24)] += 1;
      double[] guess = random.doubles(24, 0, 3).toArray();
      worst = Math.max(worst, loss(mwem, rows, other, guess, epsilon / 2));
      careless = Math.max(careless, loss(mwem, rows, other, guess, epsilon));
    }
    assertTrue(worst <= epsilon * (1 + 1e-9), worst + " of " + epsilon);
    assertTrue(careless > epsilon * 1.2, careless + " of " + epsilon);
  }

  private static double loss(Mwem mwem, long[] x, long[] y, double[] guess, double rate) {
    double[] one = law(mwem, x, guess, rate);
    double[] two = law(mwem, y, guess, rate);
    double worst = 0;
    for (int i = 0; i < one.length; i++) {
      worst = Math.max(worst, Math.abs(Math.log(one[i] / two[i])));
    }
    return worst;
  }

  private static double[] law(Mwem mwem, long[] rows, double[] guess, double rate) {
    double[] weights = new double[PAIRS.size()];
    double sum = 0;
    for (int i = 0; i < weights.length; i++) {
      double[] own = Arrays.copyOf(guess, (int) FRAME.lattice().cells(PAIRS.get(i)));
      double score = mwem.score(cells(PAIRS.get(i), rows), own, BigDecimal.ONE).doubleValue();
      weights[i] = Math.exp(rate * score);
      sum += weights[i];
    }
    for (int i = 0; i < weights.length; i++) {
      weights[i] /= sum;
    }
    return weights;
  }

  @Test
  void allPartsTogetherCostNoMoreThanTheWhole() {
    for (String epsilon : List.of("1", "0.1", "0.3333333333333333333333333333333", "7")) {
      BigDecimal whole = new BigDecimal(epsilon);
      BigDecimal sum = BigDecimal.ZERO;
      for (BigDecimal part : mwem(epsilon, 1).epsilons()) {
        sum = sum.add(part);
      }
      assertTrue(sum.compareTo(whole) <= 0);
      assertTrue(sum.compareTo(whole.multiply(new BigDecimal("0.9999999"))) > 0);
      BigDecimal squares = BigDecimal.ZERO;
      for (BigDecimal part :
          Mwem.of(PAIRS, whole, BudgetNorm.SQUARES, BigDecimal.ONE, BigDecimal.ONE).epsilons()) {
        squares = squares.add(part.multiply(part));
      }
      assertTrue(squares.compareTo(whole.multiply(whole)) <= 0);
    }
    assertEquals(1 + 2 * Mwem.ROUNDS, mwem("1", 1).epsilons().size());
  }

  @Test
  void withAlmostNoNoiseTheGuessComesCloseToTheData() {
    long[] rows = new long[24];
    SplittableRandom random = new SplittableRandom(9);
    for (int i = 0; i < 24; i++) {
      rows[i] = random.nextInt(8) == 0 ? 900 : random.nextInt(40);
    }
    MultiplicativeWeights guess = run(mwem("10000", 1), rows, 4);
    double far = 0;
    double total = 0;
    for (int cuboid : PAIRS) {
      double[] marginal = guess.marginal(cuboid);
      List<BigInteger> exact = cells(cuboid, rows);
      for (int i = 0; i < marginal.length; i++) {
        far += Math.abs(marginal[i] - exact.get(i).doubleValue());
        total += exact.get(i).doubleValue();
      }
    }
    assertTrue(far < 0.1 * total, far + " of " + total);
    assertEquals(
        cells(NOTHING, rows).getFirst().doubleValue(), guess.marginal(NOTHING)[0], 1e-6 * total);
  }

  private static MultiplicativeWeights run(Mwem mwem, long[] rows, long seed) {
    SeededBits bits = new SeededBits(seed);
    return mwem.run(
        FRAME.lattice(),
        NOTHING,
        cuboid -> cells(cuboid, rows),
        BigDecimal.ONE,
        new Noise(bits, new LaplaceCache()),
        bits);
  }

  @Test
  void nothingIsEverBelowZeroAndNothingFailsOnNoData() {
    for (int seed = 0; seed < 20; seed++) {
      MultiplicativeWeights guess = run(mwem("0.001", 3), new long[24], seed);
      for (int cuboid : PAIRS) {
        assertTrue(Arrays.stream(guess.marginal(cuboid)).allMatch(v -> v >= 0 && v < 1e12));
      }
    }
  }

  @Test
  void guessesAddUp() {
    MultiplicativeWeights guess =
        run(mwem("1", 1), new SplittableRandom(1).longs(24, 0, 99).toArray(), 8);
    double[] pair = guess.marginal(FRAME.cuboid(List.of(0, 1)));
    double[] first = guess.marginal(FRAME.cuboid(List.of(0)));
    List<Double> sums = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      sums.add(pair[2 * i] + pair[2 * i + 1]);
    }
    for (int i = 0; i < 3; i++) {
      assertEquals(first[i], sums.get(i), 1e-9 * (1 + first[i]));
    }
  }
}
