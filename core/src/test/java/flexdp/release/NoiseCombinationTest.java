package flexdp.release;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.plan.ErrorModel;
import flexdp.plan.Plan;
import flexdp.plan.SummedNoise;
import flexdp.sensitivity.RuleSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Random sums of draws and of runs of draws: each draw is told once, with the factor that it has in
 * all, and bars hold by the exact law. Draws that are met twice, taken for two, are found out.
 */
class NoiseCombinationTest {
  private static final int CELLS = 7;
  private static final int ROUNDS = 300;
  private static final int[] ALIKE = {-2, -1, 0, 1, 2};
  private static final int[] UNLIKE = {1, 2, 7, -20, 50};

  /** Discrete Laplace noise of a count at ε = 0.5 is not beyond this. */
  private static final int FAR = 60;

  private final Plan plan = WindowBarsTest.plan("SELECT m, COUNT(*) AS n FROM t GROUP BY m");
  private final int column = plan.measurements().getFirst().measurement().output().id();
  private final SummedNoise law =
      new SummedNoise(ErrorModel.of(plan, WindowBarsTest.METRICS, RuleSet.FLEXDP));
  private final Random random = new Random(23);

  /** A sum, and the factor of each draw in it. */
  private record Sum(NoiseCombination combination, int[] factors) {}

  private DrawnCells arranged(boolean turned) {
    return DrawnCells.of(
            IntStream.range(0, CELLS)
                .mapToObj(i -> NoiseCombination.of(column, turned ? CELLS - 1 - i : i))
                .toArray(NoiseCombination[]::new))
        .orElseThrow();
  }

  private Sum sum(int[] bys) {
    List<DrawnCells> arrangements = List.of(arranged(false), arranged(true));
    boolean several = random.nextBoolean();
    NoiseCombination all = NoiseCombination.EXACT;
    int[] factors = new int[CELLS];
    for (int part = 1 + random.nextInt(4); part > 0; part--) {
      int by = bys[random.nextInt(bys.length)];
      if (random.nextInt(3) == 0) {
        int cell = random.nextInt(CELLS);
        factors[cell] += by;
        all = all.plus(NoiseCombination.of(column, cell).times(by));
      } else {
        int from = random.nextInt(CELLS);
        int to = from + 1 + random.nextInt(CELLS - from);
        int which = several ? random.nextInt(2) : 0;
        for (int i = from; i < to; i++) {
          factors[which == 1 ? CELLS - 1 - i : i] += by;
        }
        all = all.plus(arrangements.get(which).sum(from, to).times(by));
      }
    }
    return new Sum(all, factors);
  }

  /** The twin: what is met twice counts as two draws. */
  private List<SummedNoise.Term> apart(NoiseCombination combination) {
    List<SummedNoise.Term> terms = new ArrayList<>();
    for (NoiseCombination.Part part : combination.parts()) {
      terms.add(
          switch (part) {
            case NoiseCombination.Cell cell -> new SummedNoise.Term(column, cell.factor(), 1);
            case NoiseCombination.Run run ->
                new SummedNoise.Term(column, run.factor(), run.cells().count(run.from(), run.to()));
          });
    }
    return terms;
  }

  private static Map<Double, Integer> times(int[] factors) {
    Map<Double, Integer> times = new TreeMap<>();
    Arrays.stream(factors)
        .filter(f -> f != 0)
        .forEach(f -> times.merge((double) f, 1, Integer::sum));
    return times;
  }

  private static Map<Double, Integer> times(List<SummedNoise.Term> terms) {
    Map<Double, Integer> times = new TreeMap<>();
    terms.forEach(t -> times.merge(t.factor(), t.times(), Integer::sum));
    return times;
  }

  @Test
  void everyDrawIsToldOnceWithItsWholeFactor() {
    int twins = 0;
    for (int round = 0; round < 10 * ROUNDS; round++) {
      Sum sum = sum(ALIKE);
      assertEquals(times(sum.factors()), times(sum.combination().terms().orElseThrow()));
      twins += times(sum.factors()).equals(times(apart(sum.combination()))) ? 0 : 1;
    }
    assertTrue(twins > ROUNDS, "the twin differs in " + twins);
  }

  @Test
  void barsHoldByTheExactLawAndThoseOfTheTwinDoNot() {
    double least = 1;
    double twin = 1;
    int narrow = 0;
    for (int round = 0; round < ROUNDS; round++) {
      Sum sum = sum(round % 2 == 0 ? ALIKE : UNLIKE);
      double[] exact = law(sum.factors());
      least = Math.min(least, within(exact, sum.combination().terms().orElseThrow()));
      double other = within(exact, apart(sum.combination()));
      twin = Math.min(twin, other);
      narrow += other < 0.94 ? 1 : 0;
    }
    assertTrue(least >= 0.95 - 1e-9, "bars hold in " + least);
    assertTrue(twin < 0.9 && narrow > ROUNDS / 10, "the twin holds in " + twin + ", " + narrow);
  }

  /** How likely the sum is not farther than its bars say. */
  private double within(double[] exact, List<SummedNoise.Term> terms) {
    int half = law.width(terms, 1).above().intValue();
    int middle = exact.length / 2;
    return Arrays.stream(
            exact, Math.max(0, middle - half), Math.min(exact.length, middle + half + 1))
        .sum();
  }

  /** How likely each value of the sum is, zero in the middle. */
  private static double[] law(int[] factors) {
    double r = Math.exp(-0.5);
    double[] law = {1};
    for (int factor : factors) {
      int size = Math.abs(factor);
      double[] next = new double[law.length + 2 * size * FAR];
      for (int z = -FAR; z <= FAR; z++) {
        double p = (1 - r) / (1 + r) * Math.pow(r, Math.abs(z));
        for (int i = 0; i < law.length; i++) {
          next[i + size * (z + FAR)] += p * law[i];
        }
      }
      law = next;
    }
    return law;
  }
}
