package flexdp.experiments.performance;

import java.util.ArrayList;
import java.util.List;

/** Seconds of one step over many queries. */
final class Times {
  private final List<Double> seconds = new ArrayList<>();

  /** Work that may fail with anything. */
  interface Work<T> {
    T run() throws Exception;
  }

  <T> T measure(Work<T> work) throws Exception {
    long start = System.nanoTime();
    try {
      return work.run();
    } finally {
      seconds.add((System.nanoTime() - start) / 1e9);
    }
  }

  double average() {
    return seconds.stream().mapToDouble(s -> s).average().orElse(0);
  }

  double most() {
    return seconds.stream().mapToDouble(s -> s).max().orElse(0);
  }

  double total() {
    return seconds.stream().mapToDouble(s -> s).sum();
  }
}
