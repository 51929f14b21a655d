package flexdp.experiments.workload;

import java.util.List;
import java.util.SplittableRandom;

/** One stream of chance; the same seed gives the same queries. */
record Draw(SplittableRandom random) {
  boolean chance(double probability) {
    return random.nextDouble() < probability;
  }

  /** From low to high, both included. */
  int between(int low, int high) {
    return random.nextInt(low, high + 1);
  }

  <T> T of(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }

  <T> T of(Choice<T> values) {
    return values.draw(random);
  }

  /** Low ranks more often than high ones, below the limit. */
  int rank(int limit) {
    double skewed = Math.pow(random.nextDouble(), 2);
    return (int) (skewed * limit);
  }
}
