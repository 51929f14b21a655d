package flexdp.experiments.workloads;

import flexdp.workload.CuboidLattice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * A thousand questions of a dashboard over trips by city in country, day in month, hour, status,
 * payment and rating. Before, those that follow from an earlier one as a sum of at most 16 cells
 * were free, and the others shared ε.
 */
final class Dashboard {
  private static final int QUESTIONS = 1000;
  private static final double[] POPULAR = {.3, .3, .12, .14, .08, .06};
  private static final CuboidLattice LATTICE =
      new CuboidLattice(
          List.of(
              new int[] {1, 5, 20},
              new int[] {1, 12, 360},
              new int[] {1, 24},
              new int[] {1, 3},
              new int[] {1, 4},
              new int[] {1, 6}));

  private final Random random;
  private int paid;

  /** Levels by grouped key, labels by restricted key. */
  private record Asked(Map<Integer, Integer> levels, Map<Integer, Set<Integer>> chosen) {}

  Dashboard(long seed) {
    this.random = new Random(seed);
  }

  /** How many questions were not free before. */
  int paid() {
    return paid;
  }

  Task task() {
    List<Asked> questions = new ArrayList<>();
    for (int i = 0; i < QUESTIONS; i++) {
      questions.add(question());
    }
    List<Asked> bought = new ArrayList<>();
    double[] cells = new double[QUESTIONS];
    for (int i = 0; i < QUESTIONS; i++) {
      Asked asked = questions.get(i);
      double best = Double.POSITIVE_INFINITY;
      for (Asked before : bought) {
        best = Math.min(best, sums(asked, before));
      }
      cells[i] = best <= 16 ? best : 1;
      if (best > 16) {
        bought.add(asked);
      }
    }
    paid = bought.size();
    double[] today = Arrays.stream(cells).map(c -> 2.0 * paid * paid * c).toArray();
    List<double[]> shares = questions.stream().map(Dashboard::shares).toList();
    return new Task(
        "1,000 questions of a dashboard", LATTICE, shares, today, List.of(LATTICE.size() / 2));
  }

  private static int labels(int key) {
    return LATTICE.blocks(key, LATTICE.finest(key));
  }

  private Asked question() {
    Map<Integer, Integer> levels = new TreeMap<>();
    double u = random.nextDouble();
    for (int key : keys(u < .25 ? 0 : u < .75 ? 1 : 2)) {
      levels.put(key, 1 + random.nextInt(LATTICE.finest(key)));
    }
    Map<Integer, Set<Integer>> chosen = new TreeMap<>();
    u = random.nextDouble();
    for (int key : keys(u < .4 ? 0 : u < .8 ? 1 : 2)) {
      chosen.put(key, choice(key));
    }
    return new Asked(levels, chosen);
  }

  private Set<Integer> choice(int key) {
    int n = labels(key);
    if (key == 1 || key == 2) {
      if (key == 1 && random.nextBoolean()) {
        int month = random.nextInt(12);
        return between(month * 30, month * 30 + 29);
      }
      int a = random.nextInt(n);
      int b = random.nextInt(n);
      return between(Math.min(a, b), Math.max(a, b));
    }
    if (key == 0 && random.nextDouble() < .4) {
      int country = random.nextInt(5);
      return between(4 * country, 4 * country + 3);
    }
    Set<Integer> some = new HashSet<>();
    int count = 1 + random.nextInt(Math.max(1, n / 3 - 1));
    while (some.size() < count) {
      some.add(random.nextInt(n));
    }
    return some;
  }

  private static Set<Integer> between(int from, int to) {
    Set<Integer> all = new HashSet<>();
    for (int i = from; i <= to; i++) {
      all.add(i);
    }
    return all;
  }

  /** Different keys, popular ones first. */
  private Set<Integer> keys(int count) {
    Set<Integer> keys = new HashSet<>();
    while (keys.size() < count) {
      double u = random.nextDouble();
      int key = 0;
      while (key < POPULAR.length - 1 && u >= POPULAR[key]) {
        u -= POPULAR[key++];
      }
      keys.add(key);
    }
    return keys;
  }

  /** The mean over all cells of the answer: by key, the mean norms of its blocks' vectors. */
  private static double[] shares(Asked asked) {
    double[][] norms = new double[LATTICE.keys()][];
    for (int key = 0; key < norms.length; key++) {
      int n = labels(key);
      Set<Integer> chosen = asked.chosen().getOrDefault(key, between(0, n - 1));
      int blocks = LATTICE.blocks(key, asked.levels().getOrDefault(key, 0));
      norms[key] = new double[LATTICE.finest(key) + 1];
      int cells = 0;
      for (int block = 0; block < blocks; block++) {
        double[] vector = new double[n];
        boolean any = false;
        for (int label = block * (n / blocks); label < (block + 1) * (n / blocks); label++) {
          vector[label] = chosen.contains(label) ? 1 : 0;
          any |= chosen.contains(label);
        }
        if (any) {
          cells++;
          double[] own = LATTICE.norms(key, vector);
          for (int level = 0; level < own.length; level++) {
            norms[key][level] += own[level];
          }
        }
      }
      for (int level = 0; level < norms[key].length; level++) {
        norms[key][level] /= cells;
      }
    }
    return LATTICE.product(norms, 1);
  }

  /** How many cells of an earlier answer add up to one number of this one; infinite if none do. */
  private static double sums(Asked asked, Asked before) {
    for (Map.Entry<Integer, Set<Integer>> c : before.chosen().entrySet()) {
      if (!c.getValue().equals(asked.chosen().get(c.getKey()))) {
        return Double.POSITIVE_INFINITY;
      }
    }
    Map<Integer, Set<Integer>> rest = new HashMap<>(asked.chosen());
    rest.keySet().removeAll(before.chosen().keySet());
    double cells = 1;
    for (int key = 0; key < LATTICE.keys(); key++) {
      int have = before.levels().getOrDefault(key, 0);
      if (needed(asked.levels().getOrDefault(key, 0), rest.get(key), key) > have) {
        return Double.POSITIVE_INFINITY;
      }
      if (before.levels().containsKey(key)) {
        double size = LATTICE.blocks(key, have);
        double own = LATTICE.blocks(key, asked.levels().getOrDefault(key, 0));
        double part = rest.containsKey(key) ? (double) rest.get(key).size() / labels(key) : 1;
        boolean grouped = asked.levels().containsKey(key) || !rest.containsKey(key);
        cells *= Math.max(1, grouped ? size / own : size * part);
      }
    }
    return cells;
  }

  /** The coarsest level at which labels that are chosen fill whole blocks. */
  private static int needed(int level, Set<Integer> chosen, int key) {
    if (chosen == null) {
      return level;
    }
    int n = labels(key);
    for (int at = 0; at <= LATTICE.finest(key); at++) {
      int width = n / LATTICE.blocks(key, at);
      boolean whole = true;
      for (int label = 0; label < n; label++) {
        whole &= chosen.contains(label) == chosen.contains(label / width * width);
      }
      if (whole) {
        return Math.max(level, at);
      }
    }
    return LATTICE.finest(key);
  }
}
