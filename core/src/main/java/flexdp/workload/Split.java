package flexdp.workload;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * How much of what is spent each cuboid gets, so that questions are answered as well as possible
 * and none worse than by itself. A function of the questions and of public numbers: two gateways
 * find the same.
 *
 * @param shares by cuboid, 0 for those that are not measured; their sum is at most 1
 */
public record Split(double[] shares, Norm norm) {
  private static final int ROUNDS = 10;
  private static final double LITTLE = 1.001;
  private static final double[] CUTS = {1e-2, 3e-3, 1e-3, 1e-4};

  /** Shares are multiples of this, so that they are the same number everywhere. */
  private static final double STEP = 1e-9;

  /**
   * @param full the precision of a cell of each cuboid that gets everything; 0 for cuboids that
   *     must not be measured
   * @return nothing when some question would be answered worse than it may be
   */
  public static Optional<Split> of(
      Lattice lattice, List<Wanted> questions, double[] full, Norm norm) {
    double[] weights = questions.stream().mapToDouble(Wanted::weight).toArray();
    for (int round = 0; round < ROUNDS; round++) {
      Split split = of(lattice, questions, weights, full, norm);
      Fit fit = split.fit(lattice, full);
      boolean good = true;
      for (int q = 0; q < weights.length; q++) {
        double ratio = fit.variance(questions.get(q).shares()) / questions.get(q).most();
        if (ratio > 1) {
          weights[q] *= ratio * ratio;
          good = false;
        }
      }
      if (good) {
        return Optional.of(split);
      }
    }
    return Optional.empty();
  }

  private static Split of(
      Lattice lattice, List<Wanted> questions, double[] weights, double[] full, Norm norm) {
    double[] shares = new double[lattice.size()];
    for (int q = 0; q < weights.length; q++) {
      double[] own = questions.get(q).shares();
      for (int r = 0; r < shares.length; r++) {
        shares[r] += weights[q] * own[r];
      }
    }
    Design design = new Design(lattice, full, shares);
    double[] convex = ConvexSplit.of(design);
    double[] best =
        switch (norm) {
          case SQUARES -> convex;
          case SUM -> SeededSplit.of(design, convex);
        };
    return new Split(stepped(design.spread(fewer(design, best, norm))), norm);
  }

  /** Fewer cuboids are faster to read, and sums of fewer draws. */
  private static double[] fewer(Design design, double[] shares, Norm norm) {
    double loss = design.loss(shares, norm);
    for (double cut : CUTS) {
      double[] kept = Arrays.stream(shares).map(x -> x < cut ? 0 : x).toArray();
      double sum = Arrays.stream(kept).sum();
      double[] whole = Arrays.stream(kept).map(x -> x / sum).toArray();
      if (sum > 0 && design.loss(whole, norm) <= loss * LITTLE) {
        return whole;
      }
    }
    return shares;
  }

  private static double[] stepped(double[] shares) {
    return Arrays.stream(shares).map(x -> Math.floor(x / STEP * (1 - 1e-7)) * STEP).toArray();
  }

  /** The estimates that it will give. */
  public Fit fit(Lattice lattice, double[] full) {
    double[] precision = new double[full.length];
    for (int s = 0; s < full.length; s++) {
      precision[s] = full[s] * norm.precision(shares[s]);
    }
    return new Fit(lattice, precision);
  }
}
