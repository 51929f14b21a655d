package flexdp.workload;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.List;

/**
 * How much of what is spent each cuboid gets, so that questions are answered as well as possible
 * and none worse than by itself. A function of the questions and of public numbers: two gateways
 * find the same.
 *
 * @param shares by cuboid, 0 for those that are not measured; their sum is at most 1
 */
public record Split(double[] shares, Norm norm) {
  private static final int ROUNDS = 10;
  private static final int PARTS = 32;
  private static final double LITTLE = 1.001;
  private static final double[] CUTS = {1e-2, 3e-3, 1e-3, 1e-4};

  /** Shares are multiples of this, so that they are the same number everywhere. */
  private static final double STEP = 1e-9;

  /**
   * The best split found that answers every question at least as well as it has to be.
   *
   * @param full the precision of a cell of each cuboid that gets everything; 0 for cuboids that
   *     must not be measured
   * @param plain shares that do so in any case, for want of better ones
   */
  public static Split of(
      Lattice lattice, List<Goal> questions, double[] full, double[] plain, Norm norm) {
    Split best = new Split(stepped(plain), norm);
    double least = best.loss(lattice, questions, full);
    double[] weights = questions.stream().mapToDouble(Goal::weight).toArray();
    for (int round = 0; round < ROUNDS; round++) {
      Split split = weighted(lattice, questions, weights, full, norm);
      for (int part = 0; part < PARTS; part++) {
        Split mixed = split.mixed(plain, (double) part / PARTS);
        if (mixed.isGood(lattice, questions, full)) {
          double loss = mixed.loss(lattice, questions, full);
          best = loss < least ? mixed : best;
          least = Math.min(loss, least);
          break;
        }
      }
      if (!split.raise(lattice, questions, full, weights)) {
        break;
      }
    }
    return best;
  }

  /** So much of it, and the rest of another. */
  private Split mixed(double[] other, double part) {
    double[] mixed = new double[shares.length];
    for (int s = 0; s < mixed.length; s++) {
      mixed[s] = (1 - part) * shares[s] + part * other[s];
    }
    return part == 0 ? this : new Split(stepped(mixed), norm);
  }

  private double loss(Lattice lattice, List<Goal> questions, double[] full) {
    Fit fit = fit(lattice, full);
    return questions.stream().mapToDouble(q -> q.weight() * fit.variance(q.shares())).sum();
  }

  private boolean isGood(Lattice lattice, List<Goal> questions, double[] full) {
    Fit fit = fit(lattice, full);
    return questions.stream().allMatch(q -> fit.variance(q.shares()) <= q.most());
  }

  /** Makes questions count more that are answered worse than they may be, if there are any. */
  private boolean raise(Lattice lattice, List<Goal> questions, double[] full, double[] weights) {
    Fit fit = fit(lattice, full);
    boolean raised = false;
    for (int q = 0; q < weights.length; q++) {
      double ratio = fit.variance(questions.get(q).shares()) / questions.get(q).most();
      if (ratio > 1) {
        weights[q] *= Math.min(1e3, ratio * ratio);
        raised = true;
      }
    }
    return raised;
  }

  private static Split weighted(
      Lattice lattice, List<Goal> questions, double[] weights, double[] full, Norm norm) {
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

  /** The share of a cuboid as an exact number; all of them add up to at most 1. */
  public BigDecimal share(int cuboid) {
    return new BigDecimal(shares[cuboid]).setScale(9, RoundingMode.HALF_EVEN);
  }

  /** The estimates that it will give. */
  public Fit fit(Lattice lattice, double[] full) {
    double[] precision = new double[full.length];
    for (int s = 0; s < full.length; s++) {
      precision[s] = full[s] * norm.precision(shares[s]);
    }
    return new Fit(lattice, precision);
  }

  /**
   * The best shares where precisions go with shares: a convex problem. Every round multiplies each
   * share by the root of what it is worth, which never makes the loss larger.
   */
  private static final class ConvexSplit {
    private static final int ROUNDS = 3000;
    private static final double ENOUGH = 1e-9;

    private ConvexSplit() {}

    static double[] of(Design design) {
      int size = design.size();
      double[] shares = new double[size];
      Arrays.fill(shares, 1.0 / size);
      double last = Double.POSITIVE_INFINITY;
      for (int round = 0; round < ROUNDS; round++) {
        double[] slopes = design.slopes(shares, Norm.SQUARES);
        double loss = slopes[size];
        double sum = 0;
        for (int c = 0; c < size; c++) {
          shares[c] *= Math.sqrt(slopes[c]);
          sum += shares[c];
        }
        for (int c = 0; c < size; c++) {
          shares[c] /= sum;
        }
        if (last - loss < ENOUGH * loss) {
          break;
        }
        last = loss;
      }
      return shares;
    }
  }
}
