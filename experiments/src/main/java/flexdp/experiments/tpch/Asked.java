package flexdp.experiments.tpch;

import flexdp.experiments.measure.HistogramDelta;
import flexdp.experiments.measure.Law;
import flexdp.experiments.measure.Medians;
import flexdp.experiments.measure.Setting;
import flexdp.experiments.measure.Way;
import flexdp.noise.Noise;
import flexdp.noise.PrivacyParameters;
import flexdp.noise.SecureBits;
import flexdp.plan.MetricRelease;
import flexdp.query.Bins;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A count asked in every way, and how far off the answers are.
 *
 * @param bins how many numbers the answer has
 * @param population the median of the true cells
 * @param paid our default when the release of metrics comes out of the same ε
 * @param reallyAtLeast the δ that the paper's β can really have here
 */
record Asked(
    String name,
    Setting.Cost cost,
    int bins,
    double population,
    Map<Way, Error> errors,
    Optional<Error> paid,
    double reallyAtLeast) {

  /**
   * The error of one way.
   *
   * @param expected median error in percent by the law of the noise
   * @param drawn the same from draws
   */
  record Error(String formula, String mechanism, double scale, double expected, double drawn) {}

  /** What is asked. */
  record Question(
      String name,
      String sql,
      Optional<Bins> labels,
      int bins,
      double[] cells,
      List<String> released) {}

  static Asked of(Question q, Setting setting, Setting.Cost cost, int rounds, Noise noise) {
    Map<Way, Error> errors = new EnumMap<>(Way.class);
    boolean dependent = false;
    for (Way way : Way.values()) {
      Setting with =
          way == Way.DEFAULT ? released(setting, q, cost.epsilon(), cost.delta()) : setting;
      Setting.Noisy noisy = with.noisy(q.sql(), way, cost, q.labels(), q.bins());
      dependent |= way == Way.LETTER && noisy.formula().contains("k");
      errors.put(way, error(noisy, q.cells(), rounds, noise));
    }
    double beta =
        HistogramDelta.paperBeta(cost.epsilon().doubleValue(), cost.delta().doubleValue());
    double really =
        dependent ? HistogramDelta.atLeast(cost.epsilon().doubleValue(), beta, q.bins()) : 0;
    return new Asked(
        q.name(),
        cost,
        q.bins(),
        Medians.of(q.cells()),
        errors,
        paid(q, setting, cost, rounds, noise),
        really);
  }

  private static Error error(Setting.Noisy noisy, double[] cells, int rounds, Noise noise) {
    Law law = noisy.law().orElseThrow();
    return new Error(
        noisy.formula(),
        law.mechanism().name(),
        law.scale(),
        Medians.expected(law, cells),
        Medians.sampled(law, cells, rounds, noise));
  }

  /** Half of ε and δ to the release, half to the question. */
  private static Optional<Error> paid(
      Question q, Setting setting, Setting.Cost cost, int rounds, Noise noise) {
    if (q.released().isEmpty()) {
      return Optional.empty();
    }
    BigDecimal two = BigDecimal.valueOf(2);
    Setting.Cost half = new Setting.Cost(cost.epsilon().divide(two), cost.delta().divide(two));
    Setting with = released(setting, q, half.epsilon(), half.delta());
    Setting.Noisy noisy = with.noisy(q.sql(), Way.DEFAULT, half, q.labels(), q.bins());
    return Optional.of(error(noisy, q.cells(), rounds, noise));
  }

  private static Setting released(
      Setting setting, Question q, BigDecimal epsilon, BigDecimal delta) {
    if (q.released().isEmpty()) {
      return setting;
    }
    List<MetricRelease.Metric> choice = new ArrayList<>();
    for (String column : q.released()) {
      int dot = column.indexOf('.');
      choice.add(
          new MetricRelease.Metric(
              column.substring(0, dot),
              MetricRelease.Kind.MAX_FREQUENCY,
              Set.of(column.substring(dot + 1))));
    }
    return new Setting(
        setting.policy(),
        MetricRelease.release(
            setting.metrics(), choice, new PrivacyParameters(epsilon, delta), new SecureBits()));
  }
}
