package flexdp.experiments.people;

import java.util.function.IntToDoubleFunction;

/**
 * Clipping at a level that somebody guessed before: of all the levels the best, in hindsight. No
 * private answer can know it; it shows what choosing the level costs.
 */
final class Fixed {
  /** The mean of an exponential variable without its best and worst fifth. */
  private static final double TRIMMED = 0.761;

  private Fixed() {}

  /**
   * @param levels how many there are
   * @param level τ of each, growing
   * @param value the true value there; what is cut off only grows further down
   */
  static DrawnErrors best(
      int levels,
      IntToDoubleFunction level,
      IntToDoubleFunction value,
      double truth,
      double epsilon) {
    double best = Double.MAX_VALUE;
    double mean = 0;
    for (int i = levels - 1; i >= 0; i--) {
      double bias = truth - value.applyAsDouble(i);
      if (bias >= best) {
        break;
      }
      double noise = level.applyAsDouble(i) / epsilon;
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
