package flexdp.experiments.alerts;

import flexdp.noise.SparseVector;
import java.math.BigDecimal;

/**
 * How far numbers have to be from a threshold for all decisions to be right with 95 %: some are
 * that far above it, the others that far below. Computed from the laws of the noise, not drawn.
 *
 * @param questions how many there are
 * @param hits how many of them are above
 */
record AlertDistance(int questions, int hits) {
  private static final double SURE = 0.95;
  private static final int FAR = 1 << 20;

  /** The chance that noise of a scale is below a number. */
  private static double below(double scale, double x) {
    double r = Math.exp(-1 / scale);
    return x > 0 ? 1 - Math.pow(r, x) / (1 + r) : Math.pow(r, 1 - x) / (1 + r);
  }

  /** The chance that all are right when each decision is made at this distance. */
  private interface Right {
    double at(int distance);
  }

  private static int least(Right right) {
    int low = 0;
    int high = 1;
    while (right.at(high) < SURE && high < FAR) {
      high *= 2;
    }
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      if (right.at(middle) >= SURE) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return high;
  }

  private double right(double scale, double distance, double shift) {
    return Math.pow(below(scale, distance + shift), questions - hits)
        * Math.pow(1 - below(scale, shift - distance), hits);
  }

  /** Every question pays its share of ε. */
  int each(double epsilon) {
    return least(distance -> right(questions / epsilon, distance, 0));
  }

  /** Every question is about other rows, and pays all of ε. */
  int apart(double epsilon) {
    return least(distance -> right(1 / epsilon, distance, 0));
  }

  /** Sparse vector. */
  int sparse(double epsilon, boolean monotone) {
    SparseVector vector =
        new SparseVector(
            BigDecimal.valueOf(epsilon), hits, monotone, BigDecimal.ONE, BigDecimal.ONE);
    double threshold = vector.thresholdScale().doubleValue();
    double question = vector.questionScale().doubleValue();
    int far = (int) Math.ceil(40 * threshold);
    return least(
        distance -> {
          double all = 0;
          for (int rho = -far; rho <= far; rho++) {
            double chance = below(threshold, rho + 1) - below(threshold, rho);
            all += chance * right(question, distance, rho);
          }
          return all;
        });
  }
}
