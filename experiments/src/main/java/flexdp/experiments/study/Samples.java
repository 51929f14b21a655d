package flexdp.experiments.study;

import java.util.Map;
import java.util.TreeMap;

/** One example for each reason: the first that was seen, shortened. */
public final class Samples {
  private static final int LONGEST = 300;
  private static final int MOST = 100;

  private final Map<String, String> samples = new TreeMap<>();

  void add(String reason, String text) {
    if (samples.size() < MOST && !samples.containsKey(reason)) {
      samples.put(reason, shortened(text));
    }
  }

  void add(Samples other) {
    other.samples.forEach(this::add);
  }

  public String of(String reason) {
    return samples.getOrDefault(reason, "");
  }

  private static String shortened(String text) {
    String start = text.length() <= LONGEST ? text : text.substring(0, LONGEST) + " …";
    return start.strip().replaceAll("\\s+", " ").replaceAll("\\p{Cntrl}", "\uFFFD");
  }
}
