package flexdp.experiments.people;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * R2T, the race to the top (Dong, Fang, Yi, Tao, Machanavajjhala, SIGMOD 2022), as its authors'
 * program runs it: levels 5.5, 5.5² … up to a global sensitivity of 10⁶, β = 0.1, and of Q(τ_j) +
 * Lap(Lτ_j/ε) − (Lτ_j/ε)·ln(L/β) the largest, or nothing.
 */
final class Race {
  private static final double BASE = 5.5;
  private static final double GLOBAL = 1e6;
  private static final double BETA = 0.1;

  private final List<Double> levels = new ArrayList<>();
  private final List<Double> values = new ArrayList<>();

  /**
   * @param truncated Q(τ), in the unit of τ
   */
  Race(Truncated truncated) {
    int count = (int) (Math.log(GLOBAL) / Math.log(BASE));
    for (int i = 1; i <= count; i++) {
      levels.add(Math.pow(BASE, i));
      values.add(truncated.at(levels.getLast()));
    }
  }

  /** Q(τ). */
  interface Truncated {
    double at(double level);
  }

  /** One answer. */
  double draw(double epsilon, SplittableRandom random) {
    double best = 0;
    int count = levels.size();
    for (int i = 0; i < count; i++) {
      double scale = levels.get(i) * count / epsilon;
      double noisy = values.get(i) + scale * (laplace(random) - Math.log(count / BETA));
      best = Math.max(best, noisy);
    }
    return best;
  }

  static double laplace(SplittableRandom random) {
    double size = -Math.log(1 - random.nextDouble());
    return random.nextBoolean() ? size : -size;
  }
}
