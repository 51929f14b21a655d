package flexdp.experiments.soundness;

import flexdp.experiments.measure.Setting;
import flexdp.experiments.measure.Way;
import flexdp.sensitivity.Bound;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Outer joins analysed as inner joins. The query counts {@code t LEFT JOIN u ON t.a = u.b JOIN w ON
 * t.c = w.d}: rows of t without a partner in u survive, so when u holds few keys the frequency of
 * t.c after the join is not bounded by a product with that of u.b.
 */
final class OuterAsInner {
  static final String LEFT = "SELECT COUNT(*) FROM t LEFT JOIN u ON t.a = u.b JOIN w ON t.c = w.d";
  private static final String INNER = LEFT.replace("LEFT JOIN", "JOIN");
  private static final int VALUES = 3;
  private static final String POLICY =
      """
      flexdp: 1
      privacy: {neighbors: replace-one, epsilon: 1, delta: 1e-8}
      tables:
        t: {columns: {a: {type: integer}, c: {type: integer}}}
        u: {columns: {b: {type: integer}}}
        w: {columns: {d: {type: integer}}}
      """;

  /** Three small tables; rows of t are pairs. */
  record Tables(int[][] t, int[] u, int[] w) {

    long count() {
      long count = 0;
      for (int[] row : t) {
        long partners = Arrays.stream(u).filter(b -> b == row[0]).count();
        long thirds = Arrays.stream(w).filter(d -> d == row[1]).count();
        count += Math.max(1, partners) * thirds;
      }
      return count;
    }

    /** The most the count changes when one row is replaced by another. */
    long sensitivity() {
      long before = count();
      long most = 0;
      for (int i = 0; i < t.length; i++) {
        for (int value = 0; value < VALUES * VALUES; value++) {
          int[][] other = t.clone();
          other[i] = new int[] {value / VALUES, value % VALUES};
          most = Math.max(most, Math.abs(new Tables(other, u, w).count() - before));
        }
      }
      for (int value = 0; value < VALUES; value++) {
        for (int i = 0; i < u.length; i++) {
          int[] other = u.clone();
          other[i] = value;
          most = Math.max(most, Math.abs(new Tables(t, other, w).count() - before));
        }
        for (int i = 0; i < w.length; i++) {
          int[] other = w.clone();
          other[i] = value;
          most = Math.max(most, Math.abs(new Tables(t, u, other).count() - before));
        }
      }
      return most;
    }

    /** As the owner's file of metrics says it; the row counts take no part. */
    String metrics() {
      return """
      t: {columns: {a: {maxFrequency: %d}, c: {maxFrequency: %d}}}
      u: {columns: {b: {maxFrequency: %d}}}
      w: {columns: {d: {maxFrequency: %d}}}
      """
          .formatted(
              highest(Arrays.stream(t).mapToInt(r -> r[0]).toArray()),
              highest(Arrays.stream(t).mapToInt(r -> r[1]).toArray()),
              highest(u),
              highest(w));
    }

    String described() {
      List<String> pairs = new ArrayList<>();
      Arrays.stream(t).forEach(r -> pairs.add("(" + r[0] + "," + r[1] + ")"));
      return "t(a,c) = "
          + pairs
          + ", u(b) = "
          + Arrays.toString(u)
          + ", w(d) = "
          + Arrays.toString(w);
    }
  }

  private OuterAsInner() {}

  static Shortcut run(int cases, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Shortcut.Tally tally = new Shortcut.Tally();
    // Bounds depend on the metrics alone, and small tables have few.
    Map<String, Setting> settings = new HashMap<>();
    Map<String, Double> inners = new HashMap<>();
    Map<String, Double> outers = new HashMap<>();
    for (int i = 0; i < cases; i++) {
      Tables tables = draw(random);
      String metrics = tables.metrics();
      Setting setting = settings.computeIfAbsent(metrics, m -> Setting.read(POLICY, m));
      long truth = tables.sensitivity();
      double inner = inners.computeIfAbsent(metrics, m -> bound(setting, INNER, Way.LETTER));
      double ours = outers.computeIfAbsent(metrics, m -> bound(setting, LEFT, Way.DEFAULT));
      tally.add(
          truth,
          inner,
          ours,
          tables.described()
              + ": one row changes the count by "
              + truth
              + ", the inner join's"
              + " bound is "
              + (long) inner);
    }
    return tally.shortcut(
        "outer joins as inner joins",
        "m2·S1 and m1·S2 of the inner join",
        "max(1, m2) in place" + " of m2, and rows that lose their partner counted");
  }

  private static double bound(Setting setting, String sql, Way way) {
    Bound bound =
        setting
            .plan(sql, way, Setting.Cost.of(1, 1e-8), Optional.empty())
            .measurements()
            .getFirst()
            .bound();
    return bound.elastic(0).doubleValue();
  }

  private static Tables draw(SplittableRandom random) {
    int[][] t = new int[1 + random.nextInt(5)][];
    for (int i = 0; i < t.length; i++) {
      t[i] = new int[] {random.nextInt(VALUES), random.nextInt(VALUES)};
    }
    return new Tables(t, values(random, 3), values(random, 3));
  }

  private static int[] values(SplittableRandom random, int most) {
    return random.ints(random.nextInt(most), 0, VALUES).toArray();
  }

  static int highest(int[] values) {
    int[] counts = new int[VALUES];
    int most = 0;
    for (int value : values) {
      most = Math.max(most, ++counts[value]);
    }
    return most;
  }
}
