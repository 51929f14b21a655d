package flexdp.experiments.triangles;

import flexdp.experiments.measure.HistogramDelta;
import flexdp.experiments.measure.Law;
import flexdp.experiments.measure.Setting;
import flexdp.experiments.measure.Way;
import flexdp.noise.Flex;
import flexdp.plan.CalibratedMechanism;
import flexdp.plan.PlannedMeasurement;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;

/** The triangle query of section 3.3, bounded in every way the report compares. */
final class Variants {
  static final String SQL =
      """
      SELECT COUNT(*) FROM edges e1
      JOIN edges e2 ON e1.dest = e2.source AND e1.source < e2.source
      JOIN edges e3 ON e2.dest = e3.source AND e3.dest = e1.source AND e2.source < e3.source\
      """;

  static final Setting.Cost COST = Setting.Cost.of(0.7, 1e-8);

  private static final String POLICY =
      """
      flexdp: 1
      privacy: {neighbors: add-remove-one, epsilon: 0.7, delta: 1e-8}
      tables:
        edges:
          columns:
            source: {type: bigint, nullable: false}
            dest: {type: bigint, nullable: false}
      """;
  private static final String KEY = "    unique: [[source, dest]]\n";

  private final String metrics;

  Variants(int sourceFrequency, int destFrequency, int rows) {
    metrics =
        "edges: {rows: %d, columns: {source: {maxFrequency: %d}, dest: {maxFrequency: %d}}}"
            .formatted(rows, sourceFrequency, destFrequency);
  }

  List<Variant> all() {
    Setting plain = Setting.read(POLICY, metrics);
    Setting keyed = Setting.read(POLICY + KEY, metrics);
    return List.of(
        text("the paper's polynomial, as printed", List.of(8711L, 199L, 2L)),
        text("the same with its product multiplied out", List.of(8711L, 264L, 2L)),
        planned("the paper's Figure, applied as it stands", plain, Way.LETTER, "(ε, δ)"),
        planned("our rules, no key declared, flex", plain, Way.FLEX, "(ε, δ)"),
        planned("our rules, no key declared, default", plain, Way.DEFAULT, "pure ε"),
        planned("our rules with the edge key, flex", keyed, Way.FLEX, "(ε, δ)"),
        planned("our rules with the edge key, default", keyed, Way.DEFAULT, "pure ε"));
  }

  /** A polynomial of the text, which no rule gives, smoothed as the paper says. */
  private static Variant text(String title, List<Long> coefficients) {
    double delta = COST.delta().doubleValue();
    double beta = HistogramDelta.paperBeta(COST.epsilon().doubleValue(), delta);
    Variant flat =
        new Variant(title, formula(coefficients), coefficients, beta, 0, 0, noNoise(), "no");
    long best = 0;
    for (long k = 0; k <= 2 * coefficients.size() / beta; k++) {
      best = flat.damped(k) > flat.damped(best) ? k : best;
    }
    double smooth = flat.damped(best);
    Law law = Law.of(Flex.paper(COST.epsilon(), COST.delta()), BigDecimal.valueOf(smooth));
    return new Variant(
        title, flat.formula(), coefficients, beta, smooth, best, law, "not shown: below its rules");
  }

  private static Law noNoise() {
    return Law.of(Flex.paper(COST.epsilon(), COST.delta()), BigDecimal.ZERO);
  }

  private static String formula(List<Long> c) {
    return c.get(2) + "k² + " + c.get(1) + "k + " + c.get(0);
  }

  private static Variant planned(String title, Setting setting, Way way, String sound) {
    PlannedMeasurement planned =
        setting.plan(SQL, way, COST, Optional.empty()).measurements().getFirst();
    CalibratedMechanism noise = planned.noise().orElseThrow();
    Law law = Law.of(noise);
    List<Long> coefficients =
        planned.bound().coefficients().orElseThrow().stream()
            .map(BigInteger::longValueExact)
            .toList();
    return new Variant(
        title,
        planned.bound().formula(),
        coefficients,
        law.mechanism().smoothing().orElseThrow().doubleValue(),
        noise.sensitivity().doubleValue(),
        noise.smooth().orElseThrow().distance(),
        law,
        sound);
  }
}
