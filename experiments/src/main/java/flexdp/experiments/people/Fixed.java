package flexdp.experiments.people;

/**
 * Clipping at a level that somebody guessed before: of all powers of two the best, in hindsight. No
 * private answer can know it; it shows what choosing the level costs.
 */
final class Fixed {
  /** The mean of an exponential variable without its best and worst fifth. */
  private static final double TRIMMED = 0.761;

  private static final int HIGHEST = 40;

  private Fixed() {}

  static DrawnErrors best(Degrees degrees, double truth, double epsilon) {
    double best = Double.MAX_VALUE;
    double mean = 0;
    for (int i = 0; i <= HIGHEST; i++) {
      double level = Math.pow(2, i);
      double bias = truth - degrees.clipped(level);
      double noise = level / epsilon;
      // Noise and bias may cancel out; the larger of both is not below the error by much.
      double error = Math.max(bias, TRIMMED * noise);
      if (error < best) {
        best = error;
        mean = Math.max(bias, noise);
      }
    }
    return new DrawnErrors(100 * best / truth, 100 * mean / truth);
  }
}
