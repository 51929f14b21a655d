package flexdp.experiments.study;

import java.util.Map;
import java.util.TreeMap;

/** Which queries the analysis accepts, by what they return, and why not the others. */
public final class Success {
  static final String ACCEPTED = "ACCEPTED";

  private final Map<String, Counts> byClass = new TreeMap<>();
  private final Samples samples = new Samples();

  /**
   * Adds one outcome.
   *
   * @param kind of the query: counting, statistical, raw or unreadable
   * @param reason the code of the rejection, or ACCEPTED
   */
  void add(String kind, String reason, String sql) {
    byClass.computeIfAbsent(kind, k -> new Counts()).add(reason);
    if (!reason.equals(ACCEPTED)) {
      samples.add(reason, sql);
    }
  }

  void add(Success other) {
    other.byClass.forEach((k, c) -> byClass.computeIfAbsent(k, n -> new Counts()).add(c));
    samples.add(other.samples);
  }

  public boolean isEmpty() {
    return byClass.isEmpty();
  }

  /** The reasons for queries of a class, acceptance among them. */
  public Counts of(String kind) {
    return byClass.getOrDefault(kind, new Counts());
  }

  public Counts all() {
    Counts all = new Counts();
    byClass.values().forEach(all::add);
    return all;
  }

  public String sample(String reason) {
    return samples.of(reason);
  }

  /** The share that is accepted; not a number when there are none. */
  public static double share(Counts counts) {
    return counts.of(ACCEPTED) / (double) counts.total();
  }
}
