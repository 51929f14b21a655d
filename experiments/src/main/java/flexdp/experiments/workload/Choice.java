package flexdp.experiments.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Values with weights, to draw from. */
final class Choice<T> {
  private final List<T> values = new ArrayList<>();
  private final List<Double> upTo = new ArrayList<>();
  private double total;

  Choice<T> or(double weight, T value) {
    total += weight;
    values.add(value);
    upTo.add(total);
    return this;
  }

  T draw(SplittableRandom random) {
    double at = random.nextDouble() * total;
    for (int i = 0; i < values.size() - 1; i++) {
      if (at < upTo.get(i)) {
        return values.get(i);
      }
    }
    return values.get(values.size() - 1);
  }
}
