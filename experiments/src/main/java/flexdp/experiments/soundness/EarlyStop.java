package flexdp.experiments.soundness;

import flexdp.experiments.measure.HistogramDelta;
import flexdp.experiments.measure.Setting;
import flexdp.experiments.measure.Way;
import flexdp.sensitivity.Bound;
import flexdp.smooth.Smoothing;
import java.util.Optional;
import java.util.SplittableRandom;

/** The search for S that stops when the damped bound falls for the first time. */
final class EarlyStop {
  private static final String SQL =
      "SELECT COUNT(*) FROM t1 JOIN p ON t1.a = p.x JOIN t2 ON p.y = t2.b";
  private static final String POLICY =
      """
      flexdp: 1
      privacy: {neighbors: replace-one, epsilon: 1, delta: 1e-8}
      tables:
        t1: {columns: {a: {type: integer}}}
        t2: {columns: {b: {type: integer}}}
        p: {public: true, columns: {x: {type: integer}, y: {type: integer}}}
      """;

  private EarlyStop() {}

  static Shortcut run(int cases, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Shortcut.Tally tally = new Shortcut.Tally();
    for (int i = 0; i < cases; i++) {
      int[] mf = {size(random), size(random), size(random), size(random)};
      double epsilon = random.nextBoolean() ? 0.1 : 1;
      Bound bound = bound(mf);
      double beta = HistogramDelta.paperBeta(epsilon, 1e-8);
      double truth = Smoothing.maximum(bound, beta).value();
      double early = early(bound, beta);
      tally.add(
          truth,
          early,
          truth,
          "%s at ε = %s: S = %.1f, the early stop gives %.1f"
              .formatted(bound.formula(), epsilon, truth, early));
    }
    return tally.shortcut(
        "search stopped at the first decrease",
        "k up to the first fall of e^(−βk)·Ŝ(k)",
        "the maximum over all k up to degree/β");
  }

  /** Frequencies over several orders of magnitude, as keys of real tables have them. */
  private static int size(SplittableRandom random) {
    return (int) Math.exp(random.nextDouble() * Math.log(2_000));
  }

  static Bound bound(int... mf) {
    String metrics =
        """
        t1: {rows: 100000, columns: {a: {maxFrequency: %d}}}
        t2: {rows: 100000, columns: {b: {maxFrequency: %d}}}
        p: {rows: 5000, columns: {x: {maxFrequency: %d}, y: {maxFrequency: %d}}}
        """
            .formatted(mf[0], mf[1], mf[2], mf[3]);
    return Setting.read(POLICY, metrics)
        .plan(SQL, Way.LETTER, Setting.Cost.of(1, 1e-8), Optional.empty())
        .measurements()
        .getFirst()
        .bound();
  }

  static double early(Bound bound, double beta) {
    double best = bound.elastic(0).doubleValue();
    for (long k = 1; ; k++) {
      double next = Math.exp(-beta * k) * bound.elastic(k).doubleValue();
      if (next < best) {
        return best;
      }
      best = next;
    }
  }
}
