package flexdp.experiments.study;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** How often each name was seen. Names come from logs, so there is a limit to how many are kept. */
public final class Counts {
  private static final int MOST = 300;
  private static final String OTHERS = "(others)";

  private final Map<String, Long> counts = new TreeMap<>();

  void add(String name) {
    add(name, 1);
  }

  void add(String name, long more) {
    counts.merge(counts.size() < MOST || counts.containsKey(name) ? name : OTHERS, more, Long::sum);
  }

  void add(Counts other) {
    other.counts.forEach(this::add);
  }

  public long of(String name) {
    return counts.getOrDefault(name, 0L);
  }

  public long total() {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  /** The most frequent first. */
  public Map<String, Long> descending() {
    return counts.entrySet().stream()
        .sorted(
            Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                .thenComparing(Map.Entry.comparingByKey()))
        .collect(
            Collectors.toMap(
                Map.Entry::getKey, Map.Entry::getValue, (a, b) -> a, LinkedHashMap::new));
  }
}
