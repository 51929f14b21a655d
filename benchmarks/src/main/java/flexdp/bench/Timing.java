package flexdp.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Times several ways of doing one thing, in turns, so that what disturbs the machine disturbs all
 * of them alike. Time is that of the processor on this thread, which a busy machine does not
 * stretch; the figure of each is the median over its rounds.
 */
final class Timing {
  private static final long WARM_UP_NANOS = 1_000_000_000L;
  private static final long ROUND_NANOS = 20_000_000L;
  private static final int ROUNDS = 21;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** One way of doing the thing. */
  interface Work {
    Object run() throws Exception;
  }

  private Timing() {}

  /** Runs each for a while and measures nothing. */
  static void warm(Map<String, Work> works) throws Exception {
    for (Work work : works.values()) {
      perRun(work, WARM_UP_NANOS);
    }
  }

  /** Microseconds per run, by name, in the given order. */
  static Map<String, Double> medians(Map<String, Work> works) throws Exception {
    warm(works);
    Map<String, double[]> samples = new LinkedHashMap<>();
    works.keySet().forEach(name -> samples.put(name, new double[ROUNDS]));
    for (int round = 0; round < ROUNDS; round++) {
      for (Map.Entry<String, Work> work : works.entrySet()) {
        samples.get(work.getKey())[round] = perRun(work.getValue(), ROUND_NANOS) / 1000;
      }
    }
    Map<String, Double> medians = new LinkedHashMap<>();
    samples.forEach(
        (name, values) -> {
          Arrays.sort(values);
          medians.put(name, values[values.length / 2]);
        });
    return medians;
  }

  private static double perRun(Work work, long nanos) throws Exception {
    long start = THREADS.getCurrentThreadCpuTime();
    long end = start;
    int runs = 0;
    while (end - start < nanos) {
      // Looked at, so that the compiler cannot drop the work.
      if (work.run() == null) {
        throw new IllegalStateException("no result");
      }
      runs++;
      end = THREADS.getCurrentThreadCpuTime();
    }
    return (double) (end - start) / runs;
  }
}
