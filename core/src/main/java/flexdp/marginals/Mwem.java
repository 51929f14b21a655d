package flexdp.marginals;

import flexdp.noise.BitSource;
import flexdp.noise.ExponentialMechanism;
import flexdp.noise.ExponentialSampler;
import flexdp.noise.Laplace;
import flexdp.noise.Noise;
import flexdp.noise.Rational;
import flexdp.workload.BudgetNorm;
import flexdp.workload.CuboidLattice;
import flexdp.workload.MultiplicativeWeights;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;

/**
 * Multiplicative weights with the exponential mechanism (Hardt, Ligett, McSherry 2012), for
 * neighbours that differ in a row more or less: the total is measured first, it is not known. Then,
 * in each of a fixed number of rounds, the cuboid is chosen on which a guess is worst, it is
 * measured, and the guess moved towards all that was measured so far.
 *
 * <p>The score of a cuboid is the L1 distance of its cells from the guess rounded to whole steps,
 * less the noise that measuring would add: two sums of whole numbers and a constant, so it moves by
 * exactly as much as the cells do, at most. A cuboid may be chosen again: to leave it out would be
 * another mechanism.
 *
 * @param candidates cuboids to choose among
 * @param total of the noise of the total
 * @param each of each choice, and of the noise of each cuboid
 * @param totalMoves how far the total moves between neighbours, in the measurement's units
 * @param moves how far a cuboid moves in L1
 */
public record Mwem(
    List<Integer> candidates,
    BigDecimal total,
    BigDecimal each,
    BigDecimal totalMoves,
    BigDecimal moves) {
  /** How often a cuboid is chosen and measured. */
  public static final int ROUNDS = 6;

  /** How many cells are looked at in a round, at most, for all candidates: seconds. */
  static final long MOST_WORK = 1L << 27;

  private static final int PASSES = 3;
  private static final BigDecimal TOTAL = new BigDecimal("0.05");
  private static final MathContext DOWN = new MathContext(30, RoundingMode.DOWN);
  private static final BigDecimal PARTS = BigDecimal.valueOf(2L * ROUNDS);

  public Mwem {
    candidates = List.copyOf(candidates);
    if (candidates.isEmpty()) {
      throw new IllegalArgumentException("nothing to choose among");
    }
  }

  /** All parts together cost ε, or their squares ε². */
  public static Mwem of(
      List<Integer> candidates,
      BigDecimal epsilon,
      BudgetNorm norm,
      BigDecimal totalMoves,
      BigDecimal moves) {
    BigDecimal rest = BigDecimal.ONE.subtract(TOTAL).divide(PARTS, DOWN);
    BigDecimal first = norm == BudgetNorm.SUM ? TOTAL : TOTAL.sqrt(DOWN);
    BigDecimal other = norm == BudgetNorm.SUM ? rest : rest.sqrt(DOWN);
    return new Mwem(
        candidates,
        epsilon.multiply(first).round(DOWN),
        epsilon.multiply(other).round(DOWN),
        totalMoves,
        moves);
  }

  /** The ε of every part. */
  public List<BigDecimal> epsilons() {
    List<BigDecimal> all = new ArrayList<>(List.of(total));
    for (int i = 0; i < 2 * ROUNDS; i++) {
      all.add(each);
    }
    return all;
  }

  /** The exact cells of cuboids, private, in steps of the grid. */
  public interface Cells {
    List<BigInteger> of(int cuboid);
  }

  /**
   * The guess after all rounds.
   *
   * @param nothing the cuboid without keys
   */
  public MultiplicativeWeights run(
      CuboidLattice lattice,
      int nothing,
      Cells cells,
      BigDecimal grid,
      Noise noise,
      BitSource source) {
    double rows = noisy(cells.of(nothing), total, totalMoves, grid, noise)[0];
    MultiplicativeWeights guess = new MultiplicativeWeights(lattice, rows);
    List<MultiplicativeWeights.Measured> measured = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      List<ExponentialSampler.Segment> scores = new ArrayList<>();
      for (int cuboid : candidates) {
        scores.add(
            new ExponentialSampler.Segment(
                BigInteger.ONE, score(cells.of(cuboid), guess.marginal(cuboid), grid)));
      }
      int chosen =
          ExponentialSampler.choose(new ExponentialMechanism(each), moves, scores, source)
              .segment();
      int cuboid = candidates.get(chosen);
      measured.add(
          new MultiplicativeWeights.Measured(
              cuboid, noisy(cells.of(cuboid), each, moves, grid, noise)));
      guess.fit(measured, PASSES);
    }
    return guess;
  }

  /** ‖cells − guess‖₁ − (how many there are)·Δ/ε, in the measurement's units. */
  Rational score(List<BigInteger> exact, double[] guess, BigDecimal grid) {
    BigInteger apart = BigInteger.ZERO;
    for (int i = 0; i < guess.length; i++) {
      BigInteger whole =
          new BigDecimal(guess[i]).setScale(0, RoundingMode.HALF_EVEN).toBigIntegerExact();
      apart = apart.add(exact.get(i).subtract(whole).abs());
    }
    Rational scale = Rational.of(moves).over(Rational.of(each));
    return Rational.of(grid)
        .times(Rational.of(apart))
        .minus(Rational.of(exact.size()).times(scale));
  }

  private static double[] noisy(
      List<BigInteger> exact,
      BigDecimal epsilon,
      BigDecimal sensitivity,
      BigDecimal grid,
      Noise noise) {
    List<BigDecimal> values = new ArrayList<>(exact.size());
    exact.forEach(steps -> values.add(grid.multiply(new BigDecimal(steps))));
    return noise.add(Laplace.of(epsilon), sensitivity, values, grid).stream()
        .mapToDouble(value -> value.divide(grid).doubleValue())
        .toArray();
  }
}
