package flexdp.gateway.verify;

/**
 * What a frequency says of a probability, for certain up to a small chance: bounds by Chernoff,
 * which hold for every number of draws.
 */
final class Confidence {
  private static final int STEPS = 60;

  private Confidence() {}

  /** The probability is at least this, but for the chance. */
  static double least(double seen, long draws, double chance) {
    double low = 0;
    double high = seen;
    for (int i = 0; i < STEPS; i++) {
      double middle = (low + high) / 2;
      if (draws * divergence(seen, middle) > -Math.log(chance)) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The probability is at most this, but for the chance. */
  static double most(double seen, long draws, double chance) {
    return 1 - least(1 - seen, draws, chance);
  }

  private static double divergence(double seen, double p) {
    return part(seen, p) + part(1 - seen, 1 - p);
  }

  private static double part(double a, double b) {
    return a == 0 ? 0 : b == 0 ? Double.POSITIVE_INFINITY : a * Math.log(a / b);
  }
}
