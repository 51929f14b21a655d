package flexdp.noise;

import java.util.HashMap;
import java.util.Map;

/**
 * The exact law of what sparse vector shows, with threshold 0.
 *
 * @param threshold the scale of ρ
 * @param question the scale of each ν; 0 for none
 * @param hits after how many it stops
 */
record SparseLaw(double threshold, double question, int hits) {
  private static final int FAR = 200;
  private static final int[] GAPS = {0, 1, 2, 5, 12, 30};

  private static double probability(double scale, double z) {
    double r = Math.exp(-1 / scale);
    return (1 - r) / (1 + r) * Math.pow(r, Math.abs(z));
  }

  /** P(Z ≥ x). */
  private static double atLeast(double scale, double x) {
    if (scale == 0) {
      return x <= 0 ? 1 : 0;
    }
    double r = Math.exp(-1 / scale);
    return x > 0 ? Math.pow(r, x) / (1 + r) : 1 - Math.pow(r, 1 - x) / (1 + r);
  }

  private double[] start() {
    double[] start = new double[2 * FAR + 1];
    for (int z = -FAR; z <= FAR; z++) {
      start[z + FAR] = probability(threshold, z);
    }
    return start;
  }

  /** By the pattern of hits, as text; of all that can be shown. */
  private Map<String, Double> patterns(int[] exact) {
    Map<String, Double> law = new HashMap<>();
    extend(exact, "", 0, start(), law);
    return law;
  }

  private void extend(
      int[] exact, String shown, int struck, double[] weights, Map<String, Double> law) {
    int next = shown.length();
    if (struck == hits || next == exact.length) {
      law.put(shown, sum(weights));
      return;
    }
    double[] hit = new double[weights.length];
    double[] miss = new double[weights.length];
    for (int z = -FAR; z <= FAR; z++) {
      double chance = atLeast(question, z - exact[next]);
      hit[z + FAR] = weights[z + FAR] * chance;
      miss[z + FAR] = weights[z + FAR] * (1 - chance);
    }
    extend(exact, shown + "h", struck + 1, hit, law);
    extend(exact, shown + "-", struck, miss, law);
  }

  private static double sum(double[] weights) {
    double sum = 0;
    for (double w : weights) {
      sum += w;
    }
    return sum;
  }

  double loss(int[] here, int[] there) {
    return apart(patterns(here), patterns(there));
  }

  private static double apart(Map<String, Double> one, Map<String, Double> two) {
    double most = 0;
    for (Map.Entry<String, Double> entry : one.entrySet()) {
      double x = entry.getValue();
      double y = two.get(entry.getKey());
      if (x > 1e-13 || y > 1e-13) {
        most = Math.max(most, Math.abs(Math.log(Math.max(x, 1e-300) / Math.max(y, 1e-300))));
      }
    }
    return most;
  }

  /** The chances that each is the first hit, and at last that none is. */
  double[] firstHits(int[] exact) {
    double[] chances = new double[exact.length + 1];
    new SparseLaw(threshold, question, 1)
        .patterns(exact)
        .forEach(
            (shown, p) -> chances[shown.endsWith("h") ? shown.length() - 1 : exact.length] += p);
    return chances;
  }

  /** The loss over patterns of hits and some of their gaps. */
  double lossWithGaps(int[] here, int[] there) {
    Map<String, Double> one = new HashMap<>();
    Map<String, Double> two = new HashMap<>();
    gaps(here, 0, "", 0, start(), one);
    gaps(there, 0, "", 0, start(), two);
    return apart(one, two);
  }

  private void gaps(
      int[] exact, int next, String shown, int struck, double[] weights, Map<String, Double> law) {
    if (struck == hits || next == exact.length) {
      law.put(shown, sum(weights));
      return;
    }
    double[] miss = new double[weights.length];
    for (int z = -FAR; z <= FAR; z++) {
      miss[z + FAR] = weights[z + FAR] * (1 - atLeast(question, z - exact[next]));
    }
    gaps(exact, next + 1, shown + "-,", struck, miss, law);
    for (int gap : GAPS) {
      double[] hit = new double[weights.length];
      for (int z = -FAR; z <= FAR; z++) {
        hit[z + FAR] = weights[z + FAR] * probability(question, z + gap - exact[next]);
      }
      gaps(exact, next + 1, shown + gap + ",", struck + 1, hit, law);
    }
  }

  /**
   * The loss when the compared value itself is shown, of one output: some misses, then a hit whose
   * value is the threshold.
   */
  static double ofShownValue(int misses, int step, double threshold, double question) {
    double one = shown(misses, 0, step, threshold, question);
    double two = shown(misses, step, 0, threshold, question);
    return Math.abs(one - two);
  }

  /** The logarithm of its chance. */
  private static double shown(int misses, int exact, int last, double threshold, double question) {
    int far = 900;
    double most = Double.NEGATIVE_INFINITY;
    double[] logs = new double[far + 1];
    for (int z = -far; z <= 0; z++) {
      double below = 1 - atLeast(question, z - exact);
      logs[z + far] = Math.log(probability(threshold, z)) + misses * Math.log(below);
      most = Math.max(most, logs[z + far]);
    }
    double sum = 0;
    for (double log : logs) {
      sum += Math.exp(log - most);
    }
    return most + Math.log(sum) + Math.log(probability(question, last));
  }
}
