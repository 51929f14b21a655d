package flexdp.experiments.measure;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.decompose.QueryDecomposer;
import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.files.YamlText;
import flexdp.metrics.Metrics;
import flexdp.metrics.MetricsReader;
import flexdp.noise.Flex;
import flexdp.plan.Plan;
import flexdp.plan.PlanRequest;
import flexdp.plan.PlannedMeasurement;
import flexdp.plan.Planner;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.query.Bins;
import flexdp.query.DpQuery;
import flexdp.sensitivity.Bound;
import flexdp.smooth.Smoothing;
import flexdp.sql.bind.SqlBinder;
import java.math.BigDecimal;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;

/** A database as the analysis sees it: what the owner declares and what was measured. */
public record Setting(Policy policy, Metrics metrics) {
  private static final LocalDateTime NOW = LocalDateTime.of(2016, 12, 31, 0, 0);

  /** What one question may cost. */
  public record Cost(BigDecimal epsilon, BigDecimal delta) {
    public static Cost of(double epsilon, double delta) {
      return new Cost(BigDecimal.valueOf(epsilon), BigDecimal.valueOf(delta));
    }

    /** The paper's δ = n^(−ε ln n), which falls below what a double holds for large ε. */
    public static Cost ofPaper(double epsilon, double rows) {
      double log = Math.log(rows);
      double delta = Math.max(1e-90, Math.exp(-epsilon * log * log));
      return of(epsilon, delta);
    }
  }

  /**
   * One measurement with the noise that some way gives it.
   *
   * @param law absent when that way has no mechanism for it
   */
  public record Noisy(String formula, Optional<Law> law) {}

  /** From the texts of a policy and of metrics, both YAML. */
  public static Setting read(String policy, String metrics) {
    Policy declared = PolicyReader.read(YamlText.tree(policy, Code.BAD_POLICY));
    return new Setting(
        declared, MetricsReader.read(YamlText.tree(metrics, Code.BAD_METRICS), declared));
  }

  public Plan plan(String sql, Way way, Cost cost, Optional<Bins> bins) {
    AnalysisOptions options =
        new AnalysisOptions(
            way.rules(),
            way.mechanism(),
            Optional.of(cost.epsilon()),
            Optional.of(cost.delta()),
            List.of(),
            bins);
    return new Analyzer(policy, metrics, NOW).plan(sql, options);
  }

  /** The question bound and cut, for several plans. */
  public DpQuery question(String sql, Optional<Bins> bins) {
    return QueryDecomposer.of(new SqlBinder(policy, NOW).bind(sql), policy, bins);
  }

  /** The noise of a question with one measurement, if this way has a mechanism for it. */
  public Optional<Law> law(DpQuery query, Way way, Cost cost) {
    PlanRequest request =
        new PlanRequest(way.rules(), way.mechanism(), cost.epsilon(), cost.delta());
    return planned(only(Planner.plan(query, policy, metrics, request))).law();
  }

  /**
   * The noise of a question with one measurement.
   *
   * @param bins how many numbers the answer has
   */
  public Noisy noisy(String sql, Way way, Cost cost, Optional<Bins> labels, int bins) {
    return switch (way) {
      case LETTER, DEFAULT -> planned(only(plan(sql, way, cost, labels)));
      case REPAIRED, FLEX -> stretched(sql, way, cost, labels, bins);
    };
  }

  private static PlannedMeasurement only(Plan plan) {
    if (plan.measurements().size() != 1) {
      throw new IllegalArgumentException("a question with one measurement is expected");
    }
    return plan.measurements().getFirst();
  }

  private static Noisy planned(PlannedMeasurement planned) {
    return new Noisy(planned.bound().formula(), planned.noise().map(Law::of));
  }

  /** Laplace noise of scale 2S/ε, S smoothed by the β that holds for all bins together. */
  private Noisy stretched(String sql, Way way, Cost cost, Optional<Bins> labels, int bins) {
    if (bins == 1) {
      return planned(only(plan(sql, way, cost, labels)));
    }
    Bound bound = only(plan(sql, way == Way.FLEX ? Way.DEFAULT : way, cost, labels)).bound();
    double epsilon = cost.epsilon().doubleValue();
    double beta = HistogramDelta.soundBeta(epsilon, cost.delta().doubleValue(), bins);
    BigDecimal smooth = Smoothing.maximum(bound, beta).decimal();
    // Only its scale, 2S/ε, is used: β went into S.
    Law law = Law.of(Flex.paper(cost.epsilon(), cost.delta()), smooth);
    return new Noisy(bound.formula(), Optional.of(law));
  }
}
