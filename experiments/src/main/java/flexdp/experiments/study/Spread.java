package flexdp.experiments.study;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** How whole numbers are distributed: exact below 1,000, to three digits above. */
public final class Spread {
  private final TreeMap<Long, Long> counts = new TreeMap<>();
  private long total;
  private long most;

  void add(long value) {
    long unit = 1;
    while (value / unit >= 1_000) {
      unit *= 10;
    }
    counts.merge(value / unit * unit, 1L, Long::sum);
    total++;
    most = Math.max(most, value);
  }

  void add(Spread other) {
    other.counts.forEach((value, count) -> counts.merge(value, count, Long::sum));
    total += other.total;
    most = Math.max(most, other.most);
  }

  public long total() {
    return total;
  }

  public long most() {
    return most;
  }

  public long count(long from, long to) {
    return counts.subMap(from, to).values().stream().mapToLong(Long::longValue).sum();
  }

  /** The smallest value that at least that part of all do not exceed; zero when there are none. */
  public long quantile(double part) {
    long seen = 0;
    for (Map.Entry<Long, Long> entry : counts.entrySet()) {
      seen += entry.getValue();
      if (seen >= part * total) {
        return entry.getKey();
      }
    }
    return 0;
  }

  /** A value, and the part of all that do not exceed it. */
  public record Step(long value, double part) {}

  public List<Step> cumulative() {
    List<Step> steps = new ArrayList<>();
    long seen = 0;
    for (Map.Entry<Long, Long> entry : counts.entrySet()) {
      seen += entry.getValue();
      steps.add(new Step(entry.getKey(), seen / (double) total));
    }
    return steps;
  }
}
