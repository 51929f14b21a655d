package flexdp.plan;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.noise.ClippedNoise;
import flexdp.noise.Rational;
import flexdp.people.clipping.ClipLevels;
import flexdp.people.clipping.ClippingBias;
import flexdp.people.clipping.Contributions;
import flexdp.people.clipping.CrossUnitSensitivity;
import flexdp.people.clipping.NoisySizeHistogram;
import flexdp.plan.CalibrationInput.Outputs;
import flexdp.query.Measurement;
import flexdp.query.NoisyAggregate;
import flexdp.sensitivity.PublicBound;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * How the contributions of people to a release point are clipped, all of it public.
 *
 * <p>One COUNT or SUM: a person's size is the L1 norm of what she adds to its bins, and clipped at
 * τ she moves all bins together by at most τ. Several measurements share one level, if they need
 * the same rows: her size is how many rows she has, each of which weighs τ/rows at most, so a count
 * moves by at most τ and a sum by at most τ·max(U⁺, L⁻), over all bins.
 *
 * <p>Every grouping set is a histogram of its own, and a person's size is taken over all of them:
 * clipped, she moves all bins of all sets together by no more than τ. A set that is shown twice
 * shows her twice. Where sets are estimated from measured cuboids her size is the same in each of
 * them, and clipped she moves each by no more than τ.
 *
 * @param keys the outputs of measurements that count each person's keys, not people
 * @param digits s: values are computed in steps of 2^(−s) of the measurement's grid
 * @param byRows whether sizes are numbers of rows
 * @param binned whether there are several bins
 * @param copies how often a grouping set is shown, at most
 * @param bySet whether a person's size is taken over one grouping set, whichever it is
 *     <p>P-L2: all cells of a person are scaled together to τ in L2, by ω_p = min(1, τ/‖n_p‖₂) of
 *     whole numbers n_p that are no smaller, in units, than what she has: of the rows of each cell
 *     where several measurements share weights, of |v| rounded up to units where it is one. A
 *     number of which a row adds u at most then moves by u·τ in L2.
 * @param crossUnit what one step of other units changes
 * @param euclidean whether sizes are L2 norms
 */
public record ClippingPlan(
    ClipLevels levels,
    Set<Integer> keys,
    int digits,
    boolean byRows,
    boolean binned,
    int copies,
    boolean bySet,
    List<PublicBound> crossUnit,
    boolean euclidean) {
  private static final int DIGITS = 20;

  /** Before they are squared, numbers are cut at so many units: above every level. */
  public static final int MOST_UNITS = 25;

  /** By L1 norms. */
  public ClippingPlan(
      ClipLevels levels,
      Set<Integer> keys,
      int digits,
      boolean byRows,
      boolean binned,
      int copies,
      boolean bySet,
      List<PublicBound> besides) {
    this(levels, keys, digits, byRows, binned, copies, bySet, besides, false);
  }

  /**
   * Clips by L2 norms.
   *
   * @return nothing where there are few cells, several sets, values that are chosen, or ends that
   *     are no numbers of 64 bits, which not every database reads
   */
  public Optional<ClippingPlan> inSquares(NoisyAggregate point) {
    return levels.fine()
            && point.groupingSets().size() == 1
            && point.measurements().stream().allMatch(this::isCutInside)
        ? Optional.of(
            new ClippingPlan(levels, keys, digits, byRows, binned, copies, bySet, crossUnit, true))
        : Optional.empty();
  }

  /** Whether what one person has of it in a cell is cut at a number of 64 bits. */
  private boolean isCutInside(Measurement measurement) {
    BigInteger unit = byRows ? perRow(measurement) : levels.unit();
    return measurement instanceof Measurement.Additive
        && unit.shiftLeft(MOST_UNITS).bitLength() < Long.SIZE;
  }

  /** How large a normal variable is on average. */
  private static final double MEAN = 0.8;

  /** Up to so many cells are clipped as one number is. */
  private static final int FEW = 2;

  /** Beyond this, numbers of people times values might leave what databases compute exactly. */
  private static final int MOST_BITS = 40;

  /** The clipping of a release point where nobody's keys are counted. */
  public static ClippingPlan of(
      NoisyAggregate point, Optional<BigInteger> perPersonAtMost, List<PublicBound> besides) {
    return of(point, Set.of(), perPersonAtMost, besides);
  }

  /**
   * @param keys the outputs of measurements that count each person's keys, not people
   * @param perPersonAtMost how many rows of a person count, at most, as the owner says
   */
  public static ClippingPlan of(
      NoisyAggregate point,
      Set<Integer> keys,
      Optional<BigInteger> perPersonAtMost,
      List<PublicBound> besides) {
    boolean binned = !point.keys().isEmpty();
    for (Measurement measurement : point.measurements()) {
      if (measurement instanceof Measurement.CountDistinct
          && binned
          && point.measurements().size() > 1) {
        throw new IllegalArgumentException("people in groups are clipped by themselves");
      }
      requireNarrow(point, measurement);
    }
    int sets = new HashSet<>(sets(point)).size();
    int copies = copies(point);
    Optional<BigInteger> most = perPersonAtMost.map(BigInteger.valueOf(sets)::multiply);
    if (point.measurements().size() == 1
        && point.measurements().getFirst() instanceof Measurement.Additive amount
        && (binned
            || !(amount instanceof Measurement.CountDistinct)
            || keys.contains(amount.output().id()))) {
      int digits = binned ? DIGITS : 0;
      ClipLevels levels = forCells(point, levels(amount, most));
      return new ClippingPlan(levels, keys, digits, false, binned, copies, false, besides);
    }
    ClipLevels levels = forCells(point, ClipLevels.ofRows(most));
    return new ClippingPlan(levels, keys, DIGITS, true, binned, copies, false, besides);
  }

  /** More levels to choose from, where there may be more than two cells. */
  private static ClipLevels forCells(NoisyAggregate point, ClipLevels levels) {
    OptionalInt cells = Outputs.of(point);
    boolean few = point.keys().isEmpty() || cells.isPresent() && cells.getAsInt() <= FEW;
    return few ? levels : levels.refined();
  }

  /**
   * P-CELLS: the level that a noisy histogram of people chooses. It is post-processing of the
   * histogram and of how many cells there are, both public: of listed labels, or of labels that are
   * released already.
   *
   * @param mechanism by which noise is made
   */
  public int level(NoisySizeHistogram people, long cells, ClippedNoise mechanism) {
    double each =
        euclidean
            ? MEAN / Math.sqrt(2 * mechanism.concentration().doubleValue())
            : 1 / mechanism.adding().doubleValue();
    return isForCells(cells) ? people.level(cells, spread().doubleValue() * each) : people.level();
  }

  /** Whether the level is the best for so many cells, and not for their total. */
  public boolean isForCells(long cells) {
    return levels.fine() && cells > FEW;
  }

  /** How far one step moves all cells together, for each step of the level. */
  private BigInteger spread() {
    BigInteger others =
        crossUnit.stream()
            .map(b -> BigInteger.TWO.multiply(b.people()))
            .reduce(BigInteger.ONE, BigInteger::max);
    return others.multiply(BigInteger.valueOf(copies));
  }

  /**
   * Once for all cuboids that grouping sets are estimated from: everybody is scaled by the same
   * factor in each, so that they are sums of the same clipped rows. Where values are of both signs
   * sizes would differ from cuboid to cuboid, so that rows are weighed.
   *
   * @return nothing where there is one grouping set, or something that does not add up
   */
  public static Optional<ClippingPlan> bySet(
      NoisyAggregate point, Optional<BigInteger> perPersonAtMost, List<PublicBound> besides) {
    if (new HashSet<>(sets(point)).size() < 2
        || !point.measurements().stream().allMatch(Measurement::isAdditive)) {
      return Optional.empty();
    }
    Measurement first = point.measurements().getFirst();
    boolean sized = point.measurements().size() == 1 && first.mostTaken().signum() == 0;
    ClipLevels levels =
        sized && first instanceof Measurement.Additive amount
            ? levels(amount, perPersonAtMost)
            : ClipLevels.ofRows(perPersonAtMost);
    return Optional.of(new ClippingPlan(levels, Set.of(), DIGITS, !sized, true, 1, true, besides));
  }

  private static List<Set<Integer>> sets(NoisyAggregate point) {
    return point.groupingSets().stream().map(Set::copyOf).toList();
  }

  private static int copies(NoisyAggregate point) {
    List<Set<Integer>> sets = sets(point);
    return sets.stream().mapToInt(set -> Collections.frequency(sets, set)).max().orElse(1);
  }

  /** No level is needed above what so many rows can add up to. */
  static ClipLevels levels(Measurement amount, Optional<BigInteger> rows) {
    if (!(amount instanceof Measurement.Sum sum)) {
      return ClipLevels.ofRows(rows);
    }
    Optional<BigInteger> most = rows.map(perRow(sum)::multiply);
    return sum.isAllOrNothing()
        ? ClipLevels.ofWhole(perRow(sum), most)
        : ClipLevels.ofSums(perRow(sum), most);
  }

  private static void requireNarrow(NoisyAggregate point, Measurement measurement) {
    if (perRow(measurement).bitLength() > MOST_BITS) {
      throw refused(
          point,
          "The range of values is too wide, in steps of its type, to be clipped by people.",
          "Declare a narrower range, or convert the argument to a type with fewer digits.");
    }
  }

  private static Rejection refused(NoisyAggregate point, String message, String hint) {
    return Rejection.of(RejectionCode.PEOPLE_UNSUPPORTED, message, hint, point.at());
  }

  /** The most that one row adds or takes away, in steps of the grid. */
  public static BigInteger perRow(Measurement measurement) {
    return measurement.mostAdded().max(measurement.mostTaken());
  }

  /** How far the histogram of people moves in L1. */
  public BigInteger peopleMoved() {
    return crossUnit.stream()
        .map(b -> beside(b).histogram())
        .reduce(BigInteger.ONE, BigInteger::max);
  }

  /** The square of how far the histogram of people moves in L2. */
  public BigInteger peopleMovedSquared() {
    // Whoever is touched leaves one bucket for another.
    return crossUnit.stream()
        .map(b -> beside(b).histogram().shiftRight(1))
        .map(people -> people.multiply(people).shiftLeft(1))
        .reduce(BigInteger.ONE, BigInteger::max);
  }

  /**
   * The square of how far one step moves all cells of a measurement in L2, clipped at a level, in
   * steps of 2^(−s). Whoever another unit touches moves within a ball of τ, and if nothing of
   * theirs is negative within a quarter of it.
   */
  public BigInteger movedSquared(Measurement measurement, int level) {
    BigInteger row = byRows ? perRow(measurement) : BigInteger.ONE;
    boolean signed = measurement.mostTaken().signum() > 0;
    BigInteger steps =
        crossUnit.stream()
            .map(PublicBound::people)
            .map(people -> people.multiply(people).shiftLeft(signed ? 2 : 1))
            .reduce(BigInteger.ONE, BigInteger::max);
    BigInteger shown =
        levels.at(level).multiply(row).multiply(BigInteger.valueOf(copies)).shiftLeft(digits);
    return steps.multiply(shown).multiply(shown);
  }

  /** Its variance σ² = Δ²/(2ρ), exact, in steps of 2^(−s). */
  public Rational variance(Measurement measurement, int level, BigDecimal concentration) {
    return half(Rational.of(movedSquared(measurement, level)), concentration);
  }

  /** Of the histogram of people. */
  public Rational peopleVariance(BigDecimal concentration) {
    return half(Rational.of(peopleMovedSquared()), concentration);
  }

  private static Rational half(Rational squared, BigDecimal concentration) {
    return squared.over(Rational.of(concentration).times(Rational.of(BigInteger.TWO)));
  }

  /**
   * How far one step moves a measurement clipped at a level, in steps of 2^(−s): in L1, or rounded
   * up in L2.
   */
  public BigInteger moved(Measurement measurement, int level) {
    if (euclidean) {
      BigInteger[] root = movedSquared(measurement, level).sqrtAndRemainder();
      return root[1].signum() == 0 ? root[0] : root[0].add(BigInteger.ONE);
    }
    if (isUnclipped(measurement)) {
      return crossUnit.stream()
          .map(PublicBound::people)
          .reduce(BigInteger.ONE, BigInteger::max)
          .multiply(BigInteger.valueOf(copies))
          .shiftLeft(digits);
    }
    BigInteger tau = levels.at(level);
    BigInteger own = byRows ? tau.multiply(perRow(measurement)) : tau;
    return crossUnit.stream()
        .map(b -> moved(beside(b), measurement, tau))
        .reduce(own, BigInteger::max)
        .multiply(BigInteger.valueOf(copies))
        .shiftLeft(digits);
  }

  /** People counted beside other numbers: everybody once, whatever she weighs. */
  public boolean isUnclipped(Measurement measurement) {
    return byRows
        && measurement instanceof Measurement.CountDistinct
        && !keys.contains(measurement.output().id());
  }

  /**
   * By how much a measurement falls short, in its own units.
   *
   * @param cut of the sizes
   */
  public ClippingBias shortfall(Measurement measurement, ClippingBias cut) {
    if (isUnclipped(measurement)) {
      return ClippingBias.NONE;
    }
    boolean eitherWay = measurement.mostTaken().signum() > 0;
    return cut.times(inUnits(measurement, BigDecimal.ONE), eitherWay);
  }

  /** What a measurement loses at most where sizes lose so much, in its own units. */
  public BigDecimal inUnits(Measurement measurement, BigDecimal sizes) {
    BigDecimal unit = byRows ? new BigDecimal(perRow(measurement)) : BigDecimal.ONE;
    return sizes.multiply(unit).multiply(measurement.grid());
  }

  /** A cell of a measurement as it is clipped at a level, in steps of 2^(−s); private. */
  public <C> BigInteger value(Contributions<C> from, C cell, Measurement measurement, int level) {
    return isUnclipped(measurement) ? from.whole(cell) : from.clipped(cell, level);
  }

  private BigInteger moved(
      CrossUnitSensitivity crossUnit, Measurement measurement, BigInteger tau) {
    if (binned) {
      BigInteger bins = crossUnit.bins(tau);
      return byRows ? bins.multiply(perRow(measurement)) : bins;
    }
    return switch (measurement) {
      case Measurement.Sum sum ->
          byRows
              ? crossUnit.weightedSum(tau, sum.mostTaken(), sum.mostAdded())
              : sum.mostTaken().signum() > 0
                  ? crossUnit.twoSided(tau, perRow(sum))
                  : crossUnit.oneSided(tau, perRow(sum));
      case Measurement.Count ignored ->
          byRows ? crossUnit.weightedCount(tau) : crossUnit.oneSided(tau, BigInteger.ONE);
      case Measurement.CountDistinct ignored -> crossUnit.weightedCount(tau);
      case Measurement.Quantile quantile -> crossUnit.weightedRanks(tau, quantile.perRow());
      // Its scores are the bins of its values, among which a person's rows are spread anew.
      case Measurement.Mode ignored -> crossUnit.bins(tau);
    };
  }

  /** What another unit can move: where nothing public bounds the rows, the people do. */
  private CrossUnitSensitivity beside(PublicBound bound) {
    BigInteger any = bound.people().multiply(levels.at(levels.last() + 1)).max(bound.people());
    return new CrossUnitSensitivity(bound.rows().orElse(any), bound.people());
  }
}
